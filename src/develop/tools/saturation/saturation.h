// saturation: stronger or weaker colours, and vibrance, which leaves strong colours and skin alone.
//
//   C   = sqrt(a^2 + b^2)                                              chroma in OkLab
//   out = (L, a g, b g),   g = (1 + saturation) (1 + vibrance * muted * (1 - 0.7 skin))
//   muted = 1 / (1 + (C / 0.12)^2),   skin = smooth_step of cos(hue - 52 deg) from cos 38 deg to cos 8 deg
//
// Lightness and hue stay. At -100 saturation is grey, at +100 chroma doubles; vibrance at -100 takes muted colours to
// grey and leaves the strongest about as they are. C g rises with C at every setting: no two colours swap. A colour
// that leaves the output's gamut is brought back by gamut at its own hue. OkLab (lightness, a, b) in and out. Greys
// stay. Mirror: a root and divisions, 1e-6.
#pragma once

#include <cmath>

#include "develop/settings/saturation.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

struct SaturationParams {
  std::uint32_t enabled = 0;
  float gain = 1;
  float vibrance = 0;  // -1 … 1
};
inline constexpr Param saturation_params[] = {IMAGO_PARAM(SaturationParams, enabled),
                                              IMAGO_PARAM(SaturationParams, gain),
                                              IMAGO_PARAM(SaturationParams, vibrance)};
static_assert(covers<SaturationParams>(saturation_params));

SaturationParams derive_saturation(const Saturation& settings);

// How much of vibrance a colour gets.
inline float vibrance_share(float a, float b) {
  const float square = a * a + b * b;
  const float muted = 1.0f / (1.0f + 69.44444f * square);
  const float along = (0.61566148f * a + 0.78801075f * b) / larger(std::sqrt(square), 1e-12f);  // cos(hue - 52 deg)
  const float skin = smooth_step((along - 0.78801075f) * 4.944197f);
  return muted * (1.0f - 0.7f * skin);
}

inline Rgb saturation(const SaturationParams& p, Rgb lab, const Pixel&) {
  const float gain = p.gain * (1.0f + p.vibrance * vibrance_share(lab.g, lab.b));
  return {lab.r, lab.g * gain, lab.b * gain};
}

}  // namespace imago::develop
