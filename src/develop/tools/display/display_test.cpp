#include "develop/tools/display/display.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace imago::develop {
namespace {

const DisplayParams standard = derive_display(DisplayCurve::standard);

TEST(Display, MidGreyLandsWhereTheHeaderSays) { EXPECT_NEAR(display_curve(standard, 0.18f), display_grey, 1e-6); }

TEST(Display, RisesEverywhereAndStaysBelowWhite) {
  float before = -1;
  for (float stops = -14; stops < 16; stops += 0.05f) {
    const float now = display_curve(standard, std::exp2(stops));
    ASSERT_GE(now, before - 1.2e-7f) << stops;  // beside 1 by a rounding
    ASSERT_LE(now, 1.0f);
    if (stops > -12 && stops < 4) {
      ASSERT_GT(now, before) << stops;
    }
    before = now;
  }
  EXPECT_EQ(display_curve(standard, 0), 0);
  EXPECT_GT(display_curve(standard, 1), 0.9f);
  EXPECT_GT(display_curve(standard, 16), 0.999f);
}

TEST(Display, HasNoKink) {
  // The slope in stops changes by little from step to step.
  double before = 0;
  for (int i = -200; i < 100; ++i) {
    const auto level = [&](int step) {
      return std::log2(static_cast<double>(display_curve(standard, std::exp2(static_cast<float>(step) * 0.05f))));
    };
    const double slope = (level(i + 1) - level(i)) / 0.05;
    if (i > -200) {
      ASSERT_NEAR(slope, before, 0.03) << i;
    }
    before = slope;
  }
}

TEST(Display, GreysStayExactlyGrey) {
  for (float x = 1e-6f; x < 100; x *= 1.07f) {
    const Rgb v = display(standard, {x, x, x}, {});
    ASSERT_EQ(v.r, v.g);
    ASSERT_EQ(v.r, v.b);
  }
}

TEST(Display, LinearIsOff) { EXPECT_EQ(derive_display(DisplayCurve::linear).enabled, 0u); }

TEST(Display, ColoursBeyondTheWorkingSpaceKeepTheirLight) {
  // A blue lamp whose luminance is negative: no black squares, and no violet.
  const Rgb v = display(standard, {-0.3f, -0.05f, 1.0f}, {});
  EXPECT_EQ(v.r, 0);
  EXPECT_EQ(v.g, 0);
  EXPECT_NEAR(v.b, display_curve(standard, 1), 1e-6f);
  EXPECT_EQ(display(standard, {-1, -0.5f, -2}, {}), (Rgb{0, 0, 0}));
}

TEST(Display, IsContinuousWhereAChannelTurnsNegative) {
  const Rgb above = display(standard, {1e-7f, 0.2f, 0.5f}, {});
  const Rgb below = display(standard, {-1e-7f, 0.2f, 0.5f}, {});
  EXPECT_NEAR(above.r, below.r, 1e-6f);
  EXPECT_NEAR(above.g, below.g, 1e-6f);
  EXPECT_NEAR(above.b, below.b, 1e-6f);
}

TEST(Display, KeepsMoreOfTheHueThanEachChannelAlone) {
  const auto hue = [](Rgb v) {  // place of the middle channel between the others
    const auto [low, high] = std::minmax({v.r, v.g, v.b});
    return (v.r + v.g + v.b - low - high - low) / (high - low);
  };
  const Rgb orange = {1.0f, 0.35f, 0.05f};
  const Rgb alone = {display_curve(standard, orange.r), display_curve(standard, orange.g),
                     display_curve(standard, orange.b)};
  const Rgb v = display(standard, orange, {});
  EXPECT_EQ(v.r, alone.r);
  EXPECT_NEAR(v.b, alone.b, 1e-6f);
  EXPECT_NEAR(std::abs(hue(v) - hue(orange)), (1 - standard.hue_keep) * std::abs(hue(alone) - hue(orange)), 1e-5f);
}

}  // namespace
}  // namespace imago::develop
