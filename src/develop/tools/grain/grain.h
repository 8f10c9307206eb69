// grain: noise as of film.
//
//   n   = noise(u) + roughness noise(2.3 u),   u = place in the full frame / size of a grain (16 bits of fraction)
//   out = in * 2^(amount n (1 - Y))
//
// noise: a random value in -1 … 1 at each whole (x, y), smooth_step between the four around a place. The places are
// those of the full-size frame, whatever the zoom, window or tile: the same grains lie on the same things. Where an
// output pixel is larger than a grain the grains average out: amount is divided by sqrt(1 + (pixel / grain)^2).
// The factor is one for all channels, so colours and greys stay what they are; it fades towards white, which stays,
// and black stays.
// Display-linear Rec.2020 in and out. At 0 bits are kept. Mirror: integers for places and random values, then cubics
// and poly_exp2: 2e-6 relative.
#pragma once

#include "base/math.h"
#include "develop/settings/grain.h"
#include "develop/tools/dither/dither.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

struct GrainParams {
  std::uint32_t enabled = 0;
  std::uint32_t seed = 0;
  float amount = 0;  // stops
  float roughness = 0;
  // Half a pixel of the output in grains, times 65536; and in the grains of the roughness.
  std::uint32_t half_step = 0;
  std::uint32_t rough_half_step = 0;
};
inline constexpr Param grain_params[] = {
    IMAGO_PARAM(GrainParams, enabled),   IMAGO_PARAM(GrainParams, seed),
    IMAGO_PARAM(GrainParams, amount),    IMAGO_PARAM(GrainParams, roughness),
    IMAGO_PARAM(GrainParams, half_step), IMAGO_PARAM(GrainParams, rough_half_step)};
static_assert(covers<GrainParams>(grain_params));

// frame_pixels: of the full frame, per pixel of the output.
GrainParams derive_grain(const Grain& settings, float frame_pixels);

inline float grain_value(std::uint32_t x, std::uint32_t y, std::uint32_t seed) {
  return static_cast<float>(static_cast<std::int32_t>(pixel_hash(x, y, seed) >> 16u)) * 0x1p-15f - 1.0f;
}

// Places as whole grains in the upper 16 bits and a fraction in the lower ones; beyond 65535 grains they start again.
inline float grain_noise(std::uint32_t x, std::uint32_t y, std::uint32_t seed) {
  const std::uint32_t ix = x >> 16u;
  const std::uint32_t iy = y >> 16u;
  const float fx = smooth_step(static_cast<float>(static_cast<std::int32_t>(x & 0xffffu)) * 0x1p-16f);
  const float fy = smooth_step(static_cast<float>(static_cast<std::int32_t>(y & 0xffffu)) * 0x1p-16f);
  const float a = grain_value(ix, iy, seed);
  const float b = grain_value(ix + 1u, iy, seed);
  const float c = grain_value(ix, iy + 1u, seed);
  const float d = grain_value(ix + 1u, iy + 1u, seed);
  const float above = a + fx * (b - a);
  const float below = c + fx * (d - c);
  return above + fy * (below - above);
}

inline Rgb grain(const GrainParams& p, Rgb v, const Pixel& at) {
  const std::uint32_t x = 2u * at.x + 1u;
  const std::uint32_t y = 2u * at.y + 1u;
  const float noise = grain_noise(x * p.half_step, y * p.half_step, p.seed) +
                      p.roughness * grain_noise(x * p.rough_half_step, y * p.rough_half_step, p.seed + 1u);
  const float gain = poly_exp2(p.amount * noise * (1.0f - unit(working_luminance(v))));
  return {v.r * gain, v.g * gain, v.b * gain};
}

}  // namespace imago::develop
