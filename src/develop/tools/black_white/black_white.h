// black_white: a picture in greys, as if through a coloured filter that eight bands of hue describe (bands.h).
//
//   out = (L (1 + 0.35 * mix * colourfulness), 0, 0),   mix = the bands' values at the pixel's hue, -1 … 1
//
// With all bands at 0 a colour becomes the grey of its OkLab lightness. OkLab (lightness, a, b) in and out. Greys keep
// their bits. Mirror: bands, 1e-6.
#pragma once

#include "develop/settings/black_white.h"
#include "develop/tools/bands/bands.h"
#include "develop/tools/params.h"

namespace imago::develop {

struct BlackWhiteParams {
  std::uint32_t enabled = 0;
  float red = 0;  // share of lightness
  alignas(16) float next[band_count] = {};
};
inline constexpr Param black_white_params[] = {IMAGO_PARAM(BlackWhiteParams, enabled),
                                               IMAGO_PARAM(BlackWhiteParams, red), IMAGO_PARAM(BlackWhiteParams, next)};
static_assert(covers<BlackWhiteParams>(black_white_params));

BlackWhiteParams derive_black_white(const BlackWhite& settings);

inline Rgb black_white(const BlackWhiteParams& p, Rgb lab, const Pixel&) {
  const float mix = band_value(p.red, p.next, band_steps(lab.g, lab.b));
  return {lab.r * (1.0f + mix * colourfulness(lab.g, lab.b)), 0.0f, 0.0f};
}

}  // namespace imago::develop
