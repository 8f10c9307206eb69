// OkLab (Björn Ottosson 2020, bottosson.github.io/posts/oklab) of linear Rec.2020, one pixel at a time. The twin of
// oklab.wgsl. Lightness 0 … 1 for 0 … white, a green-red, b blue-yellow; hue and chroma are angle and length of (a, b).
//
// Inputs may be negative or above one (the cube root keeps signs); NaN counts as 0 through poly_cbrt, results are
// finite for finite inputs. Round trip: 3e-6 of the largest channel.
#pragma once

#include "base/math.h"
#include "color/matrix.h"
#include "color/rgb.h"

namespace imago::color {

struct Oklab {
  float lightness = 0;
  float a = 0;
  float b = 0;
};

// The published matrix, linear sRGB to cone responses; both spaces have the same white, so neutrals stay neutral.
inline constexpr Matrix3 lms_from_srgb{{0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451,
                                        0.1073969566, 0.0883024619, 0.2817188376, 0.6299787005}};
inline constexpr Matrix3 lms_from_working =
    lms_from_srgb * inverse(xyz_from_rgb(srgb_primaries)) * xyz_from_rgb(rec2020_primaries);
inline constexpr Matrix3 oklab_from_root_lms{{0.2104542553, 0.7936177850, -0.0040720468, 1.9779984951, -2.4285922050,
                                              0.4505937099, 0.0259040371, 0.7827717662, -0.8086757660}};

// Literals as in oklab.wgsl; oklab_test.cpp compares them with the matrices above.
inline Oklab oklab_from_working(Rgb linear) {
  const float l = 0.6167558f * linear.r + 0.3601984f * linear.g + 0.023045814f * linear.b;
  const float m = 0.26513305f * linear.r + 0.63583934f * linear.g + 0.099027574f * linear.b;
  const float s = 0.10010263f * linear.r + 0.20390652f * linear.g + 0.69599086f * linear.b;
  const float l_root = poly_cbrt(l);
  const float m_root = poly_cbrt(m);
  const float s_root = poly_cbrt(s);
  return {0.21045426f * l_root + 0.7936178f * m_root - 0.004072047f * s_root,
          1.9779985f * l_root - 2.4285922f * m_root + 0.4505937f * s_root,
          0.025904037f * l_root + 0.78277177f * m_root - 0.80867577f * s_root};
}

inline Rgb working_from_oklab(Oklab lab) {
  const float l_root = lab.lightness + 0.39633778f * lab.a + 0.21580376f * lab.b;
  const float m_root = lab.lightness - 0.105561346f * lab.a - 0.06385417f * lab.b;
  const float s_root = lab.lightness - 0.089484185f * lab.a - 1.2914855f * lab.b;
  const float l = l_root * l_root * l_root;
  const float m = m_root * m_root * m_root;
  const float s = s_root * s_root * s_root;
  return {2.1399066f * l - 1.2463895f * m + 0.106482774f * s, -0.8847359f * l + 2.163231f * m - 0.27849513f * s,
          -0.04857376f * l - 0.45450315f * m + 1.5030769f * s};
}

}  // namespace imago::color
