#include "develop/tools/gamut/gamut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "develop/tools/primaries/primaries.h"

namespace imago::develop {
namespace {

const GamutParams srgb = derive_gamut(color::srgb_primaries);

struct Lab {
  double lightness, chroma, hue;
};

// OkLab of linear sRGB in double precision, from its definition.
Lab oklab(Rgb v) {
  const color::Matrix3 cones{{0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566,
                              0.0883024619, 0.2817188376, 0.6299787005}};
  const color::Matrix3 lab{{0.2104542553, 0.7936177850, -0.0040720468, 1.9779984951, -2.4285922050, 0.4505937099,
                            0.0259040371, 0.7827717662, -0.8086757660}};
  color::Vector3 roots = cones * color::Vector3{v.r, v.g, v.b};
  for (double& root : roots) root = std::cbrt(root);
  const color::Vector3 out = lab * roots;
  return {out[0], std::hypot(out[1], out[2]), std::atan2(out[2], out[1])};
}

// Calls visit for linear sRGB of a grid over the whole of Rec.2020 and dark to white.
template <typename Visit>
void for_each_colour(Visit&& visit) {
  const PrimariesParams to_srgb = derive_primaries(color::srgb_primaries);
  constexpr int steps = 20;
  for (int r = 0; r <= steps; ++r) {
    for (int g = 0; g <= steps; ++g) {
      for (int b = 0; b <= steps; ++b) {
        const auto level = [](int i) { return std::pow(static_cast<float>(i) / steps, 2.0f); };
        visit(primaries(to_srgb, {level(r), level(g), level(b)}, {}));
      }
    }
  }
}

TEST(Gamut, SpacesThatHoldTheWorkingSpaceAreOff) {
  EXPECT_EQ(derive_gamut(color::rec2020_primaries).enabled, 0u);
  EXPECT_EQ(derive_gamut(color::prophoto_primaries).enabled, 0u);
  EXPECT_EQ(srgb.enabled, 1u);
}

TEST(Gamut, EveryColourComesOutInside) {
  for_each_colour([](Rgb v) {
    const Rgb out = gamut(srgb, v, {});
    for (const float channel : {out.r, out.g, out.b}) {
      ASSERT_TRUE(channel > -2e-4f && channel < 1.0002f) << v.r << " " << v.g << " " << v.b << " -> " << channel;
    }
  });
}

TEST(Gamut, HueAndLightnessStay) {
  for_each_colour([](Rgb v) {
    const Lab before = oklab(v);
    const Lab after = oklab(gamut(srgb, v, {}));
    ASSERT_NEAR(after.lightness, before.lightness, 2e-5);
    if (after.chroma > 0.005) {
      ASSERT_NEAR(std::remainder(after.hue - before.hue, 2 * std::numbers::pi), 0, 2e-3);
    }
    ASSERT_LE(after.chroma, before.chroma + 2e-5);
  });
}

TEST(Gamut, ColoursWellInsideKeepTheirBits) {
  for (const Rgb v : {Rgb{0.5f, 0.4f, 0.3f}, Rgb{0.1f, 0.2f, 0.15f}, Rgb{0.02f, 0.02f, 0.01f}, Rgb{0.8f, 0.8f, 0.8f}}) {
    EXPECT_EQ(gamut(srgb, v, {}), v);
  }
}

TEST(Gamut, GreysKeepTheirBitsUpToWhite) {
  for (int i = 0; i <= 1000; ++i) {
    const float x = static_cast<float>(i) / 1000;
    ASSERT_FALSE(gamut_touches(srgb, {x, x, x})) << x;
  }
}

TEST(Gamut, WhatIsSkippedWouldNotHaveChanged) {
  for (const color::Primaries& space : {color::srgb_primaries, color::p3_primaries, color::adobe_rgb_primaries}) {
    const GamutParams p = derive_gamut(space);
    int skipped = 0;
    for (int r = 0; r <= 64; ++r) {
      for (int g = 0; g <= 64; ++g) {
        for (int b = 0; b <= 64; ++b) {
          const Rgb v = {static_cast<float>(r) / 64, static_cast<float>(g) / 64, static_cast<float>(b) / 64};
          if (gamut_touches(p, v)) continue;
          ++skipped;
          // A neutral white's margin is 0 give or take the rounding of a cube root; those are skipped by design.
          if (r == g && g == b) continue;
          ASSERT_EQ(gamut(p, v, {}), v) << r << " " << g << " " << b;
        }
      }
    }
    EXPECT_GT(skipped, 65 * 65 * 65 / 4);
  }
}

TEST(Gamut, IsContinuousAndKeepsTheOrderOfChromas) {
  // From grey outward along fixed hues, through the edge of sRGB to that of Rec.2020 (0.3 at most): chroma rises, in
  // steps that never jump. 1e-4 is the precision of the edge; 0.02 is a just noticeable difference.
  for (int degrees = 0; degrees < 360; degrees += 5) {
    for (const double lightness : {0.3, 0.55, 0.8, 0.95}) {
      const double hue = degrees * std::numbers::pi / 180;
      const color::Matrix3 lab{{0.2104542553, 0.7936177850, -0.0040720468, 1.9779984951, -2.4285922050, 0.4505937099,
                                0.0259040371, 0.7827717662, -0.8086757660}};
      const color::Matrix3 cones{{0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566,
                                  0.0883024619, 0.2817188376, 0.6299787005}};
      double before = 0;
      for (double chroma = 0; chroma < 0.3; chroma += 0.002) {
        color::Vector3 roots =
            color::inverse(lab) * color::Vector3{lightness, chroma * std::cos(hue), chroma * std::sin(hue)};
        for (double& root : roots) root = root * root * root;
        const color::Vector3 v = color::inverse(cones) * roots;
        const Rgb in = {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
        const double after = oklab(gamut(srgb, in, {})).chroma;
        ASSERT_GE(after, before - 1e-4) << degrees << " " << lightness << " " << chroma;
        ASSERT_LE(after, before + 0.0025) << degrees << " " << lightness << " " << chroma;
        before = after;
      }
    }
  }
}

}  // namespace
}  // namespace imago::develop
