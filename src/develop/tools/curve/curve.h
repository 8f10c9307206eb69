// curve: the parametric curve, the point curve on all channels, and one on each.
//
//   all(x) = rgb(parametric(x));   out = table_channel(in),   table_red(x) = red(all(x)) and so on
//
// Parametric: the monotone cubic through (0, 0), (1, 1) and the middles of the four regions, each moved up or down by
// at most 0.45 of the way to its neighbour there: it rises at every setting.
// Refined saturation r other than 100 %: curves on all channels make colours stronger where they are steep. Then
//   m = all(in),  k = in * Y(m) / Y(in),  n = m + (r - 1) (m - k),  out = table_channel(n)
// with k the same colour at the new luminance; the tables of the channels then leave `all` out.
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
  std::uint32_t refined = 0;
  float more_saturation = 0;  // r - 1
};
inline constexpr Param curve_params[] = {IMAGO_PARAM(CurveParams, enabled), IMAGO_PARAM(CurveParams, refined),
                                         IMAGO_PARAM(CurveParams, more_saturation)};
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

// Points of the parametric curve; empty when its sliders are at 0. Splits out of order are put in order.
std::vector<CurvePoint> parametric_points(const Curve& settings);

// 3 * curve_samples values: red, green, blue; refined, a fourth: all channels. Empty when the tool is off.
std::vector<float> curve_table(const Curve& settings);

inline float curve_channel(const float* table, float linear) {
  const float place = srgb_encoded_from_linear(unit(linear)) * 4095.0f;
  const std::int32_t whole = static_cast<std::int32_t>(place);
  const std::int32_t index = whole < 4094 ? whole : 4094;
  const float low = table[index];
  const float high = table[index + 1];
  return linear_from_srgb_encoded(low + (place - static_cast<float>(index)) * (high - low));
}

inline Rgb curve_refined(const CurveParams& p, const float* all, Rgb v) {
  const Rgb in = {unit(v.r), unit(v.g), unit(v.b)};
  const Rgb m = {curve_channel(all, in.r), curve_channel(all, in.g), curve_channel(all, in.b)};
  const float gain = working_luminance(m) / larger(working_luminance(in), 1e-6f);
  return {m.r + p.more_saturation * (m.r - in.r * gain), m.g + p.more_saturation * (m.g - in.g * gain),
          m.b + p.more_saturation * (m.b - in.b * gain)};
}

inline Rgb curve(const CurveParams& p, Rgb v, const Pixel& at) {
  if (p.refined != 0) v = curve_refined(p, at.curve_table + 3 * curve_samples, v);
  return {curve_channel(at.curve_table, v.r), curve_channel(at.curve_table + curve_samples, v.g),
          curve_channel(at.curve_table + 2 * curve_samples, v.b)};
}

}  // namespace imago::develop
