// look_table: the look of a camera profile, by hue, saturation and value (LookTable of DNG and DCP files; the same
// function serves their HueSatMap, in the source stage).
//
//   (h, s, v) = hsv(ProPhoto(in));   h += shift(h, s, v), s *= scale(h, s, v), v *= scale(h, s, v)
//
// The three are interpolated between the table's entries, around the circle in hue, held at the ends in saturation and
// value. DNG specification 1.7.1, chapter 6. As there, what is negative counts as 0 for the three; it is added again,
// so that sensor noise around black stays centred. Unlike there, light above 1 is not cut off: it takes the scale of 1.
// Scene-linear Rec.2020 in and out. Black and negative maxima are left alone. Mirror: 2e-6 of the largest channel.
#pragma once

#include <vector>

#include "color/hue_sat_map.h"
#include "develop/tools/encode/transfer.h"
#include "develop/tools/look_table/prophoto.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

struct LookTableParams {
  std::uint32_t enabled = 0;
  std::uint32_t start = 0;  // of the entries in the table of curves: shift in sextants, two scales
  std::uint32_t hues = 1, saturations = 2, values = 1;
  std::uint32_t srgb_value = 0;
};
inline constexpr Param look_table_params[] = {
    IMAGO_PARAM(LookTableParams, enabled), IMAGO_PARAM(LookTableParams, start),
    IMAGO_PARAM(LookTableParams, hues),    IMAGO_PARAM(LookTableParams, saturations),
    IMAGO_PARAM(LookTableParams, values),  IMAGO_PARAM(LookTableParams, srgb_value)};
static_assert(covers<LookTableParams>(look_table_params));

// Appends the map's entries to `table`. Off, and nothing appended, for an empty map.
LookTableParams derive_look_table(const color::HueSatMap& map, std::vector<float>& table);

// The two table rows beside a place and the part of the second.
struct TablePlace {
  std::int32_t first, second;
  float part;
};

inline TablePlace held_place(float at, std::int32_t count) {
  const float place = unit(at) * static_cast<float>(count - 1);
  const std::int32_t whole = static_cast<std::int32_t>(place);
  const std::int32_t last = count - 1;
  const std::int32_t next = whole + 1;
  return {whole, next < last ? next : last, place - static_cast<float>(whole)};
}

inline TablePlace circle_place(float sextants, std::int32_t count) {
  const float place = sextants * (static_cast<float>(count) * 0.16666667f);
  const std::int32_t floored = static_cast<std::int32_t>(place);
  const std::int32_t whole = floored < count - 1 ? floored : count - 1;
  const std::int32_t next = whole + 1;
  return {whole, next < count ? next : 0, place - static_cast<float>(whole)};
}

// Component `c` between the eight entries around a place.
inline float table_between(const float* table, std::int32_t c, TablePlace h, TablePlace s, TablePlace v,
                           std::int32_t hues, std::int32_t saturations) {
  float by_value[2];
  for (int i = 0; i < 2; ++i) {
    const std::int32_t plane = (i == 0 ? v.first : v.second) * hues;
    const std::int32_t row = (plane + h.first) * saturations;
    const std::int32_t next_row = (plane + h.second) * saturations;
    const float a = table[(row + s.first) * 3 + c];
    const float b = table[(row + s.second) * 3 + c];
    const float e = table[(next_row + s.first) * 3 + c];
    const float f = table[(next_row + s.second) * 3 + c];
    const float low = a + s.part * (b - a);
    const float high = e + s.part * (f - e);
    by_value[i] = low + h.part * (high - low);
  }
  return by_value[0] + v.part * (by_value[1] - by_value[0]);
}

// Linear ProPhoto of hue in sextants 0 … 6, saturation and value.
inline Rgb rgb_from_hsv(float hue, float saturation, float value) {
  const std::int32_t sextant = static_cast<std::int32_t>(hue);
  const float part = hue - static_cast<float>(sextant);
  const float p = value * (1.0f - saturation);
  const float q = value * (1.0f - saturation * part);
  const float t = value * (1.0f - saturation * (1.0f - part));
  const float r = sextant == 0 || sextant == 5 ? value : sextant == 1 ? q : sextant == 4 ? t : p;
  const float g = sextant == 1 || sextant == 2 ? value : sextant == 0 ? t : sextant == 3 ? q : p;
  const float b = sextant == 3 || sextant == 4 ? value : sextant == 2 ? t : sextant == 5 ? q : p;
  return {r, g, b};
}

// The map on one colour of linear ProPhoto. `table`: at the entries.
inline Rgb hue_sat_adjusted(const LookTableParams& p, const float* table, Rgb in) {
  const Rgb v = {larger(in.r, 0.0f), larger(in.g, 0.0f), larger(in.b, 0.0f)};
  const float high = larger(v.r, larger(v.g, v.b));
  const float low = smaller(v.r, smaller(v.g, v.b));
  const float chroma = high - low;
  const float divisor = chroma > 1e-20f ? chroma : 1.0f;
  const float from_red = (v.g - v.b) / divisor;
  const float from_green = 2.0f + (v.b - v.r) / divisor;
  const float from_blue = 4.0f + (v.r - v.g) / divisor;
  const float signed_hue = v.r >= high ? from_red : v.g >= high ? from_green : from_blue;
  const float hue = signed_hue < 0.0f ? signed_hue + 6.0f : signed_hue;
  const float saturation = chroma / (high > 1e-20f ? high : 1.0f);
  const float base = unit(high);
  const float step = p.srgb_value != 0u ? srgb_encoded_from_linear(base) : base;

  const std::int32_t hues = static_cast<std::int32_t>(p.hues);
  const std::int32_t saturations = static_cast<std::int32_t>(p.saturations);
  const TablePlace at_hue = circle_place(hue, hues);
  const TablePlace at_saturation = held_place(saturation, saturations);
  const TablePlace at_value = held_place(step, static_cast<std::int32_t>(p.values));
  const float shift = table_between(table, 0, at_hue, at_saturation, at_value, hues, saturations);
  const float saturation_scale = table_between(table, 1, at_hue, at_saturation, at_value, hues, saturations);
  const float value_scale = table_between(table, 2, at_hue, at_saturation, at_value, hues, saturations);

  const float moved = hue + shift;
  const float wrapped = moved < 0.0f ? moved + 6.0f : moved >= 6.0f ? moved - 6.0f : moved;
  const float scaled = saturation * saturation_scale;
  const float lifted = larger(step * value_scale, 0.0f);
  const float light = (p.srgb_value != 0u ? linear_from_srgb_encoded(lifted) : lifted) * larger(high, 1.0f);
  const Rgb out = rgb_from_hsv(wrapped, smaller(scaled, 1.0f), light);
  return high > 1e-20f ? Rgb{out.r + (in.r - v.r), out.g + (in.g - v.g), out.b + (in.b - v.b)} : in;
}

inline Rgb look_table(const LookTableParams& p, Rgb v, const Pixel& at) {
  return working_from_prophoto(hue_sat_adjusted(p, at.curve_table + p.start, prophoto_from_working(v)));
}

}  // namespace imago::develop
