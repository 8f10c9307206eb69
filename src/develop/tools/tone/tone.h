// tone: highlights and shadows. Brightens or darkens areas by how light they are, and leaves what lies within an area
// alone: the amount follows the base layer (planes.h), so edges get no halos and texture keeps its contrast.
//
//   e     = base_log2 + exposure - log2(0.18)          stops from mid-grey, as exposed
//   stops = shadows * 2.0 * S(e) + highlights * 1.6 * H(e)
//   out   = in * 2^stops
//   S: a hill, 0 above +0.5 and below -11 stops, 1 from -5 to -4.5: blacks keep their depth
//   H: 0 below -0.5, 1 above +3.5 stops
//
// Scene-linear Rec.2020 in and out. e + stops rises with e at every setting (slope >= 0.2), so no tones swap. The base
// is taken before exposure and shifted here: exposure drags rebuild no plane. At 0 / 0 the bits are kept. A base that
// is not a number counts as deep black. Mirror: cubics and poly_exp2, 1e-6 relative.
#pragma once

#include "base/math.h"
#include "develop/settings/tone.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

struct ToneParams {
  std::uint32_t enabled = 0;
  float offset = 0;      // global exposure - log2(0.18), stops
  float shadows = 0;     // stops at full weight
  float highlights = 0;  // stops at full weight
};
inline constexpr Param tone_params[] = {IMAGO_PARAM(ToneParams, enabled), IMAGO_PARAM(ToneParams, offset),
                                        IMAGO_PARAM(ToneParams, shadows), IMAGO_PARAM(ToneParams, highlights)};
static_assert(covers<ToneParams>(tone_params));

ToneParams derive_tone(const Tone& settings, float exposure_ev);

// Stops that an area e stops from mid-grey is moved by.
inline float tone_stops(const ToneParams& p, float e) {
  const float hill = smooth_step((0.5f - e) * 0.2f) * smooth_step((e + 11.0f) * 0.16666667f);
  const float rise = smooth_step((e + 0.5f) * 0.25f);
  return p.shadows * hill + p.highlights * rise;
}

inline Rgb tone(const ToneParams& p, Rgb v, const Pixel& at) {
  const float gain = poly_exp2(tone_stops(p, at.base_log2 + at.local_ev + p.offset));
  return {v.r * gain, v.g * gain, v.b * gain};
}

}  // namespace imago::develop
