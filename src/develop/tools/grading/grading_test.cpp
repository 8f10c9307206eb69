#include "develop/tools/grading/grading.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "develop/settings/grading.h"

namespace imago::develop {
namespace {

float hue_of(float a, float b) { return std::fmod(std::atan2(b, a) * 180 / std::numbers::pi_v<float> + 360, 360.0f); }

TEST(Grading, IsOffWithoutAColourAndALightness) {
  EXPECT_EQ(derive_grading({}).enabled, 0u);
  EXPECT_EQ(derive_grading({.shadows_hue_deg = 200, .blending = 0, .balance = 50}).enabled, 0u);
  EXPECT_EQ(derive_grading({.global_luminance = -1}).enabled, 1u);
}

TEST(Grading, TintsHaveTheWheelsHues) {
  // OkLab hues of sRGB's red, yellow, green, aqua, blue, magenta (Ottosson's matrices): 29.2 109.8 142.5 194.8 264.1
  // 328.4 degrees.
  const float expected[] = {29.23f, 109.77f, 142.50f, 194.77f, 264.05f, 328.36f};
  for (int i = 0; i < 6; ++i) {
    const GradingParams p =
        derive_grading({.midtones_hue_deg = 60.0f * static_cast<float>(i), .midtones_saturation = 100});
    EXPECT_NEAR(hue_of(p.tint_a[1], p.tint_b[1]), expected[i], 0.05f);
    EXPECT_NEAR(std::hypot(p.tint_a[1], p.tint_b[1]), 0.09f, 1e-6f);
  }
  const GradingParams turned = derive_grading({.global_hue_deg = 360, .global_saturation = 50});
  EXPECT_NEAR(hue_of(turned.tint_a[3], turned.tint_b[3]), 29.23f, 0.05f);
}

TEST(Grading, EachRangeHasItsTonesAndBalanceMovesThem) {
  const GradingParams shadows = derive_grading({.shadows_hue_deg = 240, .shadows_saturation = 100, .blending = 0});
  EXPECT_LT(grading(shadows, {0.2f, 0, 0}, {}).b, -0.05f);
  EXPECT_EQ(grading(shadows, {0.55f, 0, 0}, {}), (Rgb{0.55f, 0, 0}));
  const GradingParams wide =
      derive_grading({.shadows_hue_deg = 240, .shadows_saturation = 100, .blending = 0, .balance = -100});
  EXPECT_LT(grading(wide, {0.5f, 0, 0}, {}).b, -0.03f);
  const GradingParams highlights =
      derive_grading({.highlights_hue_deg = 60, .highlights_saturation = 100, .blending = 0});
  EXPECT_GT(grading(highlights, {0.85f, 0, 0}, {}).b, 0.05f);
  EXPECT_EQ(grading(highlights, {0.5f, 0, 0}, {}), (Rgb{0.5f, 0, 0}));
}

TEST(Grading, BlackAndWhiteStay) {
  const GradingParams p = derive_grading({.global_hue_deg = 30, .global_saturation = 100, .global_luminance = 100});
  for (const float x : {-0.1f, 0.0f, 1.0f, 1.2f}) EXPECT_EQ(grading(p, {x, 0, 0}, {}), (Rgb{x, 0, 0}));
}

TEST(Grading, NoTwoTonesSwapAtAnySetting) {
  for (int corner = 0; corner < 81 * 9; ++corner) {
    const auto digit = [&](int place) { return static_cast<float>(corner / place % 3 - 1) * 100; };
    const GradingParams p = derive_grading({.shadows_luminance = digit(1),
                                            .midtones_luminance = digit(3),
                                            .highlights_luminance = digit(9),
                                            .global_luminance = digit(27),
                                            .blending = 50 + digit(81) / 2,
                                            .balance = digit(243)});
    if (p.enabled == 0) continue;
    float before = -1;
    for (int i = 0; i <= 400; ++i) {
      const float x = grading(p, {static_cast<float>(i) / 400, 0, 0}, {}).r;
      ASSERT_GE(x, before) << corner << " at " << i;
      before = x;
    }
  }
}

}  // namespace
}  // namespace imago::develop
