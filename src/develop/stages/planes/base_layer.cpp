#include <algorithm>
#include <cassert>
#include <vector>

#include "base/parallel.h"
#include "base/simd.h"
#include "develop/stages/planes/block_grid.h"
#include "develop/stages/planes/log_luminance.h"
#include "develop/stages/planes/planes.h"

namespace imago::develop {
namespace {

using Pair = Image<float, 2>;  // two interleaved channels: moments, then coefficients

IMAGO_SIMD_CLONES
void log_luminance_row(const float* rgb, int count, float* out) {
  for (int x = 0; x < count; ++x) out[x] = log_luminance(rgb[3 * x], rgb[3 * x + 1], rgb[3 * x + 2]);
}

// L of the whole picture into `stops`, its block means into `grid`.
void measure(const PlanesPlan& plan, const Rgb32f& scene, Plane& stops, Plane& grid) {
  // A chunk is whole blocks, so each block belongs to one thread.
  const int blocks_per_chunk = std::max(1, 32 / plan.step);
  parallel_for(plan.grid_height, blocks_per_chunk, [&](RowRange rows) {
    for (int block_y = rows.begin; block_y < rows.end; ++block_y) {
      float* sums = grid.row(block_y);
      std::fill(sums, sums + plan.grid_width, 0.0f);
      const int y_end = std::min((block_y + 1) * plan.step, plan.height);
      for (int y = block_y * plan.step; y < y_end; ++y) {
        float* line = stops.row(y);
        log_luminance_row(scene.row(y), plan.width, line);
        for (int block_x = 0; block_x < plan.grid_width; ++block_x) {
          const int x_end = std::min((block_x + 1) * plan.step, plan.width);
          float sum = 0.0f;
          for (int x = block_x * plan.step; x < x_end; ++x) sum += line[x];
          sums[block_x] += sum;
        }
      }
      for (int block_x = 0; block_x < plan.grid_width; ++block_x) {
        const int columns = std::min(plan.step, plan.width - block_x * plan.step);
        sums[block_x] /= static_cast<float>(columns * (y_end - block_y * plan.step));
      }
    }
  });
}

// Mean of L over the grid, in whole 1/1024 stops.
float mean_of(const Plane& grid) {
  std::int64_t sum = 0;
  for (const float stops : grid.pixels) sum += mean_units(stops);
  return stops_from_units(static_cast<std::uint32_t>(sum / static_cast<std::int64_t>(grid.pixels.size())));
}

struct Window {
  int first, last;  // whole blocks
  bool has_low, has_high;
  float weight;
};

Window window_at(const PlanesPlan& plan, int centre, int size) {
  const int low = centre - plan.radius - 1, high = centre + plan.radius + 1;
  Window window{std::max(low + 1, 0), std::min(high - 1, size - 1), low >= 0, high < size, 0.0f};
  window.weight = static_cast<float>(window.last - window.first + 1);
  if (window.has_low) window.weight += plan.edge;
  if (window.has_high) window.weight += plan.edge;
  return window;
}

// Mean and mean square of L - mean along rows.
void moments_row(const PlanesPlan& plan, const float* stops, float mean, float* out) {
  for (int x = 0; x < plan.grid_width; ++x) {
    const Window window = window_at(plan, x, plan.grid_width);
    float first = 0.0f, second = 0.0f;
    for (int i = window.first; i <= window.last; ++i) {
      const float d = stops[i] - mean;
      first += d;
      second += d * d;
    }
    if (window.has_low) {
      const float d = stops[window.first - 1] - mean;
      first += plan.edge * d;
      second += plan.edge * (d * d);
    }
    if (window.has_high) {
      const float d = stops[window.last + 1] - mean;
      first += plan.edge * d;
      second += plan.edge * (d * d);
    }
    out[2 * x] = first / window.weight;
    out[2 * x + 1] = second / window.weight;
  }
}

// Means along rows of a pair.
void mean_row(const PlanesPlan& plan, const float* in, float* out) {
  for (int x = 0; x < plan.grid_width; ++x) {
    const Window window = window_at(plan, x, plan.grid_width);
    for (int c = 0; c < 2; ++c) {
      float sum = 0.0f;
      for (int i = window.first; i <= window.last; ++i) sum += in[2 * i + c];
      if (window.has_low) sum += plan.edge * in[2 * (window.first - 1) + c];
      if (window.has_high) sum += plan.edge * in[2 * (window.last + 1) + c];
      out[2 * x + c] = sum / window.weight;
    }
  }
}

// Means down columns of a pair.
IMAGO_SIMD_CLONES
void mean_columns(const PlanesPlan& plan, const Pair& in, int y, float* out) {
  const Window window = window_at(plan, y, plan.grid_height);
  const int count = plan.grid_width * 2;
  std::fill(out, out + count, 0.0f);
  for (int j = window.first; j <= window.last; ++j) {
    const float* row = in.row(j);
    for (int i = 0; i < count; ++i) out[i] += row[i];
  }
  if (window.has_low) {
    const float* row = in.row(window.first - 1);
    for (int i = 0; i < count; ++i) out[i] += plan.edge * row[i];
  }
  if (window.has_high) {
    const float* row = in.row(window.last + 1);
    for (int i = 0; i < count; ++i) out[i] += plan.edge * row[i];
  }
  for (int i = 0; i < count; ++i) out[i] /= window.weight;
}

// (mean, mean square) -> (a, b)
void coefficients_row(const PlanesPlan& plan, float* pairs) {
  for (int x = 0; x < plan.grid_width; ++x) {
    const float mean = pairs[2 * x];
    const float spread = pairs[2 * x + 1] - mean * mean;
    const float variance = spread > 0.0f ? spread : 0.0f;
    const float a = variance / (variance + plan.epsilon);
    pairs[2 * x] = a;
    pairs[2 * x + 1] = (1.0f - a) * mean;
  }
}

// Mean coefficients of every block.
Pair coefficients(const PlanesPlan& plan, const Plane& grid, float mean) {
  constexpr int rows_per_chunk = 16;
  Pair across(plan.grid_width, plan.grid_height), down(plan.grid_width, plan.grid_height);
  const auto each_row = [&](const auto& body) {
    parallel_for(plan.grid_height, rows_per_chunk, [&](RowRange rows) {
      for (int y = rows.begin; y < rows.end; ++y) body(y);
    });
  };
  each_row([&](int y) { moments_row(plan, grid.row(y), mean, across.row(y)); });
  each_row([&](int y) {
    mean_columns(plan, across, y, down.row(y));
    coefficients_row(plan, down.row(y));
  });
  each_row([&](int y) { mean_row(plan, down.row(y), across.row(y)); });
  each_row([&](int y) { mean_columns(plan, across, y, down.row(y)); });
  return down;
}

// The rows of coefficients around a row, at its place.
IMAGO_SIMD_CLONES
void blend_coefficients(const float* low, const float* high, float t, int count, float* line) {
  blend_rows(low, high, t, count, line);
}

// stops -> base, in place. `line` is a row of coefficients.
IMAGO_SIMD_CLONES
void apply_row(const float* line, const ColumnBlend& blend, float mean, int count, float* stops) {
  const int* low = blend.low.data();
  const int* high = blend.high.data();
  const float* t = blend.t.data();
  for (int x = 0; x < count; ++x) {
    const float a0 = line[2 * low[x]], b0 = line[2 * low[x] + 1];
    const float a = a0 + t[x] * (line[2 * high[x]] - a0);
    const float b = b0 + t[x] * (line[2 * high[x] + 1] - b0);
    stops[x] = (a * (stops[x] - mean) + b) + mean;
  }
}

void apply_coefficients(const PlanesPlan& plan, const Pair& pairs, float mean, Plane& stops) {
  const ColumnBlend blend = column_blend(plan.width, plan.step, plan.grid_width);
  parallel_for(plan.height, 32, [&](RowRange rows) {
    std::vector<float> line(static_cast<std::size_t>(plan.grid_width) * 2);
    for (int y = rows.begin; y < rows.end; ++y) {
      const Between at = blocks_around(y, plan.step, plan.grid_height);
      blend_coefficients(pairs.row(at.low), pairs.row(at.high), at.t, plan.grid_width * 2, line.data());
      apply_row(line.data(), blend, mean, plan.width, stops.row(y));
    }
  });
}

}  // namespace

float frame_mean(const PlanesPlan& plan, const Rgb32f& scene) {
  Plane stops(plan.width, plan.height), grid(plan.grid_width, plan.grid_height);
  measure(plan, scene, stops, grid);
  return mean_of(grid);
}

Plane base_layer(const PlanesPlan& plan, const Rgb32f& scene) {
  assert(scene.width == plan.width && scene.height == plan.height);
  Plane stops(plan.width, plan.height), grid(plan.grid_width, plan.grid_height);
  measure(plan, scene, stops, grid);
  const float mean = mean_of(grid);
  apply_coefficients(plan, coefficients(plan, grid, mean), mean, stops);
  return stops;
}

}  // namespace imago::develop
