// vignette, vignette_colors, vignette_paint: corners darker or brighter than the middle, in one of three styles, each
// at its own place in the order.
//
//   d    = (|x sx|^n + |y sy|^n)^(1/n) / 2^(1/n),   x and y -1 … 1 over the frame; 0 in the middle, 1 in its corners
//   m    = smooth_step((d - start) / width)
//   n    = 2 for roundness >= 0, up to 8 at -100; sx, sy draw x and y together towards a circle for roundness > 0
//   width = 0.04 + 0.96 feather, start = 0.1 + 0.85 midpoint - width / 2
//
//   vignette        (highlight priority, scene-linear)    out = in 2^(stops keep),   stops = 3 amount m
//   vignette_colors (colour priority, display-linear)     darker: out = in 2^(stops keep);
//                                                         brighter: out = in g / (1 + (g - 1) max(in)), g = 2^stops
//   vignette_paint  (paint overlay, display-linear)       darker: out = in (1 - a)^2.2,   a = |amount| m
//                                                         brighter: out = in + (1 - in) a^2.2
//   keep = 1 - highlights smooth_step((Y - 0.18) / 0.82)  (darkening only)
//
// With highlight priority what was burnt comes back while light fades; with colour priority a colour keeps its hue and
// saturation; paint goes to pure black or white in the corners. Greys stay greys. The frame is the cropped picture:
// ViewParams says where a window lies in it. At 0 bits are kept. Mirror: polynomials, 4e-6 relative.
#pragma once

#include <cstdint>

#include "base/math.h"
#include "develop/settings/vignette.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

struct VignetteParams {
  std::uint32_t enabled = 0;
  float amount = 0;  // stops (scene, colours), or -1 … 1 (paint)
  float highlights = 0;
  float exponent = 2;  // n
  float inverse_exponent = 0.5f;
  float scale_x = 1;
  float scale_y = 1;
  float inverse_size = 0.70710678f;  // 2^(-1/n)
  float start = 0;
  float inverse_width = 1;
};
inline constexpr Param vignette_params[] = {IMAGO_PARAM(VignetteParams, enabled),
                                            IMAGO_PARAM(VignetteParams, amount),
                                            IMAGO_PARAM(VignetteParams, highlights),
                                            IMAGO_PARAM(VignetteParams, exponent),
                                            IMAGO_PARAM(VignetteParams, inverse_exponent),
                                            IMAGO_PARAM(VignetteParams, scale_x),
                                            IMAGO_PARAM(VignetteParams, scale_y),
                                            IMAGO_PARAM(VignetteParams, inverse_size),
                                            IMAGO_PARAM(VignetteParams, start),
                                            IMAGO_PARAM(VignetteParams, inverse_width)};
static_assert(covers<VignetteParams>(vignette_params));

// The same numbers under other names: each tool has its own place in the uniform.
struct VignetteColorsParams : VignetteParams {};
struct VignettePaintParams : VignetteParams {};

// aspect: width of the frame over its height. Disabled unless the settings ask for that style.
VignetteParams derive_vignette(const Vignette& settings, VignetteStyle style, double aspect);

inline float vignette_mask(const VignetteParams& p, const Pixel& at) {
  const float x = poly_pow((at.frame_x < 0.0f ? -at.frame_x : at.frame_x) * p.scale_x, p.exponent);
  const float y = poly_pow((at.frame_y < 0.0f ? -at.frame_y : at.frame_y) * p.scale_y, p.exponent);
  const float distance = poly_pow(x + y, p.inverse_exponent) * p.inverse_size;
  return smooth_step((distance - p.start) * p.inverse_width);
}

inline float vignette_keep(const VignetteParams& p, Rgb v) {
  const float keep = 1.0f - p.highlights * smooth_step((working_luminance(v) - 0.18f) * 1.2195122f);
  return p.amount < 0.0f ? keep : 1.0f;
}

inline Rgb vignette(const VignetteParams& p, Rgb v, const Pixel& at) {
  const float gain = poly_exp2(p.amount * vignette_mask(p, at) * vignette_keep(p, v));
  return {v.r * gain, v.g * gain, v.b * gain};
}

inline Rgb vignette_colors(const VignetteColorsParams& p, Rgb v, const Pixel& at) {
  const float gain = poly_exp2(p.amount * vignette_mask(p, at) * vignette_keep(p, v));
  const float brightest = unit(larger(larger(v.r, v.g), v.b));
  const float scale = gain > 1.0f ? gain / (1.0f + (gain - 1.0f) * brightest) : gain;
  return {v.r * scale, v.g * scale, v.b * scale};
}

inline Rgb vignette_paint(const VignettePaintParams& p, Rgb v, const Pixel& at) {
  const float cover = p.amount * vignette_mask(p, at);
  const float dark = poly_pow(1.0f + smaller(cover * vignette_keep(p, v), 0.0f), 2.2f);
  const float white = poly_pow(larger(cover, 0.0f), 2.2f);
  return {v.r * dark + (1.0f - v.r) * white, v.g * dark + (1.0f - v.g) * white, v.b * dark + (1.0f - v.b) * white};
}

}  // namespace imago::develop
