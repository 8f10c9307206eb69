// Transfer functions between linear light and encoded values, both 0 … 1 for black to white. `encode_x` and `decode_x`
// are for pixel loops (poly_pow, about 1e-6; twins in transfer.wgsl); `encode` and `decode` are exact, in double, for
// tables and tests.
//
// Outside 0 … 1: above one the curves go on; below zero sRGB, Rec.709 and ProPhoto continue their linear foot, pure
// powers give 0. NaN comes out as some finite value of at most 0.
#pragma once

#include <cstdint>

#include "base/math.h"

namespace imago::color {

enum class Transfer : std::uint8_t {
  linear,
  srgb,       // IEC 61966-2-1
  rec709,     // ITU-R BT.709 and BT.2020 (10 bit)
  prophoto,   // ROMM RGB: 1.8 with a foot below 1/512
  adobe_rgb,  // 563/256
};

double encode(Transfer transfer, double linear);
double decode(Transfer transfer, double encoded);

inline float encode_srgb(float linear) {
  return linear <= 0.0031308f ? linear * 12.92f : poly_pow(linear, 0.41666666f) * 1.055f - 0.055f;
}

inline float decode_srgb(float encoded) {
  return encoded <= 0.04045f ? encoded * 0.07739938f : poly_pow(encoded * 0.94786733f + 0.052132703f, 2.4f);
}

// The constants that join without a step; BT.2020 gives them to five digits.
inline float encode_rec709(float linear) {
  return linear < 0.018053968f ? linear * 4.5f : poly_pow(linear, 0.45f) * 1.0992968f - 0.09929682f;
}

inline float decode_rec709(float encoded) {
  return encoded < 0.08124286f ? encoded * 0.22222222f : poly_pow(encoded * 0.9096724f + 0.09032757f, 2.2222223f);
}

inline float encode_prophoto(float linear) {
  return linear < 0.001953125f ? linear * 16.0f : poly_pow(linear, 0.5555556f);
}

inline float decode_prophoto(float encoded) { return encoded < 0.03125f ? encoded * 0.0625f : poly_pow(encoded, 1.8f); }

inline float encode_adobe_rgb(float linear) { return poly_pow(linear, 0.4547069f); }

inline float decode_adobe_rgb(float encoded) { return poly_pow(encoded, 2.1992188f); }

}  // namespace imago::color
