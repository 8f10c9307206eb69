#include <algorithm>
#include <bit>
#include <cmath>

#include "develop/stages/resize/resize.h"
#include "develop/stages/resize/resize_columns.wgsl.h"
#include "develop/stages/resize/resize_rows.wgsl.h"

namespace imago::develop {
namespace {

const Kernel rows_kernel{.name = "resize_rows",
                         .sources = {wgsl::resize_rows},
                         .inputs = {"source"},
                         .tables = {"starts", "weights"},
                         .output = "output",
                         .params_wgsl = "tap_count: u32,"};

const Kernel columns_kernel{.name = "resize_columns",
                            .sources = {wgsl::resize_columns},
                            .inputs = {"source"},
                            .tables = {"starts", "weights"},
                            .output = "output",
                            .params_wgsl = "tap_count: u32,"};

std::vector<PassTable> tables_of(const ResampleTaps& taps) {
  PassTable starts{.words = {}, .element = Element::u32};
  for (const std::int32_t start : taps.start) starts.words.push_back(static_cast<std::uint32_t>(start));
  PassTable weights{.words = {}, .element = Element::f32};
  for (const float weight : taps.weights) weights.words.push_back(std::bit_cast<std::uint32_t>(weight));
  return {std::move(starts), std::move(weights)};
}

// Output row y reads around (y + 0.5) * scale - 0.5; near the ends its taps are pushed inside.
InputReach reach_of(const ResampleTaps& rows) {
  InputReach reach{.scale = static_cast<double>(rows.source_size) / rows.output_size};
  reach.offset = reach.scale / 2 - 0.5;
  for (int y = 0; y < rows.output_size; ++y) {
    const double centre = y * reach.scale + reach.offset;
    const int start = rows.start[static_cast<std::size_t>(y)];
    reach.reach = std::max({reach.reach, static_cast<int>(std::floor(centre)) - start,
                            start + rows.tap_count - 1 - static_cast<int>(std::ceil(centre))});
  }
  return reach;
}

int add_axis(const Kernel& kernel, const ResampleTaps& taps, const InputReach& reach, PassList& list, int source,
             PassBuffer shape) {
  const int output = list.add_buffer(shape);
  list.passes.push_back({.kernel = &kernel,
                         .inputs = {{source, reach}},
                         .tables = tables_of(taps),
                         .params = {static_cast<std::uint32_t>(taps.tap_count)},
                         .output = output});
  return output;
}

}  // namespace

int add_resize(const ResizePlan& plan, PassList& list, int source_buffer, StageKey key) {
  int buffer = source_buffer;
  if (!plan.columns.is_identity()) {
    buffer = add_axis(rows_kernel, plan.columns, {}, list, buffer,
                      {.width = plan.columns.output_size,
                       .height = plan.rows.source_size,
                       .channels = 3,
                       .key = plan.rows.is_identity() ? key : 0,
                       .name = "resize_rows"});
  }
  if (!plan.rows.is_identity()) {
    buffer = add_axis(columns_kernel, plan.rows, reach_of(plan.rows), list, buffer,
                      {.width = plan.columns.output_size,
                       .height = plan.rows.output_size,
                       .channels = 3,
                       .key = key,
                       .name = "resize"});
  }
  return buffer;
}

}  // namespace imago::develop
