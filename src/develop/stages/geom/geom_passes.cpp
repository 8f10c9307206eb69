#include <cmath>

#include "develop/stages/geom/fixed_position.wgsl.h"
#include "develop/stages/geom/geom.h"
#include "develop/stages/geom/geom_copy.wgsl.h"
#include "develop/stages/geom/geom_resample.wgsl.h"

namespace imago::develop {
namespace {

constexpr std::string_view geom_params =
    "x_origin_low: u32, x_origin_high: u32, x_from_x_low: u32, x_from_x_high: u32, x_from_y_low: u32, "
    "x_from_y_high: u32, y_origin_low: u32, y_origin_high: u32, y_from_x_low: u32, y_from_x_high: u32, "
    "y_from_y_low: u32, y_from_y_high: u32, source_width: u32, source_height: u32, is_draft: u32, tile_rows: u32,";

const Kernel copy_kernel{.name = "geom_copy",
                         .sources = {wgsl::fixed_position, wgsl::geom_copy},
                         .inputs = {"source"},
                         .tables = {},
                         .output = "output",
                         .params_wgsl = geom_params};

const Kernel resample_kernel{.name = "geom_resample",
                             .sources = {wgsl::fixed_position, wgsl::geom_resample},
                             .inputs = {"source"},
                             .tables = {},
                             .output = "output",
                             .params_wgsl = geom_params};

std::vector<std::uint32_t> params_of(const GeomPlan& plan) {
  std::vector<std::uint32_t> words;
  const FixedAffine& map = plan.fixed_source_from_output;
  for (const std::int64_t value :
       {map.x_origin, map.x_from_x, map.x_from_y, map.y_origin, map.y_from_x, map.y_from_y}) {
    words.push_back(static_cast<std::uint32_t>(value));
    words.push_back(static_cast<std::uint32_t>(value >> 32));
  }
  words.push_back(static_cast<std::uint32_t>(plan.source_width));
  words.push_back(static_cast<std::uint32_t>(plan.source_height));
  words.push_back(plan.filter == GeomFilter::bilinear ? 1u : 0u);
  // Tiles pay where sixteen taps are read (H200, 24 MP: 6.4 -> 0.65 ms), not where one is (0.41 -> 0.56 ms).
  const bool swaps_axes = std::abs(plan.source_from_output.yx) > std::abs(plan.source_from_output.xx);
  words.push_back(swaps_axes && !plan.is_copy ? 16u : 1u);
  return words;
}

// Where an output row lies on few source rows (no quarter turn, a small angle) a band of output needs a band of input.
// Else the pass gathers: its owning row is floor(position), its taps lie at most two rows away.
InputReach reach_of(const GeomPlan& plan) {
  const geometry::Affine& map = plan.source_from_output;
  const int taps = plan.is_copy ? 0 : 2;
  const double slope = std::abs(map.yx) * plan.output_width / 2;
  const double bytes = 2 * (slope + taps) * plan.source_width * 3 * sizeof(float);
  if (slope > plan.source_height / 16.0 || bytes > 32 << 20) return {.kind = InputReach::Kind::gather, .reach = taps};
  const geometry::Position<double> middle = apply(map, geometry::Position<double>{plan.output_width / 2.0, 0.5});
  return {.scale = map.yy, .offset = middle.y - 0.5, .reach = static_cast<int>(std::ceil(slope)) + taps};
}

}  // namespace

int add_geom(const GeomPlan& plan, PassList& list, int source_buffer, StageKey key) {
  if (plan.is_identity) return source_buffer;
  const int output = list.add_buffer(
      {.width = plan.output_width, .height = plan.output_height, .channels = 3, .key = key, .name = "geom"});
  list.passes.push_back({.kernel = plan.is_copy ? &copy_kernel : &resample_kernel,
                         .inputs = {{source_buffer, reach_of(plan)}},
                         .tables = {},
                         .params = params_of(plan),
                         .output = output});
  return output;
}

}  // namespace imago::develop
