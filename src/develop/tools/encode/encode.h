// encode: linear light of the output space to encoded values.
//
//   out = transfer(clamp(in, 0, 1))
//
// Output-linear in, encoded 0 … 1 out; NaN becomes 0. 0 stays 0 and 1 stays 1. Mirror: poly_pow, 1e-6 relative.
#pragma once

#include "develop/tools/encode/transfer.h"
#include "develop/tools/params.h"

namespace imago::develop {

struct EncodeParams {
  std::uint32_t enabled = 1;
  float slope = 1;
  float threshold = 2;
  float scale = 1;
  float exponent = 1;
  float offset = 0;
};
inline constexpr Param encode_params[] = {IMAGO_PARAM(EncodeParams, enabled),   IMAGO_PARAM(EncodeParams, slope),
                                          IMAGO_PARAM(EncodeParams, threshold), IMAGO_PARAM(EncodeParams, scale),
                                          IMAGO_PARAM(EncodeParams, exponent),  IMAGO_PARAM(EncodeParams, offset)};
static_assert(covers<EncodeParams>(encode_params));

EncodeParams derive_encode(const Transfer& transfer);

inline float encode_channel(const EncodeParams& p, float linear) {
  return unit(encoded_from_linear(p.slope, p.threshold, p.scale, p.exponent, p.offset, unit(linear)));
}

inline Rgb encode(const EncodeParams& p, Rgb v, const Pixel&) {
  return {encode_channel(p, v.r), encode_channel(p, v.g), encode_channel(p, v.b)};
}

}  // namespace imago::develop
