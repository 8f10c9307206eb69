// Transfer curves between linear light and encoded values, one shape for all of them: straight below a threshold, a
// power above.
//
//   encoded = linear < threshold ? linear * slope : scale * linear^exponent - offset
//
// Mirror: poly_pow, 1e-6 relative.
#pragma once

#include "base/math.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

struct Transfer {
  float slope, threshold, scale, exponent, offset;
};

inline constexpr Transfer linear_transfer{1, 2, 1, 1, 0};
inline constexpr Transfer srgb_transfer{12.92f, 0.0031308f, 1.055f, 1 / 2.4f, 0.055f};           // IEC 61966-2-1
inline constexpr Transfer adobe_rgb_transfer{0, 0, 1, 256 / 563.0f, 0};                          // gamma 2.19921875
inline constexpr Transfer rec2020_transfer{4.5f, 0.018053969f, 1.0992968f, 0.45f, 0.09929683f};  // ITU-R BT.2020
inline constexpr Transfer prophoto_transfer{16, 0.001953125f, 1, 1 / 1.8f, 0};                   // ROMM RGB

// linear in 0 … 1.
inline float encoded_from_linear(float slope, float threshold, float scale, float exponent, float offset,
                                 float linear) {
  const float straight = linear * slope;
  const float power = scale * poly_pow(linear, exponent) - offset;
  return linear < threshold ? straight : power;
}

inline float srgb_encoded_from_linear(float linear) {
  constexpr Transfer t = srgb_transfer;
  return encoded_from_linear(t.slope, t.threshold, t.scale, t.exponent, t.offset, linear);
}

// encoded in 0 … 1.
inline float linear_from_srgb_encoded(float encoded) {
  const float straight = encoded * 0.07739938f;
  const float power = poly_pow((encoded + 0.055f) * 0.94786733f, 2.4f);
  return encoded < 0.040449936f ? straight : power;
}

}  // namespace imago::develop
