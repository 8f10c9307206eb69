#include "develop/stages/finish/finish_chunk.h"

#include "base/simd.h"
#include "develop/stages/finish/finish_tools.h"

namespace imago::develop {
namespace {

// Inlined into every clone of its caller, so that the loops are compiled for that clone's instructions.
#define IMAGO_INLINE [[gnu::always_inline]] inline

// By its place in the list: clang before 18 takes no reference to an element as a template argument.
template <std::size_t index>
inline constexpr const auto& finish_tool = std::get<index>(finish_tools);

template <std::size_t index, typename Params>
IMAGO_INLINE bool touches_any(const Params& params, const Chunk& chunk) {
  constexpr const auto& tool = finish_tool<index>;
  int touched = 0;
  for (int i = 0; i < chunk_pixels; ++i) {
    touched |= tool.touches(params, {chunk.colours.red[i], chunk.colours.green[i], chunk.colours.blue[i]}) ? 1 : 0;
  }
  return touched != 0;
}

template <std::size_t index>
IMAGO_INLINE void run_tool(const FinishParams& all_params, Chunk& chunk) {
  constexpr const auto& tool = finish_tool<index>;
  const auto& params = all_params.*tool.params;
  if (params.enabled == 0) return;
  // Not `if constexpr`: to gcc under UndefinedBehaviorSanitizer this comparison is no constant. It folds all the same.
  if (tool.touches != nullptr && !touches_any<index>(params, chunk)) return;
  const float* const curve_table = chunk.curve_table;
  const float* const lut_table = chunk.lut_table;
  const float frame_y =
      (static_cast<float>(static_cast<std::int32_t>(chunk.y)) + 0.5f) * chunk.vig_view[2] + chunk.vig_view[3];
  const float scale_x = chunk.vig_view[0], offset_x = chunk.vig_view[1];
  Colours out;  // local: no table or parameter can lie in it, so the loop vectorises
  for (int i = 0; i < chunk_pixels; ++i) {
    const std::uint32_t x = chunk.x + static_cast<std::uint32_t>(i);
    const Pixel at{.x = x,
                   .y = chunk.y,
                   .frame_x = (static_cast<float>(static_cast<std::int32_t>(x)) + 0.5f) * scale_x + offset_x,
                   .frame_y = frame_y,
                   .base_log2 = chunk.base_log2[i],
                   .local_ev = chunk.local_ev[i],
                   .curve_table = curve_table,
                   .lut_table = lut_table};
    const Rgb v = tool.apply(params, {chunk.colours.red[i], chunk.colours.green[i], chunk.colours.blue[i]}, at);
    out.red[i] = v.r;
    out.green[i] = v.g;
    out.blue[i] = v.b;
  }
  chunk.colours = out;
}

template <std::size_t... index>
IMAGO_INLINE void run_in_order(const FinishParams& params, Chunk& chunk, std::index_sequence<index...>) {
  (run_tool<index>(params, chunk), ...);
}

constexpr auto every_tool = std::make_index_sequence<std::tuple_size_v<decltype(finish_tools)>>();

}  // namespace

// flatten: the tools themselves are inlined, however large they are.
[[gnu::flatten]] IMAGO_SIMD_CLONES void run_tools(const FinishParams& params, Chunk& chunk) {
  run_in_order(params, chunk, every_tool);
}

[[gnu::flatten]] void run_tools_baseline(const FinishParams& params, Chunk& chunk) {
  run_in_order(params, chunk, every_tool);
}

}  // namespace imago::develop
