// gamut: brings colours that the output space lacks into it, at constant OkLab lightness and hue.
//
// In OkLab the straight line from a colour to the grey of its lightness keeps hue, and so it does on the cube roots of
// the cone responses, of which OkLab is a rotation: roots(s) = L + s (roots - L), s = 1 the colour, 0 the grey. Let
// s_edge be where that line meets the gamut, rho = 1 / s_edge how far out the colour is (1 = on the edge). Then
//
//   rho' = rho                                                      for rho <= knee
//   rho' = knee + (1 - knee) t / sqrt(1 + t^2), t = (rho - knee) / (1 - knee)    above: slope 1 at the knee, below 1
//   always out  = rgb(s_edge rho')
//
// so colours within 90 % of the way to the edge keep their bits, the others are squeezed into the last tenth: smooth,
// no two colours swap, no hue flips. s_edge: five bisections of [0, 1 / knee] and two secants on the margin, the least
// distance of a channel to 0 or 1; continuous in the colour, within 0.02 %. Linear RGB of the output space in, the same
// within 0 … 1 (give or take 2e-4, encode clamps) out. Greys keep their bits. OkLab: Björn Ottosson 2020. Mirror:
// poly_cbrt and twelve products, 5e-6.
#pragma once

#include <cmath>

#include "base/math.h"
#include "color/matrix.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

// Both matrices have rows that sum to 1; each row is given by its two outer elements, as in primaries.h.
struct GamutParams {
  std::uint32_t enabled = 0;
  float long_from_green = 0, long_from_blue = 0;
  float medium_from_red = 0, medium_from_blue = 0;
  float short_from_red = 0, short_from_green = 0;
  float red_from_medium = 0, red_from_short = 0;
  float green_from_long = 0, green_from_short = 0;
  float blue_from_long = 0, blue_from_medium = 0;
};
inline constexpr Param gamut_params[] = {
    IMAGO_PARAM(GamutParams, enabled),          IMAGO_PARAM(GamutParams, long_from_green),
    IMAGO_PARAM(GamutParams, long_from_blue),   IMAGO_PARAM(GamutParams, medium_from_red),
    IMAGO_PARAM(GamutParams, medium_from_blue), IMAGO_PARAM(GamutParams, short_from_red),
    IMAGO_PARAM(GamutParams, short_from_green), IMAGO_PARAM(GamutParams, red_from_medium),
    IMAGO_PARAM(GamutParams, red_from_short),   IMAGO_PARAM(GamutParams, green_from_long),
    IMAGO_PARAM(GamutParams, green_from_short), IMAGO_PARAM(GamutParams, blue_from_long),
    IMAGO_PARAM(GamutParams, blue_from_medium)};
static_assert(covers<GamutParams>(gamut_params));

inline constexpr float gamut_knee = 0.9f;

// For spaces that hold all of the working space there is nothing to do: not enabled.
GamutParams derive_gamut(const color::Primaries& output);

// False only for colours surely below the knee (swept by the test): whoever sees none but these may skip gamut.
inline bool gamut_touches(const GamutParams&, Rgb v) {
  const float high = larger(larger(v.r, v.g), v.b);
  const float low = smaller(smaller(v.r, v.g), v.b);
  return low < 0.12f * high || high + 0.19f * (high - low) > 1.0f;
}

struct GamutLine {
  float lightness = 0;
  Rgb away;  // roots of long, medium, short minus lightness
};

inline Rgb gamut_at(const GamutParams& p, const GamutLine& line, float s) {
  const float root_l = line.lightness + s * line.away.r;
  const float root_m = line.lightness + s * line.away.g;
  const float root_s = line.lightness + s * line.away.b;
  const float l = root_l * root_l * root_l;
  const float m = root_m * root_m * root_m;
  const float c = root_s * root_s * root_s;
  return {l + p.red_from_medium * (m - l) + p.red_from_short * (c - l),
          m + p.green_from_long * (l - m) + p.green_from_short * (c - m),
          c + p.blue_from_long * (l - c) + p.blue_from_medium * (m - c)};
}

inline float gamut_margin(const GamutParams& p, const GamutLine& line, float s) {
  const Rgb v = gamut_at(p, line, s);
  const float low = smaller(smaller(v.r, v.g), v.b);
  const float high = larger(larger(v.r, v.g), v.b);
  return smaller(low, 1.0f - high);
}

inline GamutLine gamut_line(const GamutParams& p, Rgb v) {
  const float root_l = poly_cbrt(v.r + p.long_from_green * (v.g - v.r) + p.long_from_blue * (v.b - v.r));
  const float root_m = poly_cbrt(v.g + p.medium_from_red * (v.r - v.g) + p.medium_from_blue * (v.b - v.g));
  const float root_s = poly_cbrt(v.b + p.short_from_red * (v.r - v.b) + p.short_from_green * (v.g - v.b));
  const float lightness = root_l + 0.7936178f * (root_m - root_l) - 0.004072047f * (root_s - root_l);
  return {lightness, {root_l - lightness, root_m - lightness, root_s - lightness}};
}

// The edge lies between `inside`, whose margin is not negative, and `outside`.
struct GamutBracket {
  float inside, margin_inside;
  float outside, margin_outside;
};

inline GamutBracket gamut_split(const GamutParams& p, const GamutLine& line, const GamutBracket& b, float s) {
  const float margin = gamut_margin(p, line, s);
  const bool in = margin >= 0.0f;
  return {in ? s : b.inside, in ? margin : b.margin_inside, in ? b.outside : s, in ? b.margin_outside : margin};
}

inline GamutBracket gamut_halve(const GamutParams& p, const GamutLine& line, const GamutBracket& b) {
  return gamut_split(p, line, b, 0.5f * (b.inside + b.outside));
}

// Where the straight line through both margins is 0.
inline float gamut_secant(const GamutBracket& b) {
  const float share = b.margin_inside / larger(b.margin_inside - b.margin_outside, 1e-20f);
  return b.inside + (b.outside - b.inside) * share;
}

// How much of the line is used: 1 below the knee.
inline float gamut_squeeze(const GamutParams& p, const GamutLine& line) {
  constexpr float reach = 1.0f / gamut_knee;
  const float margin = gamut_margin(p, line, reach);
  GamutBracket b = {0.0f, larger(gamut_margin(p, line, 0.0f), 0.0f), reach, margin};
  b = gamut_halve(p, line, b);
  b = gamut_halve(p, line, b);
  b = gamut_halve(p, line, b);
  b = gamut_halve(p, line, b);
  b = gamut_halve(p, line, b);
  b = gamut_split(p, line, b, gamut_secant(b));
  const float edge = larger(gamut_secant(b), 1e-6f);
  const float t = (1.0f / edge - gamut_knee) / (1.0f - gamut_knee);
  const float squeezed = gamut_knee + (1.0f - gamut_knee) * (t / std::sqrt(1.0f + t * t));
  return margin >= 0.0f ? 1.0f : edge * squeezed;
}

inline Rgb gamut(const GamutParams& p, Rgb v, const Pixel&) {
  const GamutLine line = gamut_line(p, v);
  const float squeeze = gamut_squeeze(p, line);
  const Rgb squeezed = gamut_at(p, line, squeeze);
  const bool keep = squeeze == 1.0f;
  return {keep ? v.r : squeezed.r, keep ? v.g : squeezed.g, keep ? v.b : squeezed.b};
}

}  // namespace imago::develop
