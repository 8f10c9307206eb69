#include "develop/stages/geom/geom.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "base/parallel.h"
#include "base/simd.h"

namespace imago::develop {
namespace {

// Rows handed to one thread at a time; also the edge of the square tiles in which turned pictures are copied.
constexpr int rows_per_chunk = 32;
constexpr int tile_edge = 16;
constexpr std::int64_t half_pixel = std::int64_t{1} << 31;

struct FixedPosition {
  std::int64_t x, y;
};

FixedPosition source_position(const FixedAffine& map, int x, int y) {
  return {map.x_origin + x * map.x_from_x + y * map.x_from_y, map.y_origin + x * map.y_from_x + y * map.y_from_y};
}

int floor_of(std::int64_t position) { return static_cast<int>(position >> 32); }

// 24 bits, exact in f32.
float fraction_of(std::int64_t position) {
  return static_cast<float>(static_cast<std::uint32_t>(position) >> 8) * 0x1p-24f;
}

struct Weights {
  float w[4];
};

Weights bicubic_weights(float t) {
  return {{((-0.5f * t + 1.0f) * t - 0.5f) * t, (1.5f * t - 2.5f) * t * t + 1.0f, ((-1.5f * t + 2.0f) * t + 0.5f) * t,
           (0.5f * t - 0.5f) * t * t}};
}

Weights bilinear_weights(float t) { return {{0.0f, 1.0f - t, t, 0.0f}}; }

// Sixteen taps: down the columns, then across. `block` is the top left tap of a 4x4 block in rows of `stride` floats.
void weighted_sum(const float* block, std::size_t stride, const Weights& wx, const Weights& wy, float* out) {
  const float *r0 = block, *r1 = r0 + stride, *r2 = r1 + stride, *r3 = r2 + stride;
  float column[12];
  for (int i = 0; i < 12; ++i) {
    column[i] = ((wy.w[0] * r0[i] + wy.w[1] * r1[i]) + wy.w[2] * r2[i]) + wy.w[3] * r3[i];
  }
  for (int c = 0; c < 3; ++c) {
    out[c] = ((wx.w[0] * column[c] + wx.w[1] * column[3 + c]) + wx.w[2] * column[6 + c]) + wx.w[3] * column[9 + c];
  }
}

// The same near an edge, whose pixels repeat outwards.
void weighted_sum_at_edge(const Rgb32f& source, int left, int top, const Weights& wx, const Weights& wy, float* out) {
  float block[4 * 12];
  for (int j = 0; j < 4; ++j) {
    const float* row = source.row(std::clamp(top + j, 0, source.height - 1));
    for (int i = 0; i < 4; ++i) {
      std::memcpy(block + j * 12 + i * 3, row + std::clamp(left + i, 0, source.width - 1) * 3, 3 * sizeof(float));
    }
  }
  weighted_sum(block, 12, wx, wy, out);
}

void resample_pixel(const GeomPlan& plan, const Rgb32f& source, FixedPosition at, float* out) {
  const int column = floor_of(at.x), row = floor_of(at.y);
  if (column < 0 || column >= plan.source_width || row < 0 || row >= plan.source_height) {
    out[0] = out[1] = out[2] = 0.0f;
    return;
  }
  const std::int64_t x = at.x - half_pixel, y = at.y - half_pixel;
  const int left = floor_of(x) - 1, top = floor_of(y) - 1;
  const bool is_draft = plan.filter == GeomFilter::bilinear;
  const Weights wx = is_draft ? bilinear_weights(fraction_of(x)) : bicubic_weights(fraction_of(x));
  const Weights wy = is_draft ? bilinear_weights(fraction_of(y)) : bicubic_weights(fraction_of(y));
  if (left < 0 || top < 0 || left + 4 > plan.source_width || top + 4 > plan.source_height) {
    weighted_sum_at_edge(source, left, top, wx, wy, out);
  } else {
    weighted_sum(source.at(left, top), source.row_samples(), wx, wy, out);
  }
}

IMAGO_SIMD_CLONES
void resample_rows(const GeomPlan& plan, const Rgb32f& source, RowRange rows, float* out) {
  for (int y = rows.begin; y < rows.end; ++y) {
    FixedPosition at = source_position(plan.fixed_source_from_output, 0, y);
    for (int x = 0; x < plan.output_width; ++x, out += 3) {
      resample_pixel(plan, source, at, out);
      at.x += plan.fixed_source_from_output.x_from_x;
      at.y += plan.fixed_source_from_output.y_from_x;
    }
  }
}

// Square tiles, so that a quarter turn reads and writes whole cache lines.
void copy_rows(const GeomPlan& plan, const Rgb32f& source, RowRange rows, float* out) {
  const FixedAffine& map = plan.fixed_source_from_output;
  const std::size_t out_stride = static_cast<std::size_t>(plan.output_width) * 3;
  const std::ptrdiff_t step = ((map.x_from_x >> 32) + (map.y_from_x >> 32) * plan.source_width) * 3;
  const int tile_width = step == 3 || step == -3 ? plan.output_width : tile_edge;
  for (int tile_y = rows.begin; tile_y < rows.end; tile_y += tile_edge) {
    for (int tile_x = 0; tile_x < plan.output_width; tile_x += tile_width) {
      const int count = std::min(tile_width, plan.output_width - tile_x);
      for (int y = tile_y; y < std::min(tile_y + tile_edge, rows.end); ++y) {
        const FixedPosition at = source_position(map, tile_x, y);
        const float* from = source.at(floor_of(at.x), floor_of(at.y));
        float* to = out + static_cast<std::size_t>(y - rows.begin) * out_stride + static_cast<std::size_t>(tile_x) * 3;
        if (step == 3) {
          std::memcpy(to, from, static_cast<std::size_t>(count) * 3 * sizeof(float));
          continue;
        }
        for (int i = 0; i < count; ++i) std::memcpy(to + i * 3, from + i * step, 3 * sizeof(float));
      }
    }
  }
}

}  // namespace

void geom_rows(const GeomPlan& plan, const Rgb32f& source, RowRange rows, float* out) {
  assert(source.width == plan.source_width && source.height == plan.source_height);
  assert(rows.begin >= 0 && rows.end <= plan.output_height);
  if (plan.is_copy) {
    copy_rows(plan, source, rows, out);
  } else {
    resample_rows(plan, source, rows, out);
  }
}

Rgb32f run_geom(const GeomPlan& plan, Rgb32f source) {
  if (plan.is_identity) return source;
  Rgb32f output(plan.output_width, plan.output_height);
  parallel_for(plan.output_height, rows_per_chunk,
               [&](RowRange rows) { geom_rows(plan, source, rows, output.row(rows.begin)); });
  return output;
}

}  // namespace imago::develop
