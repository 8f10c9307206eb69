#include "develop/stages/noise/noise_model.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "develop/stages/noise/noise.h"

namespace imago::develop {
namespace {

constexpr double planes_from_rgb[3][3] = {{0.25, 0.5, 0.25}, {1, -1, 0}, {0, -1, 1}};

constexpr int block_edge = 16;
constexpr int bin_count = 12;  // by brightness, one a stop below white
// Variance of `rough` below on flat pictures through the project's own demosaic, per variance of the sensor's pixels
// (docs/measurements/detail.md).
constexpr double rough_from_pixel = 3.71;

struct Block {
  double level, variance;  // of Y, and of its finest detail
};

double luminance_at(const Rgb32f& picture, int x, int y) {
  const float* rgb = picture.at(x, y);
  return 0.25 * static_cast<double>(rgb[0]) + 0.5 * static_cast<double>(rgb[1]) + 0.25 * static_cast<double>(rgb[2]);
}

// The finest detail of a block: second differences along both axes at once, blind to slopes and straight edges.
Block measure_block(const Rgb32f& picture, int left, int top) {
  Block block{};
  for (int y = top + 1; y < top + block_edge - 1; ++y) {
    for (int x = left + 1; x < left + block_edge - 1; ++x) {
      const auto at = [&](int dx, int dy) { return luminance_at(picture, x + dx, y + dy); };
      const double rough = at(0, 0) - (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1)) / 2 +
                           (at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1)) / 4;
      block.variance += rough * rough;
      block.level += at(0, 0);
    }
  }
  constexpr double count = (block_edge - 2) * (block_edge - 2);
  block.level /= count;
  block.variance /= count;
  return block;
}

std::vector<Block> measure_blocks(const Rgb32f& picture) {
  // At most about 4000 of them, evenly spread.
  const int columns = picture.width / block_edge, rows = picture.height / block_edge;
  const int stride = std::max(1, static_cast<int>(std::sqrt(columns * rows / 4000.0)));
  std::vector<Block> blocks;
  for (int j = 0; j < rows; j += stride) {
    for (int i = 0; i < columns; i += stride) {
      const Block block = measure_block(picture, i * block_edge, j * block_edge);
      if (block.level > 0 && block.level < 0.9 && std::isfinite(block.variance)) blocks.push_back(block);
    }
  }
  return blocks;
}

// The flattest tenth of the blocks of every brightness: their variance is noise, little else.
std::vector<Block> flattest(const std::vector<Block>& blocks) {
  std::vector<Block> points;
  std::array<std::vector<Block>, bin_count> bins;
  for (const Block& block : blocks) {
    const int bin = std::clamp(static_cast<int>(-std::log2(block.level)), 0, bin_count - 1);
    bins[static_cast<std::size_t>(bin)].push_back(block);
  }
  for (auto& bin : bins) {
    if (bin.size() < 10) continue;
    std::ranges::sort(bin, {}, &Block::variance);
    // Of blocks that hold nothing but noise the tenth part from below has about 0.85 of the mean variance.
    const Block& chosen = bin[bin.size() / 10];
    points.push_back({chosen.level, chosen.variance / 0.85});
  }
  return points;
}

// Least squares of variance = scale * level + offset, neither below 0, relative errors weighted alike.
io::RawNoise line_through(const std::vector<Block>& points) {
  double s = 0, sx = 0, sxx = 0, sy = 0, sxy = 0;
  for (const Block& point : points) {
    const double w = 1 / std::max(point.variance * point.variance, 1e-24);
    s += w, sx += w * point.level, sxx += w * point.level * point.level;
    sy += w * point.variance, sxy += w * point.level * point.variance;
  }
  const double determinant = s * sxx - sx * sx;
  const double scale = determinant > 1e-12 * s * sxx ? (s * sxy - sx * sy) / determinant : -1;
  const double offset = (sy - scale * sx) / s;
  if (scale < 0) return {0, sy / s};
  if (offset < 0) return {sxy / sxx, 0};
  return {scale, offset};
}

}  // namespace

std::optional<NoiseModel> noise_from_profile(std::span<const io::RawNoise> profile, const std::array<float, 3>& gains,
                                             const std::array<float, 9>& working_from_camera) {
  if (profile.empty()) return std::nullopt;
  NoiseModel model;
  for (std::size_t plane = 0; plane < 3; ++plane) {
    double scale = 0, offset = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const io::RawNoise& noise = profile[profile.size() >= 3 ? c : 0];
      const double gain = static_cast<double>(gains[c]);
      double weight = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        weight += planes_from_rgb[plane][k] * static_cast<double>(working_from_camera[3 * k + c]);
      }
      scale += weight * weight * gain * noise.scale;
      offset += weight * weight * gain * gain * noise.offset;
    }
    model.scale[plane] = static_cast<float>(std::max(scale, 1e-9));
    model.offset[plane] = static_cast<float>(std::max(offset, 1e-12));
  }
  return model;
}

NoiseModel fit_noise(const Rgb32f& picture, const std::array<float, 3>& gains,
                     const std::array<float, 9>& working_from_camera) {
  if (picture.width < 64 || picture.height < 64) return {};
  const std::vector<Block> points = flattest(measure_blocks(picture));
  if (points.empty()) return {};
  const io::RawNoise luminance = line_through(points);
  // The sensor whose Y would have this noise.
  constexpr io::RawNoise unit{1, 1};
  const NoiseModel of_unit = *noise_from_profile(std::span(&unit, 1), gains, working_from_camera);
  const io::RawNoise sensor{luminance.scale / (rough_from_pixel * static_cast<double>(of_unit.scale[0])),
                            luminance.offset / (rough_from_pixel * static_cast<double>(of_unit.offset[0]))};
  return *noise_from_profile(std::span(&sensor, 1), gains, working_from_camera);
}

}  // namespace imago::develop
