// hsl: hue, saturation and luminance of eight bands of hue (bands.h).
//
//   h, s, l = the bands' values at the pixel's hue, -1 … 1
//   (a', b') = (a, b) turned by 30 deg * h, times (1 + s)
//   out      = (L, a', b') * (1 + 0.25 * l * colourfulness)        1 + 0.25: about one stop of light
//
// Luminance scales all three, which is a gain on light: colours keep their saturation. Opposite hue sliders on
// neighbouring bands can make hues between them swap; nothing else does.
// OkLab (lightness, a, b) in and out. Greys keep their bits. Mirror: bands and two polynomials, 2e-6.
#pragma once

#include "develop/settings/hsl.h"
#include "develop/tools/bands/bands.h"
#include "develop/tools/params.h"

namespace imago::develop {

struct HslParams {
  std::uint32_t enabled = 0;
  float hue_red = 0;         // radians
  float saturation_red = 0;  // -1 … 1
  float luminance_red = 0;   // share of lightness
  alignas(16) float hue_next[band_count] = {};
  alignas(16) float saturation_next[band_count] = {};
  alignas(16) float luminance_next[band_count] = {};
};
inline constexpr Param hsl_params[] = {IMAGO_PARAM(HslParams, enabled),        IMAGO_PARAM(HslParams, hue_red),
                                       IMAGO_PARAM(HslParams, saturation_red), IMAGO_PARAM(HslParams, luminance_red),
                                       IMAGO_PARAM(HslParams, hue_next),       IMAGO_PARAM(HslParams, saturation_next),
                                       IMAGO_PARAM(HslParams, luminance_next)};
static_assert(covers<HslParams>(hsl_params));

HslParams derive_hsl(const Hsl& settings);

inline Rgb hsl(const HslParams& p, Rgb lab, const Pixel&) {
  const BandSteps steps = band_steps(lab.g, lab.b);
  const float turn = band_value(p.hue_red, p.hue_next, steps);
  const float saturation = band_value(p.saturation_red, p.saturation_next, steps);
  const float luminance = band_value(p.luminance_red, p.luminance_next, steps);
  // Sine and cosine of 30 degrees at most: 2e-6.
  const float t2 = turn * turn;
  const float sine = turn * (1.0f + t2 * (0.008333334f * t2 - 0.16666667f));
  const float cosine = 1.0f + t2 * (t2 * (0.041666668f - 0.0013888889f * t2) - 0.5f);
  const float light = 1.0f + luminance * colourfulness(lab.g, lab.b);
  const float colour = light * (1.0f + saturation);
  return {lab.r * light, (lab.g * cosine - lab.b * sine) * colour, (lab.b * cosine + lab.g * sine) * colour};
}

}  // namespace imago::develop
