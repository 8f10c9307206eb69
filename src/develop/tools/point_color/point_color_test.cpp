#include "develop/tools/point_color/point_color.h"

#include <gtest/gtest.h>

#include <numbers>

namespace imago::develop {
namespace {

constexpr float degree = std::numbers::pi_v<float> / 180;

Rgb colour(float hue_deg, float chroma = 0.12f, float lightness = 0.6f) {
  return {lightness, chroma * std::cos(hue_deg * degree), chroma * std::sin(hue_deg * degree)};
}
float hue_of(Rgb lab) { return std::fmod(std::atan2(lab.b, lab.g) / degree + 360, 360.0f); }
float chroma_of(Rgb lab) { return std::hypot(lab.g, lab.b); }
PointColorParams one(PointColorSample sample, int show = -1) { return derive_point_color({.list = {sample}}, show); }
constexpr float full = 0.0144f / (0.0144f + 0.0009f);  // colourfulness of the sample

TEST(PointColor, IsOffUntilSomethingIsShiftedOrShown) {
  EXPECT_EQ(derive_point_color({}).enabled, 0u);
  EXPECT_EQ(one({}).enabled, 0u);
  EXPECT_EQ(one({.hue_shift = 1}).enabled, 1u);
  EXPECT_EQ(one({}, 0).enabled, 1u);
  EXPECT_EQ(one({}, 1).enabled, 0u);
}

TEST(PointColor, ShiftsTheColourThatWasPicked) {
  EXPECT_NEAR(hue_of(point_color(one({.hue_shift = 100}), colour(40), {})), 40 + 30 * full, 1e-2f);
  EXPECT_NEAR(chroma_of(point_color(one({.saturation_shift = -50}), colour(40), {})), 0.12f * (1 - 0.5f * full), 1e-6f);
  EXPECT_NEAR(point_color(one({.luminance_shift = 100}), colour(40), {}).r, 0.6f * (1 + 0.25f * full), 1e-6f);
}

TEST(PointColor, LeavesColoursOutOfRangeAndGreysAlone) {
  const PointColorParams p = one({.hue_shift = 100,
                                  .saturation_shift = 100,
                                  .luminance_shift = 100,
                                  .hue_range = 0,
                                  .saturation_range = 0,
                                  .luminance_range = 0,
                                  .variance = 100});
  for (const Rgb v :
       {colour(47), colour(33), colour(220), colour(40, 0.16f), colour(40, 0.12f, 0.75f), Rgb{0.6f, 0, 0}}) {
    EXPECT_EQ(point_color(p, v, {}), v);
  }
}

TEST(PointColor, VarianceDrawsColoursTogetherOrApart) {
  const Rgb near = colour(46, 0.13f, 0.62f);
  const auto distance = [&](Rgb v) { return std::hypot(v.r - 0.6f, v.g - colour(40).g, v.b - colour(40).b); };
  EXPECT_LT(distance(point_color(one({.variance = -100}), near, {})), 0.1f * distance(near));
  EXPECT_GT(distance(point_color(one({.variance = 100}), near, {})), 1.8f * distance(near));
}

TEST(PointColor, SamplesDoNotDependOnTheirOrder) {
  const PointColorSample a{.hue_deg = 30, .hue_shift = 60}, b{.hue_deg = 50, .saturation_shift = 40, .variance = -30};
  const Rgb first = point_color(derive_point_color({.list = {a, b}}), colour(42), {});
  const Rgb second = point_color(derive_point_color({.list = {b, a}}), colour(42), {});
  EXPECT_NEAR(first.r, second.r, 1e-7f);
  EXPECT_NEAR(first.g, second.g, 1e-7f);
  EXPECT_NEAR(first.b, second.b, 1e-7f);
}

TEST(PointColor, TheOverlayGreysWhatIsOutOfRange) {
  const PointColorParams p = one({}, 0);
  EXPECT_NEAR(chroma_of(point_color(p, colour(40), {})), 0.12f * full, 1e-6f);
  EXPECT_EQ(chroma_of(point_color(p, colour(220), {})), 0);
}

}  // namespace
}  // namespace imago::develop
