// contrast: contrast about mid-grey, whites and blacks; the tone sliders that look at the pixel alone.
//
//   e   = log2(Y / 0.18)                                stops from mid-grey, Y the luminance
//   e'  = e + whites * 1.0 * W(e) + blacks * 2.5 * B(e)
//   e'' = e' + k e' / sqrt(1 + (e' / 3.5)^2)            k = 0.5 * contrast (+), 0.4 * contrast (-)
//   out = in * 2^(e'' - e)
//   W: 0 below -0.5, 1 above +4 stops;   B: 1 below -7, 0 above -1 stops
//
// Around mid-grey contrast stretches stops by 1 + k; at the ends it moves them by 3.5 k at most, so that deep blacks
// and highlights keep their own contrast. Each of the two steps rises with e at every setting, so no tones swap;
// mid-grey stays where it is. All channels get one factor: hue and saturation of the light are kept. Scene-linear
// Rec.2020 in and out. At 0 / 0 / 0 the bits are kept. A luminance of 0 and below counts as deep black. Mirror:
// poly_log2, poly_exp2 and a root, 2e-6 relative.
#pragma once

#include <cmath>

#include "base/math.h"
#include "develop/settings/tone.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

struct ContrastParams {
  std::uint32_t enabled = 0;
  float whites = 0;    // stops at full weight
  float blacks = 0;    // stops at full weight
  float contrast = 0;  // k
};
inline constexpr Param contrast_params[] = {IMAGO_PARAM(ContrastParams, enabled), IMAGO_PARAM(ContrastParams, whites),
                                            IMAGO_PARAM(ContrastParams, blacks), IMAGO_PARAM(ContrastParams, contrast)};
static_assert(covers<ContrastParams>(contrast_params));

ContrastParams derive_contrast(const Tone& settings);

// Where a pixel e stops from mid-grey goes.
inline float contrast_stops(const ContrastParams& p, float e) {
  const float white = smooth_step((e + 0.5f) * 0.22222222f);
  const float black = smooth_step((-1.0f - e) * 0.16666667f);
  const float ends = e + p.whites * white + p.blacks * black;
  const float reach = ends * 0.2857143f;
  return ends + p.contrast * (ends / std::sqrt(1.0f + reach * reach));
}

inline Rgb contrast(const ContrastParams& p, Rgb v, const Pixel&) {
  const float e = poly_log2(working_luminance(v)) + 2.4739313f;
  const float gain = poly_exp2(contrast_stops(p, e) - e);
  return {v.r * gain, v.g * gain, v.b * gain};
}

}  // namespace imago::develop
