// Settings read off the picture: tone, and the white that makes a place neutral.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "develop/photo.h"

namespace imago::develop {

// Log2 luminance of a picture in eighths of a stop, -16 … +8, from up to about 250 000 pixels on a grid. Counts only,
// so threads and order change nothing.
struct ToneStatistics {
  std::array<std::uint32_t, 192> counts{};
  std::uint32_t total = 0;
  double percentile(double share) const;                         // stops; share 0 … 1
  double mean_stops(double low_share, double high_share) const;  // of what lies between two percentiles
};
ToneStatistics tone_statistics(const Photo& photo, const WhiteBalance& white_balance);

// Exposure and tone for the photo, all else as it was: mid-tones to a middle value, highlights back, shadows up,
// contrast where the picture is flat. Looks at the source alone, so asking twice gives the same.
Settings auto_tone(const Photo& photo, Settings settings);

// Lights as cameras and Lightroom name them.
struct WhiteBalancePreset {
  std::string_view name;
  WhiteBalance settings;
};
inline constexpr WhiteBalancePreset white_balance_presets[] = {{"daylight", {5500, 10}},    {"cloudy", {6500, 10}},
                                                               {"shade", {7500, 10}},       {"tungsten", {2850, 0}},
                                                               {"fluorescent", {3800, 21}}, {"flash", {5500, 0}}};

// "as_shot" and the names above. Throws Error{usage} with the names.
WhiteBalance white_balance_preset(std::string_view name);

// The white balance under which the pixels about a place of the sensor frame (fractions of its size) are grey; the mean
// of 5 x 5 pixels. Throws Error{usage} for a place that is black, burnt or outside, and for pictures without colour.
WhiteBalance pick_white_balance(const Photo& photo, double x, double y);

}  // namespace imago::develop
