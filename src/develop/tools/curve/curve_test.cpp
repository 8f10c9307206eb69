#include "develop/tools/curve/curve.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace imago::develop {
namespace {

std::vector<CurvePoint> contrast() { return {{0, 0}, {0.25f, 0.15f}, {0.75f, 0.85f}, {1, 1}}; }

TEST(Curve, IsOffWithoutPoints) {
  EXPECT_EQ(derive_curve({}).enabled, 0u);
  EXPECT_TRUE(curve_table({}).empty());
  EXPECT_EQ(derive_curve({.red = {{0.5f, 0.5f}}}).enabled, 1u);
}

TEST(Curve, GoesThroughItsPoints) {
  const MonotoneCubic curve(contrast());
  for (const CurvePoint& point : contrast()) EXPECT_NEAR(curve(double{point.x}), double{point.y}, 1e-7);
}

TEST(Curve, MatchesFritschAndCarlsonByHand) {
  // Secants 0.5, 1.5, 0: slopes 0.5, 1.0, then level; the third point's is 0.
  const MonotoneCubic curve({{0, 0}, {0.4f, 0.2f}, {0.8f, 0.8f}, {1, 0.8f}});
  EXPECT_NEAR(curve(0.2), 0.5 * 0.2 + 0.4 / 8 * (0.5 - 1.0), 1e-7);
  EXPECT_NEAR(curve(0.6), 0.5 + 0.4 / 8 * (1.0 - 0.0), 1e-7);
  EXPECT_NEAR(curve(0.9), 0.8, 1e-7);
}

TEST(Curve, RisesBetweenRisingPointsWithoutOvershoot) {
  const MonotoneCubic curve({{0, 0}, {0.1f, 0.7f}, {0.15f, 0.71f}, {0.8f, 0.72f}, {0.81f, 0.95f}, {1, 1}});
  double before = 0;
  for (int i = 0; i <= 10000; ++i) {
    const double now = curve(i / 10000.0);
    ASSERT_GE(now, before - 1e-12) << i;
    before = now;
  }
  EXPECT_LE(before, 1);
}

TEST(Curve, IsLevelBesideItsPointsAndTakesThemInAnyOrder) {
  const MonotoneCubic curve({{0.8f, 0.9f}, {0.2f, 0.1f}});
  EXPECT_NEAR(curve(0), 0.1, 1e-7);
  EXPECT_NEAR(curve(1), 0.9, 1e-7);
  EXPECT_NEAR(curve(0.5), 0.5, 1e-7);
  EXPECT_NEAR(MonotoneCubic({{0.5f, 0.3f}})(0.9), 0.3, 1e-7);
  EXPECT_NEAR(MonotoneCubic({{0.5f, 0.3f}, {0.5f, 0.4f}})(0.1), 0.4, 1e-7);  // the last of two at one place
}

TEST(Curve, AStraightCurveChangesNothingThatShows) {
  const Curve settings{.rgb = {{0, 0}, {1, 1}}};
  const std::vector<float> table = curve_table(settings);
  for (float x = 0; x <= 1; x += 0.001f) {
    const Rgb v = curve({}, {x, x, x}, {.curve_table = table.data()});
    ASSERT_NEAR(v.r, x, 2e-6f);  // half a 16-bit step is 7.6e-6
  }
}

TEST(Curve, TheParametricCurveRisesAtEverySettingAndKeepsItsEnds) {
  for (int corner = 0; corner < 81 * 27; ++corner) {
    const auto digit = [&](int place) { return static_cast<float>(corner / place % 3 - 1); };
    Curve s{
        .shadows = 100 * digit(1), .darks = 100 * digit(3), .lights = 100 * digit(9), .highlights = 100 * digit(27)};
    s.shadow_split = 40 + 30 * digit(81);
    s.midtone_split = 50 + 30 * digit(243);
    s.highlight_split = 60 + 30 * digit(729);
    const MonotoneCubic curve(parametric_points(s));
    ASSERT_EQ(curve(0), 0);
    ASSERT_EQ(curve(1), 1);
    double before = 0;
    for (int i = 1; i <= 500; ++i) {
      const double now = curve(i / 500.0);
      ASSERT_GT(now, before) << corner << " at " << i;
      before = now;
    }
  }
}

TEST(Curve, AParametricRegionMovesItsOwnTones) {
  const MonotoneCubic curve(parametric_points({.darks = 100}));
  EXPECT_NEAR(curve(0.375), 0.375 + 0.45 * 0.25, 1e-7);
  EXPECT_NEAR(curve(0.125), 0.125, 1e-7);
  EXPECT_NEAR(curve(0.875), 0.875, 1e-7);
}

TEST(Curve, RefinedSaturationKeepsTheColourAtZeroAndGreysAlways) {
  const Rgb in = {0.3f, 0.2f, 0.1f};
  const auto run = [&](float refine, Rgb v) {
    const Curve s{.rgb = contrast(), .refine_saturation = refine};
    const std::vector<float> table = curve_table(s);
    return curve(derive_curve(s), v, {.curve_table = table.data()});
  };
  const Rgb plain = run(100, in), kept = run(0, in), more = run(200, in);
  EXPECT_NEAR(kept.r / kept.b, 3, 1e-4f);
  EXPECT_NEAR(kept.g / kept.b, 2, 1e-4f);
  EXPECT_NEAR(working_luminance(kept), working_luminance(plain), 1e-6f);
  EXPECT_GT(plain.r / plain.b, 3.2f);
  EXPECT_GT(more.r / more.b, plain.r / plain.b);
  const Rgb grey = run(30, {0.2f, 0.2f, 0.2f});
  EXPECT_EQ(grey.r, grey.g);
  EXPECT_NEAR(grey.r, run(100, {0.2f, 0.2f, 0.2f}).r, 1e-6f);
}

TEST(Curve, ChannelsComeAfterAll) {
  const Curve settings{.rgb = contrast(), .green = {{0, 1}, {1, 0}}};
  const std::vector<float> table = curve_table(settings);
  ASSERT_EQ(table.size(), 3u * curve_samples);
  const MonotoneCubic all(contrast());
  for (const int i : {0, 1000, 4095}) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_NEAR(table[at], all(i / 4095.0), 1e-6);
    EXPECT_NEAR(table[curve_samples + at], 1 - all(i / 4095.0), 1e-6);
    EXPECT_EQ(table[2 * curve_samples + at], table[at]);
  }
}

TEST(Curve, ValuesBeyondTheEndsAreClamped) {
  const std::vector<float> table = curve_table({.rgb = {{0, 0.1f}, {1, 0.9f}}});
  const Pixel at{.curve_table = table.data()};
  EXPECT_EQ(curve({}, {-1, 2, std::numeric_limits<float>::quiet_NaN()}, at).r, curve({}, {0, 1, 0}, at).r);
  EXPECT_EQ(curve({}, {-1, 2, 0}, at).g, curve({}, {0, 1, 0}, at).g);
}

}  // namespace
}  // namespace imago::develop
