#include "develop/stages/finish/finish_chunk.h"

#include "base/simd.h"
#include "develop/stages/finish/finish_tools.h"

namespace imago::develop {
namespace {

// Inlined into every clone of its caller, so that the loops are compiled for that clone's instructions.
#define IMAGO_INLINE [[gnu::always_inline]] inline

template <const auto& tool, typename Params>
IMAGO_INLINE bool touches_any(const Params& params, const Chunk& chunk) {
  int touched = 0;
  for (int i = 0; i < chunk_pixels; ++i) {
    touched |= tool.touches(params, {chunk.red[i], chunk.green[i], chunk.blue[i]}) ? 1 : 0;
  }
  return touched != 0;
}

template <const auto& tool>
IMAGO_INLINE void run_tool(const FinishParams& all_params, Chunk& chunk) {
  const auto params = all_params.*tool.params;  // a copy: stores to the chunk cannot change it
  if (params.enabled == 0) return;
  if constexpr (tool.touches != nullptr) {
    if (!touches_any<tool>(params, chunk)) return;
  }
  for (int i = 0; i < chunk_pixels; ++i) {
    const Pixel at{.x = chunk.x + static_cast<std::uint32_t>(i),
                   .y = chunk.y,
                   .base_log2 = chunk.base_log2[i],
                   .local_ev = chunk.local_ev[i],
                   .curve_table = chunk.curve_table};
    const Rgb out = tool.apply(params, {chunk.red[i], chunk.green[i], chunk.blue[i]}, at);
    chunk.red[i] = out.r;
    chunk.green[i] = out.g;
    chunk.blue[i] = out.b;
  }
}

template <std::size_t... index>
IMAGO_INLINE void run_in_order(const FinishParams& params, Chunk& chunk, std::index_sequence<index...>) {
  (run_tool<std::get<index>(finish_tools)>(params, chunk), ...);
}

constexpr auto every_tool = std::make_index_sequence<std::tuple_size_v<decltype(finish_tools)>>();

}  // namespace

IMAGO_SIMD_CLONES void run_tools(const FinishParams& params, Chunk& chunk) { run_in_order(params, chunk, every_tool); }

void run_tools_baseline(const FinishParams& params, Chunk& chunk) { run_in_order(params, chunk, every_tool); }

}  // namespace imago::develop
