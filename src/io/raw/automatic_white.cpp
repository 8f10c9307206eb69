#include "io/raw/automatic_white.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "color/dng_color.h"
#include "color/transfer.h"
#include "io/raw/white_balance.h"

namespace imago::io {
namespace {

// Logarithms of red and blue over green, and how much a block counts.
struct Block {
  double red, blue, weight;
};

double sample_at(const RawImage& image, std::size_t at) {
  return image.samples.size() != 0 ? static_cast<double>(image.samples[at])
                                   : static_cast<double>(image.float_samples[at]);
}

// Mean light of each colour in one block; empty when it is dark, or more than a few of its samples are clipped.
std::optional<Block> measure_block(const RawImage& image, Rect area) {
  std::array<double, 3> sum{};
  std::array<int, 3> count{};
  int clipped = 0;
  const int channels = image.channels();
  for (int y = area.y; y < area.bottom(); ++y) {
    for (int x = area.x; x < area.right(); ++x) {
      for (int i = 0; i < channels; ++i) {
        const auto channel = static_cast<std::size_t>(channels == 3 ? i : image.cfa.channel(x, y));
        const double code = sample_at(
            image, (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) *
                           static_cast<std::size_t>(channels) +
                       static_cast<std::size_t>(i));
        if (code >= static_cast<double>(image.clip[channel])) ++clipped;
        const double black = static_cast<double>(mean_black_of(image, channel));
        sum[channel == 3 ? 1 : channel] += (code - black) / (static_cast<double>(image.white[channel]) - black);
        ++count[channel == 3 ? 1 : channel];
      }
    }
  }
  if (std::ranges::any_of(count, [](int n) { return n == 0; })) return std::nullopt;
  if (clipped * 50 > count[0] + count[1] + count[2]) return std::nullopt;
  for (std::size_t c = 0; c < 3; ++c) sum[c] /= count[c];
  if (!(sum[0] > 0.002) || !(sum[1] > 0.004) || !(sum[2] > 0.002)) return std::nullopt;
  // Brighter surfaces say more about the light, but a bright sky does not outvote the ground.
  return Block{std::log(sum[0] / sum[1]), std::log(sum[2] / sum[1]), std::sqrt(std::min(sum[1], 0.25))};
}

std::vector<Block> measure_blocks(const RawImage& image) {
  const Rect area{image.active_area.x + image.default_crop.x, image.active_area.y + image.default_crop.y,
                  image.default_crop.width, image.default_crop.height};
  constexpr int across = 96;
  // Whole periods of any mosaic, 12 pixels of each at the least.
  const int side = std::max(12, std::max(area.width, area.height) / across / 12 * 12);
  constexpr int measured_side = 24;  // of a large block, its corner suffices
  std::vector<Block> blocks;
  for (int y = area.y; y + side <= area.bottom(); y += side) {
    for (int x = area.x; x + side <= area.right(); x += side) {
      const int taken = std::min(side, measured_side);
      if (const auto block = measure_block(image, {x, y, taken, taken})) blocks.push_back(*block);
    }
  }
  return blocks;
}

// 1 for a block as neutral as can be, towards 0 for a coloured one.
double closeness(const Block& block, double red, double blue) {
  constexpr double spread = 0.15;  // natural logarithms: a fifth of a stop
  const double dr = (block.red - red) / spread, db = (block.blue - blue) / spread;
  return 1 / ((1 + dr * dr + db * db) * (1 + dr * dr + db * db));
}

// How likely a light is before anything is seen: daylight first, tungsten and shade after it.
double likelihood(const color::Temperature& light) {
  const double mired = (1e6 / light.kelvin - 190) / 75, tint = (light.tint - 5) / 30;
  return std::exp(-0.5 * (mired * mired + tint * tint));
}

// Linear Rec.2020 of one preview block.
color::Vector3 preview_light(const Rgb8& preview, int x, int y, int side) {
  color::Vector3 sum{};
  int count = 0;
  for (int j = y; j < std::min(y + side, preview.height); ++j) {
    for (int i = x; i < std::min(x + side, preview.width); ++i, ++count) {
      for (std::size_t c = 0; c < 3; ++c) sum[c] += color::decode(color::Transfer::srgb, preview.at(i, j)[c] / 255.0);
    }
  }
  for (double& v : sum) v /= std::max(count, 1);
  return color::rgb_from_rgb(color::rec2020_primaries, color::srgb_primaries) * sum;
}

double weighted_median(std::vector<std::pair<double, double>>& values) {
  std::ranges::sort(values);
  double total = 0, sum = 0;
  for (const auto& [value, weight] : values) total += weight;
  for (const auto& [value, weight] : values) {
    sum += weight;
    if (2 * sum >= total) return value;
  }
  return 0;
}

// One value for the camera's white from each block that is nearly grey and of middle brightness in the preview; their
// median. The preview's tone curve bends saturated colours, greys it leaves grey.
std::optional<std::array<double, 3>> compare_with_preview(const RawImage& image, const Rgb8& preview, Rect frame,
                                                          const color::Matrix3& balanced_from_working) {
  constexpr int side = 24;  // whole periods of any mosaic
  std::vector<std::pair<double, double>> red, blue;
  const double scale = static_cast<double>(preview.width) / frame.width;
  const int step = std::max(side, frame.width / 120 / 12 * 12);
  for (int y = frame.y; y + side <= frame.bottom(); y += step) {
    for (int x = frame.x; x + side <= frame.right(); x += step) {
      const color::Vector3 light =
          preview_light(preview, static_cast<int>((x - frame.x) * scale), static_cast<int>((y - frame.y) * scale),
                        std::max(1, static_cast<int>(side * scale)));
      const double most = std::max({light[0], light[1], light[2]}), least = std::min({light[0], light[1], light[2]});
      if (least < 0.01 || most > 0.7) continue;
      const auto block = measure_block(image, {x, y, side, side});
      if (!block) continue;
      const color::Vector3 balanced = balanced_from_working * light;
      if (std::ranges::any_of(balanced, [](double v) { return !(v > 0); })) continue;
      const double grey = least / most, weight = grey * grey * grey * grey;
      red.emplace_back(block->red - std::log(balanced[0] / balanced[1]), weight);
      blue.emplace_back(block->blue - std::log(balanced[2] / balanced[1]), weight);
    }
  }
  if (red.size() < 16) return std::nullopt;
  return std::array<double, 3>{std::exp(weighted_median(red)), 1, std::exp(weighted_median(blue))};
}

}  // namespace

std::optional<std::array<double, 3>> preview_neutral(const RawImage& image, const Rgb8& preview) {
  if (image.calibrations.empty() || image.layout == RawLayout::monochrome || preview.empty()) return std::nullopt;
  const Rect frame{image.active_area.x + image.default_crop.x, image.active_area.y + image.default_crop.y,
                   image.default_crop.width, image.default_crop.height};
  // A preview of another shape shows another part of the sensor.
  const double aspect =
      static_cast<double>(frame.width) * preview.height / (static_cast<double>(frame.height) * preview.width);
  if (aspect < 0.97 || aspect > 1.03) return std::nullopt;
  const auto start = neutral_from_xy(image, 0.3457, 0.3585);
  if (!start) return std::nullopt;
  const color::CameraProfile profile = camera_profile_of(image);
  std::array<double, 3> neutral = *start;
  // The matrix depends a little on the white that it is to find.
  for (int pass = 0; pass < 4; ++pass) {
    const color::CameraColor camera = color::camera_color_from_neutral(profile, {neutral[0], neutral[1], neutral[2]});
    const auto found = compare_with_preview(image, preview, frame, inverse(camera.working_from_balanced));
    if (!found) return std::nullopt;
    neutral = *found;
  }
  if (std::ranges::any_of(neutral, [](double v) { return !(v > 0.05) || !(v < 20); })) return std::nullopt;
  return neutral;
}

std::optional<std::array<double, 3>> automatic_neutral(const RawImage& image) {
  if (image.calibrations.empty() || image.layout == RawLayout::monochrome) return std::nullopt;
  const std::vector<Block> blocks = measure_blocks(image);
  if (blocks.size() < 8) return std::nullopt;

  std::optional<std::array<double, 3>> best;
  double best_score = 0;
  for (double mired = 90; mired <= 390; mired += 5) {
    for (double tint = -30; tint <= 40; tint += 5) {
      const color::Temperature light{.kelvin = 1e6 / mired, .tint = tint};
      const color::Xy white = color::xy_from_temperature(light);
      const auto neutral = neutral_from_xy(image, white.x, white.y);
      if (!neutral) continue;
      const double red = std::log((*neutral)[0]), blue = std::log((*neutral)[2]);
      double score = 0;
      for (const Block& block : blocks) score += block.weight * closeness(block, red, blue);
      score *= likelihood(light);
      if (score <= best_score) continue;
      best_score = score;
      best = neutral;
    }
  }
  return best;
}

}  // namespace imago::io
