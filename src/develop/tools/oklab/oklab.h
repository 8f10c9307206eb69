// to_oklab, from_oklab: into OkLab and back, around the tools that work there. On when one of them is.
//
// As color/oklab.h, written with differences: greys get a = b = 0 and come back as greys, bit for bit. Between the two,
// Rgb holds (lightness, a, b); lightness is 1 at white.
// Display-linear Rec.2020 in and out, any finite value. Mirror: poly_cbrt, 1e-6 of the largest channel.
#pragma once

#include "base/math.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

struct ToOklabParams {
  std::uint32_t enabled = 0;
};
inline constexpr Param to_oklab_params[] = {IMAGO_PARAM(ToOklabParams, enabled)};
static_assert(covers<ToOklabParams>(to_oklab_params));

struct FromOklabParams {
  std::uint32_t enabled = 0;
};
inline constexpr Param from_oklab_params[] = {IMAGO_PARAM(FromOklabParams, enabled)};
static_assert(covers<FromOklabParams>(from_oklab_params));

inline Rgb to_oklab(const ToOklabParams&, Rgb v, const Pixel&) {
  const float l = poly_cbrt(v.r + 0.3601984f * (v.g - v.r) + 0.023045814f * (v.b - v.r));
  const float m = poly_cbrt(v.g + 0.26513305f * (v.r - v.g) + 0.099027574f * (v.b - v.g));
  const float s = poly_cbrt(v.b + 0.10010263f * (v.r - v.b) + 0.20390652f * (v.g - v.b));
  return {l + 0.7936178f * (m - l) - 0.004072047f * (s - l), 0.4505937f * (s - l) - 2.4285922f * (m - l),
          0.78277177f * (m - l) - 0.80867577f * (s - l)};
}

inline Rgb from_oklab(const FromOklabParams&, Rgb lab, const Pixel&) {
  const float l_root = lab.r + 0.39633778f * lab.g + 0.21580376f * lab.b;
  const float m_root = lab.r - 0.105561346f * lab.g - 0.06385417f * lab.b;
  const float s_root = lab.r - 0.089484185f * lab.g - 1.2914855f * lab.b;
  const float l = l_root * l_root * l_root;
  const float m = m_root * m_root * m_root;
  const float s = s_root * s_root * s_root;
  return {l - 1.2463895f * (m - l) + 0.106482774f * (s - l), m - 0.8847359f * (l - m) - 0.27849513f * (s - m),
          s - 0.04857376f * (l - s) - 0.45450315f * (m - s)};
}

}  // namespace imago::develop
