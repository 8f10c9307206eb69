#include "develop/tools/saturation/saturation.h"

#include <gtest/gtest.h>

#include <numbers>

namespace imago::develop {
namespace {

constexpr float degree = std::numbers::pi_v<float> / 180;

Rgb colour(float chroma, float hue_deg) {
  return {0.6f, chroma * std::cos(hue_deg * degree), chroma * std::sin(hue_deg * degree)};
}

float chroma_of(Rgb lab) { return std::hypot(lab.g, lab.b); }

TEST(Saturation, IsOffAtZero) {
  EXPECT_EQ(derive_saturation({}).enabled, 0u);
  EXPECT_EQ(derive_saturation({.vibrance = 1}).enabled, 1u);
  EXPECT_EQ(derive_saturation({.saturation = -1}).enabled, 1u);
}

TEST(Saturation, DoublesOrRemovesColour) {
  EXPECT_EQ(saturation(derive_saturation({.saturation = 100}), {0.5f, 0.1f, -0.05f}, {}), (Rgb{0.5f, 0.2f, -0.1f}));
  EXPECT_EQ(saturation(derive_saturation({.saturation = -100}), {0.5f, 0.1f, -0.05f}, {}), (Rgb{0.5f, 0, 0}));
}

TEST(Saturation, GreysStay) {
  EXPECT_EQ(saturation(derive_saturation({.vibrance = 100, .saturation = 70}), {0.5f, 0, 0}, {}), (Rgb{0.5f, 0, 0}));
}

TEST(Saturation, VibranceFavoursMutedColours) {
  const SaturationParams p = derive_saturation({.vibrance = 100});
  const float muted = chroma_of(saturation(p, colour(0.03f, 250), {})) / 0.03f;
  const float strong = chroma_of(saturation(p, colour(0.3f, 250), {})) / 0.3f;
  EXPECT_GT(muted, 1.9f);
  EXPECT_LT(strong, 1.15f);
}

TEST(Saturation, VibranceSparesSkin) {
  // OkLab hues of faces, from very fair to very dark: 45 to 60 degrees.
  const SaturationParams p = derive_saturation({.vibrance = 100});
  for (const float hue : {45.0f, 52.0f, 59.0f}) {
    EXPECT_LT(chroma_of(saturation(p, colour(0.06f, hue), {})) / 0.06f, 1.25f) << hue;
  }
  EXPECT_GT(chroma_of(saturation(p, colour(0.06f, 140), {})) / 0.06f, 1.75f);
}

TEST(Saturation, NoTwoColoursSwapAndHueStays) {
  for (const float amount : {-100.0f, -50.0f, 50.0f, 100.0f}) {
    const SaturationParams p = derive_saturation({.vibrance = amount});
    for (float hue = 0; hue < 360; hue += 10) {
      float before = -1;
      for (float chroma = 0; chroma < 0.5f; chroma += 0.002f) {
        const Rgb v = saturation(p, colour(chroma, hue), {});
        ASSERT_GT(chroma_of(v), before) << amount << " at " << hue;
        before = chroma_of(v);
        const Rgb in = colour(chroma, hue);
        ASSERT_NEAR(v.g * in.b, v.b * in.g, 1e-7f);
      }
    }
  }
}

}  // namespace
}  // namespace imago::develop
