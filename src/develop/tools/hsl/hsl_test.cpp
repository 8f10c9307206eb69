#include "develop/tools/hsl/hsl.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace imago::develop {
namespace {

constexpr float degree = std::numbers::pi_v<float> / 180;

Rgb colour(float hue_deg, float chroma = 0.2f) {
  return {0.6f, chroma * std::cos(hue_deg * degree), chroma * std::sin(hue_deg * degree)};
}
float hue_of(Rgb lab) { return std::fmod(std::atan2(lab.b, lab.g) / degree + 360, 360.0f); }
float chroma_of(Rgb lab) { return std::hypot(lab.g, lab.b); }

TEST(Hsl, IsOffAtZero) {
  EXPECT_EQ(derive_hsl({}).enabled, 0u);
  EXPECT_EQ(derive_hsl({.hue_aqua = 1}).enabled, 1u);
  EXPECT_EQ(derive_hsl({.luminance_magenta = -1}).enabled, 1u);
}

TEST(Hsl, ASliderMovesItsOwnBandAlone) {
  const HslParams p = derive_hsl({.hue_green = 100, .saturation_blue = -100, .luminance_orange = 100});
  const Rgb green = hsl(p, colour(142), {});
  EXPECT_NEAR(hue_of(green), 172, 1e-3f);
  EXPECT_NEAR(chroma_of(green), 0.2f, 1e-6f);
  EXPECT_NEAR(green.r, 0.6f, 1e-6f);
  const Rgb blue = hsl(p, colour(262), {});
  EXPECT_NEAR(chroma_of(blue), 0, 1e-6f);
  const Rgb orange = hsl(p, colour(53), {});
  EXPECT_NEAR(orange.r, 0.6f * (1 + 0.25f * 0.978f), 1e-3f);
  EXPECT_NEAR(chroma_of(orange) / orange.r, 0.2f / 0.6f, 1e-6f);  // as saturated as before
  for (const float hue : {29.0f, 108.0f, 195.0f, 295.0f, 330.0f}) {
    const Rgb v = hsl(p, colour(hue), {});
    EXPECT_NEAR(v.r, 0.6f, 1e-6f) << hue;
    EXPECT_NEAR(v.g, colour(hue).g, 1e-6f) << hue;
    EXPECT_NEAR(v.b, colour(hue).b, 1e-6f) << hue;
  }
}

TEST(Hsl, EqualHueSlidersTurnTheWholeCircle) {
  const HslParams p = derive_hsl({.hue_red = 60,
                                  .hue_orange = 60,
                                  .hue_yellow = 60,
                                  .hue_green = 60,
                                  .hue_aqua = 60,
                                  .hue_blue = 60,
                                  .hue_purple = 60,
                                  .hue_magenta = 60});
  for (float hue = 0; hue < 340; hue += 5) EXPECT_NEAR(hue_of(hsl(p, colour(hue), {})), hue + 18, 2e-3f);
}

TEST(Hsl, GreysKeepTheirBits) {
  const HslParams p = derive_hsl({.hue_red = 50, .saturation_red = 100, .luminance_red = 100, .luminance_aqua = -100});
  for (const float x : {0.0f, 0.1f, 0.7f, 1.0f}) EXPECT_EQ(hsl(p, {x, 0, 0}, {}), (Rgb{x, 0, 0}));
}

TEST(Hsl, NearlyGreyPixelsHardlyChangeInLightness) {
  const HslParams p = derive_hsl({.luminance_red = 100, .luminance_aqua = -100});
  EXPECT_NEAR(hsl(p, colour(29, 0.003f), {}).r, 0.6f, 0.002f);  // noise must not turn to speckles
}

}  // namespace
}  // namespace imago::develop
