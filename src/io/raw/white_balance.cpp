#include "io/raw/white_balance.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace imago::io {
namespace {

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

color::CameraProfile camera_profile_of(const RawImage& image) {
  color::CameraProfile profile;
  profile.analog_balance = {image.analog_balance[0], image.analog_balance[1], image.analog_balance[2]};
  for (const RawCalibration& calibration : image.calibrations) {
    color::CameraCalibration out;
    out.cct_kelvin = calibration.cct_kelvin;
    out.color_matrix = color::Matrix3{calibration.color_matrix};
    if (calibration.forward_matrix) out.forward_matrix = color::Matrix3{*calibration.forward_matrix};
    out.camera_calibration = color::Matrix3{calibration.camera_calibration};
    profile.calibrations.push_back(out);
  }
  return profile;
}

float mean_black_of(const RawImage& image, std::size_t channel) {
  const RawBlack& black = image.black;
  float sum = 0;
  for (const float level : black.pattern) sum += level;
  return black.per_channel[channel] + (black.pattern.empty() ? 0 : sum / static_cast<float>(black.pattern.size()));
}

std::optional<std::array<double, 3>> neutral_from_xy(const RawImage& image, double x, double y) {
  if (image.calibrations.empty() || !(y > 1e-3) || !(x > 1e-3) || !(x + y < 1)) return std::nullopt;
  try {
    const color::Vector3 seen = color::neutral_from_white(camera_profile_of(image), {x, y});
    const std::array<double, 3> neutral{seen[0] / seen[1], 1, seen[2] / seen[1]};
    // A camera that hardly sees one of the primaries of white has a matrix that is not one.
    if (!positive(neutral) || std::ranges::any_of(neutral, [](double v) { return v < 0.02 || v > 50; }))
      return std::nullopt;
    return neutral;
  } catch (const Error&) {  // no inverse
    return std::nullopt;
  }
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
          static_cast<double>(sum[c]) / static_cast<double>(count[c]) - static_cast<double>(mean_black_of(image, c));
  }
  std::array<double, 3> neutral{mean[0], count[3] > 0 ? (mean[1] + mean[3]) / 2 : mean[1], mean[2]};
  if (!positive(neutral) || *std::ranges::min_element(neutral) < 0.02 * *std::ranges::max_element(neutral))
    return std::nullopt;
  const double green = neutral[1];
  for (double& v : neutral) v /= green;
  return neutral;
}

}  // namespace imago::io
