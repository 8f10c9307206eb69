// Where pixels lie between the centres of a grid of blocks, and what is read there: shared by all that keeps its
// coefficients on a grid.
#pragma once

#include <algorithm>
#include <vector>

#include "base/simd.h"

namespace imago::develop {

// The two blocks around a pixel's centre and the share of the second.
struct Between {
  int low, high;
  float t;
};

inline Between blocks_around(int pixel, int step, int size) {
  // Twice the distance from the centre of block 0, in pixels: an integer, so low is exact.
  const int doubled = 2 * pixel + 1 - step;
  const int low = doubled < 0 ? -1 : doubled / (2 * step);
  const float t = static_cast<float>(doubled - low * 2 * step) / static_cast<float>(2 * step);
  return {std::max(low, 0), std::min(low + 1, size - 1), t};
}

// blocks_around for every pixel of a row.
struct ColumnBlend {
  std::vector<int> low, high;
  std::vector<float> t;
};

inline ColumnBlend column_blend(int width, int step, int grid_width) {
  ColumnBlend blend;
  for (int x = 0; x < width; ++x) {
    const Between at = blocks_around(x, step, grid_width);
    blend.low.push_back(at.low);
    blend.high.push_back(at.high);
    blend.t.push_back(at.t);
  }
  return blend;
}

IMAGO_SIMD_CLONES
inline void blend_rows(const float* low, const float* high, float t, int count, float* out) {
  for (int i = 0; i < count; ++i) out[i] = low[i] + t * (high[i] - low[i]);
}

// One channel.
inline void blend_columns(const float* line, const ColumnBlend& blend, int count, float* out) {
  for (int x = 0; x < count; ++x) {
    const float low = line[blend.low[static_cast<std::size_t>(x)]];
    out[x] = low + blend.t[static_cast<std::size_t>(x)] * (line[blend.high[static_cast<std::size_t>(x)]] - low);
  }
}

}  // namespace imago::develop
