// display: scene light to display light, the photographic tone curve. Straight through the middle with a little
// contrast, a toe that keeps blacks deep, a long shoulder into white.
//
//   f(x) = x^c / sqrt(x^2c + k),   k = g^2c (1 / m^2 - 1), so that f(g) = m
//
// g = 0.18 is the scene's mid-grey, m the display light it gets, c the slope of the toe in log-log. f rises
// everywhere, is smooth, and reaches 1 only in the limit. (A log-logistic curve with its shoulder sharpened by a
// square, so that one power and one root do.)
//
// Each channel goes through f: light colours fade to white as film and eyes have it, but hue drifts (orange to yellow,
// blue to cyan). The drift is partly undone: with the same largest and smallest channel, the middle one is moved
// `hue_keep` of the way to where it keeps its relative place, i.e. the hue of HSV.
//
// Scene-linear Rec.2020 in, any value; display-linear Rec.2020 in 0 … 1 out. Negative channels (colours beyond
// Rec.2020, mostly blue lamps through a camera's matrix) count as 0: drawing such a colour toward grey instead would
// lift its other channels and turn blue to violet. Greys stay exactly grey. Mirror: poly_pow and a root, 2e-6 relative.
#pragma once

#include <cmath>

#include "base/math.h"
#include "develop/settings/look.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

struct DisplayParams {
  std::uint32_t enabled = 0;
  float contrast = 1;   // c
  float grey_term = 1;  // k
  float hue_keep = 0;   // 0 … 1
};
inline constexpr Param display_params[] = {IMAGO_PARAM(DisplayParams, enabled), IMAGO_PARAM(DisplayParams, contrast),
                                           IMAGO_PARAM(DisplayParams, grey_term), IMAGO_PARAM(DisplayParams, hue_keep)};
static_assert(covers<DisplayParams>(display_params));

inline constexpr double scene_grey = 0.18;
inline constexpr double display_grey = 0.33;

DisplayParams derive_display(DisplayCurve curve);

inline float display_curve(const DisplayParams& p, float x) {
  const float power = poly_pow(x, p.contrast);
  return power / std::sqrt(power * power + p.grey_term);
}

inline Rgb display(const DisplayParams& p, Rgb v, const Pixel&) {
  const Rgb x = {larger(v.r, 0.0f), larger(v.g, 0.0f), larger(v.b, 0.0f)};
  const Rgb f = {display_curve(p, x.r), display_curve(p, x.g), display_curve(p, x.b)};

  const float x_high = larger(larger(x.r, x.g), x.b);
  const float x_low = smaller(smaller(x.r, x.g), x.b);
  const float f_high = larger(larger(f.r, f.g), f.b);
  const float f_low = smaller(smaller(f.r, f.g), f.b);
  const float scale = (f_high - f_low) / larger(x_high - x_low, 1e-20f);
  const Rgb kept = {f_low + (x.r - x_low) * scale, f_low + (x.g - x_low) * scale, f_low + (x.b - x_low) * scale};
  return {f.r + p.hue_keep * (kept.r - f.r), f.g + p.hue_keep * (kept.g - f.g), f.b + p.hue_keep * (kept.b - f.b)};
}

}  // namespace imago::develop
