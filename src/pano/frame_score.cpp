#include "pano/frame_score.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <vector>

namespace imago::pano {
namespace {

// 256 at the horizon, 0 beyond 60 degrees.
std::vector<int> row_weights(int height) {
  std::vector<int> weights;
  for (int y = 0; y < height; ++y) {
    const double latitude = std::numbers::pi * (0.5 - (y + 0.5) / height);
    const bool counts = std::abs(latitude) < std::numbers::pi / 3;
    weights.push_back(counts ? static_cast<int>(std::lround(256 * std::cos(latitude))) : 0);
  }
  return weights;
}

std::int64_t squared_gradients(const std::uint8_t* above, const std::uint8_t* row, const std::uint8_t* below,
                               int width) {
  std::int64_t sum = 0;
  for (int x = 1; x + 1 < width; ++x) {
    const int gx = above[x + 1] - above[x - 1] + 2 * (row[x + 1] - row[x - 1]) + below[x + 1] - below[x - 1];
    const int gy = below[x - 1] - above[x - 1] + 2 * (below[x] - above[x]) + below[x + 1] - above[x + 1];
    sum += gx * gx + gy * gy;
  }
  return sum;
}

}  // namespace

double sharpness(const Plane8& luma) {
  const std::vector<int> weights = row_weights(luma.height);
  std::int64_t sum = 0, weight_sum = 0;
  for (int y = 1; y + 1 < luma.height; ++y) {
    const int weight = weights[static_cast<std::size_t>(y)];
    if (weight == 0) continue;
    sum += weight * squared_gradients(luma.row(y - 1), luma.row(y), luma.row(y + 1), luma.width);
    weight_sum += static_cast<std::int64_t>(weight) * (luma.width - 2);
  }
  // A Sobel operator answers 8 to a slope of 1 level a pixel.
  return weight_sum > 0 ? std::sqrt(static_cast<double>(sum) / static_cast<double>(weight_sum)) / 8 : 0;
}

Plane8 reduced(const Plane8& luma, int most_width) {
  const int factor = std::max(1, (luma.width + most_width - 1) / most_width);
  Plane8 out(std::max(1, luma.width / factor), std::max(1, luma.height / factor));
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      int sum = 0, count = 0;
      for (int j = 0; j < factor && y * factor + j < luma.height; ++j) {
        for (int i = 0; i < factor && x * factor + i < luma.width; ++i, ++count) {
          sum += luma.row(y * factor + j)[x * factor + i];
        }
      }
      out.row(y)[x] = static_cast<std::uint8_t>((sum + count / 2) / count);
    }
  }
  return out;
}

double motion(const Plane8& a, const Plane8& b) {
  const std::vector<int> weights = row_weights(a.height);
  std::int64_t least = -1, weight_sum = 0;
  for (const int weight : weights) weight_sum += static_cast<std::int64_t>(weight) * a.width;
  for (int shift = 0; shift < a.width; ++shift) {
    std::int64_t sum = 0;
    for (int y = 0; y < a.height && (least < 0 || sum < least); ++y) {
      int differences = 0;
      for (int x = 0; x < a.width; ++x) {
        const int other = x + shift < a.width ? x + shift : x + shift - a.width;
        differences += std::abs(a.row(y)[x] - b.row(y)[other]);
      }
      sum += static_cast<std::int64_t>(differences) * weights[static_cast<std::size_t>(y)];
    }
    if (least < 0 || sum < least) least = sum;
  }
  return weight_sum > 0 ? static_cast<double>(least) / static_cast<double>(weight_sum) : 0;
}

}  // namespace imago::pano
