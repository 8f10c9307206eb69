// curve: the point curve, on all channels and on each one.
//
//   out = table_channel(in),   table_red(x) = red(rgb(x)) and so on
//
// Works on encoded values (the transfer of sRGB) of the working space's primaries, so that a picture has one look in
// every output space. Each curve is the monotone cubic of Fritsch and Carlson 1980 through its points, level before the
// first and after the last; 4096 samples, straight lines between them. Without points a curve is the identity; without
// any the tool is off and bits are kept.
// Display-linear Rec.2020 in and out; values are clamped to 0 … 1. Mirror: poly_pow there and back, 3e-6 relative.
#pragma once

#include <vector>

#include "develop/settings/curve.h"
#include "develop/tools/encode/transfer.h"
#include "develop/tools/params.h"

namespace imago::develop {

inline constexpr int curve_samples = 4096;

struct CurveParams {
  std::uint32_t enabled = 0;
};
inline constexpr Param curve_params[] = {IMAGO_PARAM(CurveParams, enabled)};
static_assert(covers<CurveParams>(curve_params));

CurveParams derive_curve(const Curve& settings);

// The curve through some points at x, 0 … 1. Points may come in any order; of those that share an x the last counts.
class MonotoneCubic {
 public:
  explicit MonotoneCubic(std::vector<CurvePoint> points);
  double operator()(double x) const;

 private:
  std::vector<double> x_, y_, slope_;
};

// 3 * curve_samples values: red, green, blue. Empty when the tool is off.
std::vector<float> curve_table(const Curve& settings);

inline float curve_channel(const float* table, float linear) {
  const float place = srgb_encoded_from_linear(unit(linear)) * 4095.0f;
  const std::int32_t whole = static_cast<std::int32_t>(place);
  const std::int32_t index = whole < 4094 ? whole : 4094;
  const float low = table[index];
  const float high = table[index + 1];
  return linear_from_srgb_encoded(low + (place - static_cast<float>(index)) * (high - low));
}

inline Rgb curve(const CurveParams&, Rgb v, const Pixel& at) {
  return {curve_channel(at.curve_table, v.r), curve_channel(at.curve_table + curve_samples, v.g),
          curve_channel(at.curve_table + 2 * curve_samples, v.b)};
}

}  // namespace imago::develop
