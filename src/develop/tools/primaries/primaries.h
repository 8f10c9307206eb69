// primaries: from the working space's primaries to the output's.
//
//   out = M in,   every row of M sums to 1 (white stays white), written with differences so that greys stay exactly
//   grey
//
// Display-linear Rec.2020 in, linear RGB of the output space out; colours that it lacks get channels below 0 or above
// 1, which gamut takes care of. Mirror: 2e-7 of the largest channel.
#pragma once

#include "color/matrix.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

struct PrimariesParams {
  std::uint32_t enabled = 0;
  float red_from_green = 0, red_from_blue = 0;
  float green_from_red = 0, green_from_blue = 0;
  float blue_from_red = 0, blue_from_green = 0;
};
inline constexpr Param primaries_params[] = {
    IMAGO_PARAM(PrimariesParams, enabled),         IMAGO_PARAM(PrimariesParams, red_from_green),
    IMAGO_PARAM(PrimariesParams, red_from_blue),   IMAGO_PARAM(PrimariesParams, green_from_red),
    IMAGO_PARAM(PrimariesParams, green_from_blue), IMAGO_PARAM(PrimariesParams, blue_from_red),
    IMAGO_PARAM(PrimariesParams, blue_from_green)};
static_assert(covers<PrimariesParams>(primaries_params));

PrimariesParams derive_primaries(const color::Primaries& output);

inline Rgb primaries(const PrimariesParams& p, Rgb v, const Pixel&) {
  return {v.r + p.red_from_green * (v.g - v.r) + p.red_from_blue * (v.b - v.r),
          v.g + p.green_from_red * (v.r - v.g) + p.green_from_blue * (v.b - v.g),
          v.b + p.blue_from_red * (v.r - v.b) + p.blue_from_green * (v.g - v.b)};
}

}  // namespace imago::develop
