// lut: a look from a table (.cube, HaldCLUT).
//
//   e   = transfer(clamp(M in))                       in the space that the table was made for
//   e'  = cube(curves(e)), clamped to 0 … 1           straight lines between entries; in the cube on tetrahedra
//   out = in + amount (M^-1 transfer^-1(e') - in)
//
// Inputs outside a table's domain take its edge. The cube's cell is cut into six tetrahedra along its grey diagonal, so
// greys of a table with grey entries stay grey. Colours that the table's space cannot hold are clipped to it.
// Display-linear Rec.2020 in and out. Mirror: poly_pow there and back, times the slope of the table; 2e-5 for tables
// that double contrast.
#pragma once

#include <vector>

#include "color/lut.h"
#include "develop/settings/lut.h"
#include "develop/tools/encode/transfer.h"
#include "develop/tools/params.h"

namespace imago::develop {

struct LutParams {
  std::uint32_t enabled = 0;
  std::int32_t curve_size = 0;
  std::int32_t cube_size = 0;
  std::int32_t cube_start = 0;  // in the table
  float amount = 1;
  // The space's transfer, see transfer.h, and its inverse.
  float slope = 1, threshold = 0, scale = 1, exponent = 1, offset = 0;
  float encoded_threshold = 0, inverse_slope = 1, inverse_scale = 1, inverse_exponent = 1;
  // Domains: minimum and 1 / (maximum - minimum).
  alignas(16) float curve_min[4] = {};
  alignas(16) float curve_scale[4] = {};
  alignas(16) float cube_min[4] = {};
  alignas(16) float cube_scale[4] = {};
  // Six coefficients of a matrix whose rows sum to 1, as in primaries.h: to the table's space, and back.
  alignas(16) float to_space[8] = {};
  alignas(16) float from_space[8] = {};
};
inline constexpr Param lut_params[] = {IMAGO_PARAM(LutParams, enabled),
                                       IMAGO_PARAM(LutParams, curve_size),
                                       IMAGO_PARAM(LutParams, cube_size),
                                       IMAGO_PARAM(LutParams, cube_start),
                                       IMAGO_PARAM(LutParams, amount),
                                       IMAGO_PARAM(LutParams, slope),
                                       IMAGO_PARAM(LutParams, threshold),
                                       IMAGO_PARAM(LutParams, scale),
                                       IMAGO_PARAM(LutParams, exponent),
                                       IMAGO_PARAM(LutParams, offset),
                                       IMAGO_PARAM(LutParams, encoded_threshold),
                                       IMAGO_PARAM(LutParams, inverse_slope),
                                       IMAGO_PARAM(LutParams, inverse_scale),
                                       IMAGO_PARAM(LutParams, inverse_exponent),
                                       IMAGO_PARAM(LutParams, curve_min),
                                       IMAGO_PARAM(LutParams, curve_scale),
                                       IMAGO_PARAM(LutParams, cube_min),
                                       IMAGO_PARAM(LutParams, cube_scale),
                                       IMAGO_PARAM(LutParams, to_space),
                                       IMAGO_PARAM(LutParams, from_space)};
static_assert(covers<LutParams>(lut_params));

// Disabled when table is null or amount 0.
LutParams derive_lut(const LutSettings& settings, const color::Lut* table);

// Curves, then cube, as LutParams describes them. Empty when the tool is off.
std::vector<float> lut_table(const LutParams& params, const color::Lut* table);

inline Rgb lut_matrix(const float (&m)[8], Rgb v) {
  return {v.r + m[0] * (v.g - v.r) + m[1] * (v.b - v.r), v.g + m[2] * (v.r - v.g) + m[3] * (v.b - v.g),
          v.b + m[4] * (v.r - v.b) + m[5] * (v.g - v.b)};
}

inline float lut_encoded(const LutParams& p, float linear) {
  return encoded_from_linear(p.slope, p.threshold, p.scale, p.exponent, p.offset, unit(linear));
}

inline float lut_linear(const LutParams& p, float encoded) {
  const float e = unit(encoded);
  const float power = poly_pow((e + p.offset) * p.inverse_scale, p.inverse_exponent);
  return e < p.encoded_threshold ? e * p.inverse_slope : power;
}

inline float lut_curve(const float* table, std::int32_t size, float x) {
  const float place = unit(x) * static_cast<float>(size - 1);
  const std::int32_t whole = static_cast<std::int32_t>(place);
  const std::int32_t index = whole < size - 2 ? whole : size - 2;
  const float low = table[3 * index];
  return low + (place - static_cast<float>(index)) * (table[3 * index + 3] - low);
}

// Index of the lower of the two entries around a place.
inline std::int32_t lut_cell(float place, std::int32_t size) {
  const std::int32_t whole = static_cast<std::int32_t>(place);
  return whole < size - 2 ? whole : size - 2;
}

inline Rgb lut_cube(const float* table, std::int32_t size, Rgb x) {
  const float most = static_cast<float>(size - 1);
  const Rgb place = {unit(x.r) * most, unit(x.g) * most, unit(x.b) * most};
  const std::int32_t r = lut_cell(place.r, size);
  const std::int32_t g = lut_cell(place.g, size);
  const std::int32_t b = lut_cell(place.b, size);
  const Rgb f = {place.r - static_cast<float>(r), place.g - static_cast<float>(g), place.b - static_cast<float>(b)};
  const std::int32_t step_g = 3 * size;
  const std::int32_t step_b = step_g * size;
  // From the cell's darkest corner along the channel with the largest part first and the one with the smallest last.
  const bool red_first = f.r >= f.g && f.r >= f.b;
  const bool blue_last = f.b <= f.r && f.b <= f.g;
  const std::int32_t not_red = f.g >= f.b ? step_g : step_b;
  const std::int32_t not_blue = f.g <= f.r ? step_g : 3;
  const std::int32_t first = red_first ? 3 : not_red;
  const std::int32_t last = blue_last ? step_b : not_blue;
  const float high = larger(larger(f.r, f.g), f.b);
  const float low = smaller(smaller(f.r, f.g), f.b);
  const float mid = smaller(larger(f.r, f.g), larger(smaller(f.r, f.g), f.b));
  const std::int32_t start = 3 * r + step_g * g + step_b * b;
  const std::int32_t end = start + 3 + step_g + step_b;
  const float w0 = 1.0f - high, w1 = high - mid, w2 = mid - low;
  const float* c0 = table + start;
  const float* c1 = table + start + first;
  const float* c2 = table + end - last;
  const float* c3 = table + end;
  return {w0 * c0[0] + w1 * c1[0] + w2 * c2[0] + low * c3[0], w0 * c0[1] + w1 * c1[1] + w2 * c2[1] + low * c3[1],
          w0 * c0[2] + w1 * c1[2] + w2 * c2[2] + low * c3[2]};
}

inline Rgb lut(const LutParams& p, Rgb v, const Pixel& at) {
  const Rgb linear = lut_matrix(p.to_space, v);
  Rgb e = {lut_encoded(p, linear.r), lut_encoded(p, linear.g), lut_encoded(p, linear.b)};
  if (p.curve_size != 0) {
    e = {lut_curve(at.lut_table, p.curve_size, (e.r - p.curve_min[0]) * p.curve_scale[0]),
         lut_curve(at.lut_table + 1, p.curve_size, (e.g - p.curve_min[1]) * p.curve_scale[1]),
         lut_curve(at.lut_table + 2, p.curve_size, (e.b - p.curve_min[2]) * p.curve_scale[2])};
  }
  if (p.cube_size != 0) {
    e = lut_cube(at.lut_table + p.cube_start, p.cube_size,
                 {(e.r - p.cube_min[0]) * p.cube_scale[0], (e.g - p.cube_min[1]) * p.cube_scale[1],
                  (e.b - p.cube_min[2]) * p.cube_scale[2]});
  }
  const Rgb out = lut_matrix(p.from_space, {lut_linear(p, e.r), lut_linear(p, e.g), lut_linear(p, e.b)});
  return {v.r + p.amount * (out.r - v.r), v.g + p.amount * (out.g - v.g), v.b + p.amount * (out.b - v.b)};
}

}  // namespace imago::develop
