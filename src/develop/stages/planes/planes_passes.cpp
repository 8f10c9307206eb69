#include <bit>

#include "base/math.wgsl.h"
#include "develop/stages/planes/guided_apply.wgsl.h"
#include "develop/stages/planes/guided_block_rows.wgsl.h"
#include "develop/stages/planes/guided_blocks.wgsl.h"
#include "develop/stages/planes/guided_frame_mean.wgsl.h"
#include "develop/stages/planes/guided_mean_column.wgsl.h"
#include "develop/stages/planes/guided_mean_row.wgsl.h"
#include "develop/stages/planes/guided_moments.wgsl.h"
#include "develop/stages/planes/guided_row_sums.wgsl.h"
#include "develop/stages/planes/guided_window.wgsl.h"
#include "develop/stages/planes/log_luminance.wgsl.h"
#include "develop/stages/planes/planes.h"

namespace imago::develop {
namespace {

// On the grid there are few invocations, each with much to do.
constexpr int grid_workgroup_size = 64;
constexpr std::string_view window_params = "radius: u32, edge: f32, size: u32, epsilon: f32, makes_coefficients: u32,";

const Kernel block_rows_kernel{.name = "guided_block_rows",
                               .sources = {wgsl::math, wgsl::log_luminance, wgsl::guided_block_rows},
                               .inputs = {"scene"},
                               .tables = {},
                               .output = "output",
                               .params_wgsl = "step: u32, width: u32,",
                               .workgroup_size = grid_workgroup_size};
const Kernel blocks_kernel{.name = "guided_blocks",
                           .sources = {wgsl::guided_blocks},
                           .inputs = {"block_rows"},
                           .tables = {},
                           .output = "output",
                           .params_wgsl = "step: u32, width: u32, height: u32,",
                           .workgroup_size = grid_workgroup_size};
const Kernel row_sums_kernel{.name = "guided_row_sums",
                             .sources = {wgsl::math, wgsl::log_luminance, wgsl::guided_row_sums},
                             .inputs = {"grid"},
                             .tables = {},
                             .output = "output",
                             .params_wgsl = "grid_width: u32,",
                             .workgroup_size = grid_workgroup_size};
const Kernel frame_mean_kernel{.name = "guided_frame_mean",
                               .sources = {wgsl::math, wgsl::log_luminance, wgsl::guided_frame_mean},
                               .inputs = {"row_sums"},
                               .tables = {},
                               .output = "output",
                               .params_wgsl = "grid_width: u32, grid_height: u32,",
                               .workgroup_size = grid_workgroup_size};
const Kernel moments_kernel{.name = "guided_moments",
                            .sources = {wgsl::guided_window, wgsl::guided_moments},
                            .inputs = {"grid", "frame_mean"},
                            .tables = {},
                            .output = "output",
                            .params_wgsl = window_params,
                            .workgroup_size = grid_workgroup_size};
const Kernel mean_row_kernel{.name = "guided_mean_row",
                             .sources = {wgsl::guided_window, wgsl::guided_mean_row},
                             .inputs = {"pairs"},
                             .tables = {},
                             .output = "output",
                             .params_wgsl = window_params,
                             .workgroup_size = grid_workgroup_size};
const Kernel mean_column_kernel{.name = "guided_mean_column",
                                .sources = {wgsl::guided_window, wgsl::guided_mean_column},
                                .inputs = {"pairs"},
                                .tables = {},
                                .output = "output",
                                .params_wgsl = window_params,
                                .workgroup_size = grid_workgroup_size};
const Kernel apply_kernel{.name = "guided_apply",
                          .sources = {wgsl::math, wgsl::log_luminance, wgsl::guided_apply},
                          .inputs = {"scene", "pairs", "frame_mean"},
                          .tables = {},
                          .output = "output",
                          .params_wgsl = "step: u32, grid_width: u32, grid_height: u32,"};

std::uint32_t word(int value) { return static_cast<std::uint32_t>(value); }

std::vector<std::uint32_t> window_words(const PlanesPlan& plan, int size, bool makes_coefficients) {
  return {word(plan.radius), std::bit_cast<std::uint32_t>(plan.edge), word(size),
          std::bit_cast<std::uint32_t>(plan.epsilon), makes_coefficients ? 1u : 0u};
}

// A value for the whole frame: every row needs row 0.
constexpr InputReach whole_frame{.scale = 0, .offset = 0, .reach = 0};

// Collects the passes on the grid; each call adds one and returns its output.
struct GridPasses {
  const PlanesPlan& plan;
  PassList& list;

  int add(const Kernel& kernel, std::vector<PassInput> inputs, std::vector<std::uint32_t> params, PassBuffer shape) {
    const int output = list.add_buffer(shape);
    list.passes.push_back(
        {.kernel = &kernel, .inputs = std::move(inputs), .tables = {}, .params = std::move(params), .output = output});
    return output;
  }

  PassBuffer grid(int channels, std::string_view name) const {
    return {.width = plan.grid_width, .height = plan.grid_height, .channels = channels, .name = name};
  }
};

}  // namespace

int add_planes(const PlanesPlan& plan, PassList& list, int scene_buffer, StageKey key) {
  GridPasses passes{plan, list};
  const double step = plan.step;
  const InputReach block_rows{.scale = step, .offset = (step - 1) / 2, .reach = plan.step / 2};
  const InputReach window_rows{.reach = plan.radius + 1};
  const InputReach around{.scale = 1 / step, .offset = (1 - step) / (2 * step), .reach = 1};
  const InputReach all_rows{.scale = 0, .offset = 0, .reach = plan.grid_height};

  const int block_row_sums = passes.add(block_rows_kernel, {{scene_buffer, {}}}, {word(plan.step), word(plan.width)},
                                        {.width = plan.grid_width, .height = plan.height, .name = "log_block_rows"});
  const int grid = passes.add(blocks_kernel, {{block_row_sums, block_rows}},
                              {word(plan.step), word(plan.width), word(plan.height)}, passes.grid(1, "log_blocks"));
  const int row_sums =
      passes.add(row_sums_kernel, {{grid, {}}}, {word(plan.grid_width)},
                 {.width = 1, .height = plan.grid_height, .element = Element::u32, .name = "log_row_sums"});
  const int mean =
      passes.add(frame_mean_kernel, {{row_sums, all_rows}}, {word(plan.grid_width), word(plan.grid_height)},
                 {.width = 1, .height = 1, .name = "log_mean"});
  const int moments = passes.add(moments_kernel, {{grid, {}}, {mean, whole_frame}},
                                 window_words(plan, plan.grid_width, false), passes.grid(2, "guided_moments"));
  const int coefficients =
      passes.add(mean_column_kernel, {{moments, window_rows}}, window_words(plan, plan.grid_height, true),
                 passes.grid(2, "guided_coefficients"));
  const int across = passes.add(mean_row_kernel, {{coefficients, {}}}, window_words(plan, plan.grid_width, false),
                                passes.grid(2, "guided_across"));
  const int pairs = passes.add(mean_column_kernel, {{across, window_rows}}, window_words(plan, plan.grid_height, false),
                               passes.grid(2, "guided_pairs"));
  return passes.add(apply_kernel, {{scene_buffer, {}}, {pairs, around}, {mean, whole_frame}},
                    {word(plan.step), word(plan.grid_width), word(plan.grid_height)},
                    {.width = plan.width, .height = plan.height, .key = key, .name = "base_layer"});
}

}  // namespace imago::develop
