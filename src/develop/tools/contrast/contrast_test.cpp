#include "develop/tools/contrast/contrast.h"

#include <gtest/gtest.h>

#include <limits>

namespace imago::develop {
namespace {

TEST(Contrast, IsOffAtZero) {
  EXPECT_EQ(derive_contrast({}).enabled, 0u);
  EXPECT_EQ(derive_contrast({.highlights = 50, .shadows = 50}).enabled, 0u);
  EXPECT_EQ(derive_contrast({.contrast = 1}).enabled, 1u);
}

TEST(Contrast, MidGreyStays) {
  for (const float amount : {-100.0f, 100.0f}) {
    const Rgb v = contrast(derive_contrast({.contrast = amount}), {0.18f, 0.18f, 0.18f}, {});
    EXPECT_NEAR(v.r, 0.18f, 1e-7f);
    EXPECT_EQ(v.r, v.g);
    EXPECT_EQ(v.r, v.b);
  }
}

TEST(Contrast, StretchesStopsAroundMidGreyAndLetsTheEndsBe) {
  const ContrastParams more = derive_contrast({.contrast = 100});
  EXPECT_NEAR(contrast_stops(more, 0.1f), 0.15f, 1e-4f);
  EXPECT_NEAR(contrast_stops(more, -0.1f), -0.15f, 1e-4f);
  EXPECT_NEAR(contrast_stops(more, 3.5f), 3.5f + 1.75f / std::sqrt(2.0f), 1e-6f);
  EXPECT_NEAR(contrast_stops(more, -60), -61.75f, 0.01f);
  EXPECT_NEAR(contrast_stops(derive_contrast({.contrast = -100}), 0.1f), 0.06f, 1e-4f);
}

TEST(Contrast, WhitesAndBlacksMoveTheirOwnEnd) {
  const ContrastParams whites = derive_contrast({.whites = 100});
  EXPECT_FLOAT_EQ(contrast_stops(whites, 4), 5);
  EXPECT_EQ(contrast_stops(whites, -0.5f), -0.5f);
  EXPECT_EQ(contrast_stops(whites, -6), -6);
  const ContrastParams blacks = derive_contrast({.blacks = -100});
  EXPECT_FLOAT_EQ(contrast_stops(blacks, -7), -9.5f);
  EXPECT_EQ(contrast_stops(blacks, -1), -1);
  EXPECT_EQ(contrast_stops(blacks, 3), 3);
}

TEST(Contrast, TonesNeverSwapAtAnySetting) {
  for (const float amount : {-100.0f, 0.0f, 100.0f}) {
    for (const float whites : {-100.0f, 0.0f, 100.0f}) {
      for (const float blacks : {-100.0f, 0.0f, 100.0f}) {
        const ContrastParams p = derive_contrast({.contrast = amount, .whites = whites, .blacks = blacks});
        for (float e = -16; e < 10; e += 0.01f) {
          ASSERT_GE((contrast_stops(p, e + 0.01f) - contrast_stops(p, e)) / 0.01f, 0.2f)
              << amount << " " << whites << " " << blacks << " at " << e;
        }
      }
    }
  }
}

TEST(Contrast, KeepsTheRatiosOfChannels) {
  const Rgb v = contrast(derive_contrast({.contrast = 80, .whites = -50, .blacks = 30}), {0.4f, 0.1f, -0.02f}, {});
  EXPECT_NEAR(v.r / v.g, 4, 1e-5f);
  EXPECT_NEAR(v.b / v.g, -0.2f, 1e-6f);
}

TEST(Contrast, AnyPixelGivesFiniteOutput) {
  for (const float sign : {-1.0f, 1.0f}) {
    const ContrastParams p = derive_contrast({.contrast = sign * 100, .whites = sign * 100, .blacks = sign * 100});
    for (const float x : {0.0f, -0.0f, 1e-40f, -1.0f, 1e-20f, 65504.0f, 1e12f}) {
      const Rgb v = contrast(p, {x, -x, x}, {});
      EXPECT_TRUE(std::isfinite(v.r) && std::isfinite(v.g) && std::isfinite(v.b)) << x;
    }
    EXPECT_EQ(contrast(p, {0, 0, 0}, {}), (Rgb{0, 0, 0}));
  }
}

}  // namespace
}  // namespace imago::develop
