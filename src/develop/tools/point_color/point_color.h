// point_color: up to eight colours picked in the picture, each with what happens to colours like it.
//
//   w    = hue w * chroma w * lightness w * colourfulness        of each sample, from the colour as it comes in
//   turn = sum w hue_shift * 30 deg,   s = sum w saturation_shift,   l = sum w luminance_shift * 0.25
//   out  = ((L, a, b) + sum w variance (L - L_i, a - a_i, b - b_i)) turned, times (1 + l), chroma times (1 + s)
//
// Each w is 1 up to half its range and falls smoothly to 0 at its end: hue 6 to 60 degrees, chroma 0.03 to 0.3,
// lightness 0.1 to 1. At variance -100 colours in the middle of the range become the sample's. Samples do not depend on
// their order. s and l of overlapping samples stop at -1 and +1. With `show` a sample's range keeps its colour and all
// else turns grey: the overlay.
// OkLab (lightness, a, b) in and out. Greys keep their bits. Mirror: a root, quotients, cubics, 4e-6.
#pragma once

#include <cmath>

#include "develop/settings/point_color.h"
#include "develop/tools/bands/bands.h"
#include "develop/tools/params.h"

namespace imago::develop {

inline constexpr int most_point_colors = 8;

struct PointColorParams {
  std::uint32_t enabled = 0;
  std::uint32_t count = 0;
  std::uint32_t show = 0;  // 1 … count: the sample whose range is shown
  // Of sample i at [4 i]: cosine and sine of its hue, chroma, lightness;
  alignas(16) float color[4 * most_point_colors] = {};
  // cosine of the end of its hue range, 1 / (cosine of its middle - that), 2 / range of chroma, of lightness;
  alignas(16) float range[4 * most_point_colors] = {};
  // turn in radians, saturation, luminance, variance.
  alignas(16) float shift[4 * most_point_colors] = {};
};
inline constexpr Param point_color_params[] = {
    IMAGO_PARAM(PointColorParams, enabled), IMAGO_PARAM(PointColorParams, count), IMAGO_PARAM(PointColorParams, show),
    IMAGO_PARAM(PointColorParams, color),   IMAGO_PARAM(PointColorParams, range), IMAGO_PARAM(PointColorParams, shift)};
static_assert(covers<PointColorParams>(point_color_params));

// show: the sample whose range is to be seen, -1 for none.
PointColorParams derive_point_color(const PointColor& settings, int show = -1);

inline float point_color_weight(const float* color, const float* range, Rgb lab, float chroma) {
  const float along = (lab.g * color[0] + lab.b * color[1]) / larger(chroma, 1e-12f);
  const float hue = smooth_step((along - range[0]) * range[1]);
  const float from_chroma = chroma - color[2];
  const float from_lightness = lab.r - color[3];
  const float in_chroma = smooth_step(2.0f - (from_chroma < 0.0f ? -from_chroma : from_chroma) * range[2]);
  const float in_lightness = smooth_step(2.0f - (from_lightness < 0.0f ? -from_lightness : from_lightness) * range[3]);
  return hue * in_chroma * in_lightness * colourfulness(lab.g, lab.b);
}

inline Rgb point_color(const PointColorParams& p, Rgb lab, const Pixel&) {
  const float chroma = std::sqrt(lab.g * lab.g + lab.b * lab.b);
  float turn = 0.0f, saturation = 0.0f, luminance = 0.0f, shown = 1.0f;
  Rgb v = lab;
  for (std::uint32_t i = 0; i < p.count; ++i) {
    const float* color = p.color + 4 * i;
    const float* shift = p.shift + 4 * i;
    const float weight = point_color_weight(color, p.range + 4 * i, lab, chroma);
    turn = turn + weight * shift[0];
    saturation = saturation + weight * shift[1];
    luminance = luminance + weight * shift[2];
    const float apart = weight * shift[3];
    v.r = v.r + apart * (lab.r - color[3]);
    v.g = v.g + apart * (lab.g - color[2] * color[0]);
    v.b = v.b + apart * (lab.b - color[2] * color[1]);
    shown = p.show == i + 1u ? weight : shown;
  }
  turn = smaller(larger(turn, -1.0f), 1.0f);
  const float t2 = turn * turn;
  const float sine = turn * (1.0f + t2 * (t2 * (0.008333334f - 0.0001984127f * t2) - 0.16666667f));
  const float cosine = 1.0f + t2 * (t2 * (0.041666668f - 0.0013888889f * t2) - 0.5f);
  const float light = 1.0f + 0.25f * smaller(larger(luminance, -1.0f), 1.0f);
  const float strength = light * (1.0f + smaller(larger(saturation, -1.0f), 1.0f)) * shown;
  return {v.r * light, (v.g * cosine - v.b * sine) * strength, (v.b * cosine + v.g * sine) * strength};
}

}  // namespace imago::develop
