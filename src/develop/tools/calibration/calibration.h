// calibration: what the camera calls red, green and blue, and the colour of its shadows.
//
//   t   = 0.15 tint (1 - smooth_step(4 Y)):   red and blue times 1 + t/2, green times 1 - t/2
//   out = M in,   M from the working space with its primaries moved back to the working space; every row sums to 1
//
// Y is the luminance of Rec.2020. A primary's hue turns about white by 15 degrees at 100 on the chromaticity diagram,
// its distance from white changes by 30 %. The three are moved at once, so white and all greys stay. Written with
// differences: greys keep their bits unless tinted.
// Display-linear Rec.2020 in and out; results may leave 0 … 1. Mirror: a cubic and products, 1e-6.
#pragma once

#include "develop/settings/calibration.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

struct CalibrationParams {
  std::uint32_t enabled = 0;
  float shadow_tint = 0;
  float red_from_green = 0, red_from_blue = 0;
  float green_from_red = 0, green_from_blue = 0;
  float blue_from_red = 0, blue_from_green = 0;
};
inline constexpr Param calibration_params[] = {
    IMAGO_PARAM(CalibrationParams, enabled),        IMAGO_PARAM(CalibrationParams, shadow_tint),
    IMAGO_PARAM(CalibrationParams, red_from_green), IMAGO_PARAM(CalibrationParams, red_from_blue),
    IMAGO_PARAM(CalibrationParams, green_from_red), IMAGO_PARAM(CalibrationParams, green_from_blue),
    IMAGO_PARAM(CalibrationParams, blue_from_red),  IMAGO_PARAM(CalibrationParams, blue_from_green)};
static_assert(covers<CalibrationParams>(calibration_params));

CalibrationParams derive_calibration(const Calibration& settings);

inline Rgb calibration(const CalibrationParams& p, Rgb v, const Pixel&) {
  const float tint = p.shadow_tint * (1.0f - smooth_step(4.0f * working_luminance(v)));
  const float r = v.r + v.r * (0.5f * tint);
  const float g = v.g - v.g * (0.5f * tint);
  const float b = v.b + v.b * (0.5f * tint);
  return {r + p.red_from_green * (g - r) + p.red_from_blue * (b - r),
          g + p.green_from_red * (r - g) + p.green_from_blue * (b - g),
          b + p.blue_from_red * (r - b) + p.blue_from_green * (g - b)};
}

}  // namespace imago::develop
