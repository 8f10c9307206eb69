// profile_tone: the tone curve of a camera profile, in place of the display curve.
//
//   high and low of linear ProPhoto go through the curve, the channel between keeps its place between them
//
// so that hue in the sense of HSV stays (the way of the DNG specification 1.7.1, chapter 6, ProfileToneCurve). The
// curve is a monotone cubic through the profile's points, 4096 samples evenly spaced in the square root of light.
// Scene-linear Rec.2020 in, display-linear out; light above 1 is white. Mirror: 2e-6 of the largest channel.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "develop/tools/look_table/prophoto.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

inline constexpr int profile_tone_samples = 4096;

struct ProfileToneParams {
  std::uint32_t enabled = 0;
  std::uint32_t start = 0;  // of the samples in the table of curves
};
inline constexpr Param profile_tone_params[] = {IMAGO_PARAM(ProfileToneParams, enabled),
                                                IMAGO_PARAM(ProfileToneParams, start)};
static_assert(covers<ProfileToneParams>(profile_tone_params));

// Appends the samples to `table`. Off, and nothing appended, for fewer than two points (x, y), 0 … 1.
ProfileToneParams derive_profile_tone(const std::vector<std::array<float, 2>>& points, std::vector<float>& table);

inline float profile_tone_value(const float* table, float light) {
  const float place = std::sqrt(unit(light)) * 4095.0f;
  const std::int32_t whole = static_cast<std::int32_t>(place);
  const std::int32_t index = whole < 4094 ? whole : 4094;
  const float low = table[index];
  const float high = table[index + 1];
  return low + (place - static_cast<float>(index)) * (high - low);
}

inline Rgb profile_tone(const ProfileToneParams& p, Rgb v, const Pixel& at) {
  const Rgb wide = prophoto_from_working(v);
  const Rgb x = {unit(wide.r), unit(wide.g), unit(wide.b)};
  const float high = larger(x.r, larger(x.g, x.b));
  const float low = smaller(x.r, smaller(x.g, x.b));
  const float* const table = at.curve_table + p.start;
  const float new_high = profile_tone_value(table, high);
  const float new_low = profile_tone_value(table, low);
  const float divisor = high > low ? high - low : 1.0f;
  const float slope = (new_high - new_low) / divisor;
  return working_from_prophoto(
      {new_low + (x.r - low) * slope, new_low + (x.g - low) * slope, new_low + (x.b - low) * slope});
}

}  // namespace imago::develop
