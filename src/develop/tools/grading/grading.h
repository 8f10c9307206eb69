// grading: a hue and a lightness for shadows, midtones and highlights, and for all of them.
//
//   s = 1 - step(L - (0.35 - 0.2 balance)),  h = step(L - (0.68 - 0.2 balance)),  m = 1 - s - h
//   step: smooth_step, its width 0.3 + 0.6 blending (0 … 1)
//   room = smooth_step(4 L) smooth_step(8 (1 - L))                          black and white stay what they are
//   out = (L + L (1 - L) * sum share_i luminance_i,  (a, b) + room * sum share_i tint_i)
//
// The three shares are not negative and sum to 1. Tints are vectors in OkLab of the hues that sRGB's colour wheel has,
// 0.09 long at saturation 100. Lightness rises everywhere with L, whatever the sliders say: no two tones swap.
// OkLab (lightness, a, b) in and out. Mirror: cubics, 1e-6.
#pragma once

#include "develop/settings/grading.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

struct GradingParams {
  std::uint32_t enabled = 0;
  float shadows_end = 0;       // lightness where the step of the shadows starts
  float highlights_start = 0;  // and that of the highlights
  float inverse_width = 1;
  // shadows, midtones, highlights, all
  alignas(16) float tint_a[4] = {};
  alignas(16) float tint_b[4] = {};
  alignas(16) float light[4] = {};
};
inline constexpr Param grading_params[] = {IMAGO_PARAM(GradingParams, enabled),
                                           IMAGO_PARAM(GradingParams, shadows_end),
                                           IMAGO_PARAM(GradingParams, highlights_start),
                                           IMAGO_PARAM(GradingParams, inverse_width),
                                           IMAGO_PARAM(GradingParams, tint_a),
                                           IMAGO_PARAM(GradingParams, tint_b),
                                           IMAGO_PARAM(GradingParams, light)};
static_assert(covers<GradingParams>(grading_params));

GradingParams derive_grading(const Grading& settings);

inline float grading_sum(const float (&values)[4], float shadows, float midtones, float highlights) {
  return values[0] * shadows + values[1] * midtones + values[2] * highlights + values[3];
}

inline Rgb grading(const GradingParams& p, Rgb lab, const Pixel&) {
  const float shadows = 1.0f - smooth_step((lab.r - p.shadows_end) * p.inverse_width);
  const float highlights = smooth_step((lab.r - p.highlights_start) * p.inverse_width);
  const float midtones = 1.0f - shadows - highlights;
  const float inside = unit(lab.r);
  const float room = smooth_step(4.0f * inside) * smooth_step(8.0f * (1.0f - inside));
  const float light = inside * (1.0f - inside) * grading_sum(p.light, shadows, midtones, highlights);
  return {lab.r + light, lab.g + room * grading_sum(p.tint_a, shadows, midtones, highlights),
          lab.b + room * grading_sum(p.tint_b, shadows, midtones, highlights)};
}

}  // namespace imago::develop
