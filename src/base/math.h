// exp2, log2, cube root and power for pixel loops: + - * and bit operations only, written a second time in math.wgsl
// with the same names, constants and operand order. Nothing here calls libm, so the bits do not depend on the C
// library, and a loop over these functions vectorises (no branches, only selects).
//
// Largest errors against double precision, swept by math_test.cpp:
//   poly_exp2   1.3 ulp
//   poly_log2   1.7e-7 relative, also beside x = 1 where the result goes through zero
//   poly_cbrt   1.3e-7 relative
//   poly_pow    (2 + |y log2 x|) * 1.5e-7 relative
//
// What is not a number or not in range: results are always finite. NaN counts as 0, +inf as the largest float,
// denormals as 0 (a GPU flushes them anyway).
//   poly_exp2   below -126, NaN -> 0; from 128 on 3.4e38; whole numbers give exact powers
//   poly_log2   x <= 2^-126, negative, NaN -> -126; +inf -> 128
//   poly_cbrt   |x| < 2^-126, NaN -> 0; +-inf -> +-6.98e12; the sign is kept
//   poly_pow    x < 2^-126, negative, NaN -> 0, whatever y is; beyond the range 0 or 3.4e38
//
// Forms were chosen so that a shader compiler that re-associates (lavapipe does) finds nothing to move: rounding goes
// through an integer instead of (a + b) - b, and there is no sum of two products that share a factor.
#pragma once

#include <bit>
#include <cstdint>

namespace imago {

inline float poly_exp2(float x) {
  const float below = x < 127.99999f ? x : 127.99999f;  // false for NaN, which the last line turns to 0
  const float t = below > -126.0f ? below : -126.0f;
  const std::int32_t whole = static_cast<std::int32_t>(t + 126.5f) - 126;
  const float f = t - static_cast<float>(whole);  // -0.5 … 0.5, exact
  float p = 0.00015326469f;
  p = p * f + 0.0013390807f;
  p = p * f + 0.009618506f;
  p = p * f + 0.0555036f;
  p = p * f + 0.24022648f;
  p = p * f + 0.6931472f;
  p = p * f + 1.0f;
  // Unsigned arithmetic: adding to the exponent field wraps as intended for negative powers.
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(p) + (static_cast<std::uint32_t>(whole) << 23);
  return x >= -126.0f ? std::bit_cast<float>(bits) : 0.0f;
}

inline float poly_log2(float x) {
  constexpr std::int32_t smallest = 0x00800000;  // 2^-126
  constexpr std::int32_t largest = 0x7f7fffff;
  constexpr std::int32_t infinity = 0x7f800000;
  constexpr std::int32_t root_half = 0x3f3504f3;  // sqrt(1/2): the mantissa then lies in sqrt(1/2) … sqrt(2)
  // As integers: negative floats are negative, NaN lies above infinity.
  std::int32_t i = std::bit_cast<std::int32_t>(x);
  i = i > infinity ? smallest : i;
  i = i > smallest ? i : smallest;
  i = i < largest ? i : largest;
  const std::int32_t whole = (i - root_half) >> 23;
  const std::uint32_t mantissa = static_cast<std::uint32_t>(i) - (static_cast<std::uint32_t>(whole) << 23);
  const float r = std::bit_cast<float>(mantissa) - 1.0f;  // exact
  float p = 0.12584342f;
  p = p * r - 0.20678747f;
  p = p * r + 0.21548076f;
  p = p * r - 0.23901485f;
  p = p * r + 0.2879535f;
  p = p * r - 0.36070058f;
  p = p * r + 0.48090896f;
  p = p * r - 0.7213474f;
  p = p * r + 1.442695f;
  return p * r + static_cast<float>(whole);
}

inline float poly_cbrt(float x) {
  constexpr std::int32_t smallest = 0x00800000;
  constexpr std::int32_t largest = 0x7f7fffff;
  constexpr std::int32_t infinity = 0x7f800000;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = bits & 0x80000000u;
  const std::int32_t magnitude = static_cast<std::int32_t>(bits & 0x7fffffffu);
  const std::int32_t i = magnitude < largest ? magnitude : largest;
  const float a = std::bit_cast<float>(i);
  // 1 / cbrt(a) within 3.5 %, then two steps of the series of (1 - h)^(-1/3), the second one on cbrt itself.
  float r = std::bit_cast<float>(1419907000 - static_cast<std::int32_t>(static_cast<float>(i) * 0.33333334f));
  const float h = 1.0f - (a * r) * (r * r);
  r = r * ((0.22222222f * h + 0.33333334f) * h + 1.0f);
  const float c = (a * r) * r;
  const float g = 1.0f - c * r;
  const float root = c + c * ((0.5555556f * g + 0.6666667f) * g);
  const bool ordinary = magnitude >= smallest && magnitude <= infinity;
  return ordinary ? std::bit_cast<float>(std::bit_cast<std::uint32_t>(root) | sign) : 0.0f;
}

inline float poly_pow(float x, float y) {
  const std::int32_t i = std::bit_cast<std::int32_t>(x);
  const float power = poly_exp2(y * poly_log2(x));
  const bool positive = i >= 0x00800000 && i <= 0x7f800000;
  return positive ? power : 0.0f;
}

}  // namespace imago
