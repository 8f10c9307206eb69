#include "io/raw/white_balance.h"

#include <algorithm>
#include <cmath>

namespace imago::io {
namespace {

// McCamy 1992; good to a few kelvin between 2800 and 6500 K, which is enough to weigh two matrices.
double cct_of_xy(double x, double y) {
  const double n = (x - 0.3320) / (0.1858 - y);
  return std::clamp(((449.0 * n + 3525.0) * n + 6823.3) * n + 5520.33, 1500.0, 50000.0);
}

std::array<double, 3> multiply(const RawMatrix& m, const std::array<double, 3>& v) {
  std::array<double, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
  return out;
}

std::array<double, 3> camera_from_xyz(const RawCalibration& calibration, const std::array<double, 3>& xyz) {
  return multiply(calibration.camera_calibration, multiply(calibration.color_matrix, xyz));
}

bool positive(const std::array<double, 3>& v) {
  return std::ranges::all_of(v, [](double c) { return std::isfinite(c) && c > 1e-6; });
}

}  // namespace

double illuminant_cct(int light_source) {
  switch (light_source) {
    case 3:
    case 17: return 2856;  // tungsten, A
    case 24: return 3200;  // ISO studio tungsten
    case 2:
    case 14: return 4150;  // fluorescent, cool white
    case 12: return 6400;  // daylight fluorescent
    case 13: return 5050;  // day white fluorescent
    case 15: return 3525;  // white fluorescent
    case 16: return 2925;  // warm white fluorescent
    case 1:
    case 4:
    case 9:
    case 18:
    case 20: return 5500;  // daylight, flash, fine weather, B, D55
    case 10:
    case 19:
    case 21: return 6504;  // cloudy, C, D65
    case 11:
    case 22: return 7500;  // shade, D75
    default: return 5000;  // D50 and unknown
  }
}

std::optional<std::array<double, 3>> neutral_from_xy(const RawImage& image, double x, double y) {
  if (image.calibrations.empty() || !(y > 1e-3) || !(x > 1e-3) || !(x + y < 1)) return std::nullopt;
  const std::array<double, 3> xyz{x / y, 1, (1 - x - y) / y};
  const auto by_cct = [](const RawCalibration& a, const RawCalibration& b) { return a.cct_kelvin < b.cct_kelvin; };
  const RawCalibration& warm = *std::ranges::min_element(image.calibrations, by_cct);
  const RawCalibration& cool = *std::ranges::max_element(image.calibrations, by_cct);
  std::array<double, 3> neutral = camera_from_xyz(cool, xyz);
  if (warm.cct_kelvin < cool.cct_kelvin) {
    const double weight =
        std::clamp((1 / cct_of_xy(x, y) - 1 / cool.cct_kelvin) / (1 / warm.cct_kelvin - 1 / cool.cct_kelvin), 0.0, 1.0);
    // matrices are linear, so their interpolation is that of what they give (CameraCalibration apart: nearly one)
    const std::array<double, 3> other = camera_from_xyz(warm, xyz);
    for (std::size_t c = 0; c < 3; ++c) neutral[c] += weight * (other[c] - neutral[c]);
  }
  for (std::size_t c = 0; c < 3; ++c) neutral[c] *= image.analog_balance[c];
  if (!positive(neutral)) return std::nullopt;
  const double green = neutral[1];
  for (double& v : neutral) v /= green;
  return neutral;
}

std::optional<std::array<double, 3>> gray_world_neutral(const RawImage& image) {
  if (image.samples.size() == 0) return std::nullopt;
  std::array<std::int64_t, 4> sum{}, count{};
  const Rect& area = image.active_area;
  const bool linear = image.layout == RawLayout::linear;
  for (int y = area.y; y < area.bottom(); ++y) {
    const std::uint16_t* row = image.samples.data() + static_cast<std::size_t>(y) *
                                                          static_cast<std::size_t>(image.width) *
                                                          static_cast<std::size_t>(image.channels());
    for (int x = area.x; x < area.right(); ++x) {
      for (int c = 0; c < image.channels(); ++c) {
        const auto channel = static_cast<std::size_t>(linear ? c : image.cfa.channel(x, y));
        const std::uint16_t code = row[static_cast<std::size_t>(x * image.channels() + c)];
        if (static_cast<float>(code) >= image.clip[channel]) continue;
        sum[channel] += code;
        ++count[channel];
      }
    }
  }
  std::array<double, 4> mean{};
  for (std::size_t c = 0; c < 4; ++c) {
    if (count[c] > 0)
      mean[c] =
          static_cast<double>(sum[c]) / static_cast<double>(count[c]) - static_cast<double>(image.black.per_channel[c]);
  }
  std::array<double, 3> neutral{mean[0], count[3] > 0 ? (mean[1] + mean[3]) / 2 : mean[1], mean[2]};
  if (!positive(neutral) || *std::ranges::min_element(neutral) < 0.02 * *std::ranges::max_element(neutral))
    return std::nullopt;
  const double green = neutral[1];
  for (double& v : neutral) v /= green;
  return neutral;
}

}  // namespace imago::io
