// dither: which way a value between two codes goes.
//
//   code = floor(encoded * most + u),   u = 1/2 without dither (halves go up), else evenly spread over 0 … 1
//
// u is a hash of the pixel's place in the full frame and a seed, one for all three channels: windows, bands and
// threads change nothing, the mean over an area is the value itself, values that are a code stay that code (black,
// white), greys stay grey.
// Mirror: integers, and two roundings that agree unless `encoded` differs.
#pragma once

#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

struct DitherParams {
  std::uint32_t enabled = 0;
  std::uint32_t seed = 0;
};
inline constexpr Param dither_params[] = {IMAGO_PARAM(DitherParams, enabled), IMAGO_PARAM(DitherParams, seed)};
static_assert(covers<DitherParams>(dither_params));

// The two multipliers are those of Chris Wellons' integer hash "lowbias32"; the row enters between its rounds.
inline std::uint32_t pixel_hash(std::uint32_t x, std::uint32_t y, std::uint32_t seed) {
  std::uint32_t h = x + seed * 0x9e3779b9u;
  h ^= h >> 16u;
  h *= 0x7feb352du;
  h += y * 0x85ebca6bu;
  h ^= h >> 15u;
  h *= 0x846ca68bu;
  return h ^ (h >> 16u);
}

// 16 bits of it: with 255 codes the sum below is then exact and never reaches the next code.
inline float dither(const DitherParams& p, std::uint32_t x, std::uint32_t y) {
  const float u = static_cast<float>(static_cast<std::int32_t>(pixel_hash(x, y, p.seed) >> 16u)) * 0x1p-16f;
  return p.enabled != 0 ? u : 0.5f;
}

// encoded in 0 … 1.
inline std::int32_t quantise(float encoded, float most, float u) {
  return static_cast<std::int32_t>(smaller(encoded * most + u, most));
}

}  // namespace imago::develop
