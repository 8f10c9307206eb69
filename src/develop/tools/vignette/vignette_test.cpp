#include "develop/tools/vignette/vignette.h"

#include <gtest/gtest.h>

#include <cmath>

namespace imago::develop {
namespace {

constexpr Pixel middle{};
constexpr Pixel corner{.frame_x = 1, .frame_y = -1};

VignetteParams scene(const Vignette& s, double aspect = 1.5) {
  return derive_vignette(s, VignetteStyle::highlight_priority, aspect);
}
VignetteColorsParams colors(Vignette s) {
  s.style = static_cast<int>(VignetteStyle::color_priority);
  return {derive_vignette(s, VignetteStyle::color_priority, 1.5)};
}
VignettePaintParams paint(Vignette s) {
  s.style = static_cast<int>(VignetteStyle::paint_overlay);
  return {derive_vignette(s, VignetteStyle::paint_overlay, 1.5)};
}

TEST(Vignette, OnlyTheStyleThatIsChosenIsOn) {
  EXPECT_EQ(scene({}).enabled, 0u);
  EXPECT_EQ(scene({.amount = -10}).enabled, 1u);
  EXPECT_EQ(derive_vignette({.amount = -10}, VignetteStyle::paint_overlay, 1.5).enabled, 0u);
  EXPECT_EQ(paint({.amount = 10}).enabled, 1u);
}

TEST(Vignette, TheMiddleStaysAndTheCornersChange) {
  const Rgb v = {0.3f, 0.2f, 0.1f};
  EXPECT_EQ(vignette(scene({.amount = -100}), v, middle), v);
  EXPECT_EQ(vignette_colors(colors({.amount = 100}), v, middle), v);
  EXPECT_EQ(vignette_paint(paint({.amount = 100}), v, middle), v);
  const Rgb dark = vignette(scene({.amount = -100}), v, corner);
  EXPECT_NEAR(dark.r, 0.3f / 8, 1e-6f);  // three stops
  EXPECT_NEAR(dark.b, 0.1f / 8, 1e-6f);
}

TEST(Vignette, DarknessGrowsWithTheDistance) {
  for (const float roundness : {-100.0f, -30.0f, 0.0f, 40.0f, 100.0f}) {
    const VignetteParams p = scene({.amount = -100, .roundness = roundness, .feather = 70});
    float before = 2;
    for (float t = 0; t <= 1; t += 0.01f) {
      const float now = vignette(p, {1, 1, 1}, {.frame_x = t, .frame_y = t}).r;
      ASSERT_LE(now, before);
      before = now;
    }
    EXPECT_NEAR(before, 0.125f, 1e-5f);
  }
}

TEST(Vignette, RoundnessMakesACircleOrARectangle) {
  const auto mask = [](float roundness, float x, float y) {
    return vignette_mask(scene({.amount = -100, .roundness = roundness}), {.frame_x = x, .frame_y = y});
  };
  EXPECT_NEAR(mask(100, 0.6f, 0), mask(100, 0, 0.9f), 1e-5f);  // 3 : 2, as far from the middle in pixels
  EXPECT_NEAR(mask(0, 0.7f, 0), mask(0, 0, 0.7f), 1e-6f);
  EXPECT_GT(mask(-100, 0.8f, 0.8f) - mask(-100, 0.8f, 0), -1e-6f);
  EXPECT_LT(mask(-100, 0.8f, 0.8f) - mask(-100, 0.8f, 0), mask(0, 0.8f, 0.8f) - mask(0, 0.8f, 0));
}

TEST(Vignette, HighlightsAreKeptWhenDarkened) {
  const VignetteParams p = scene({.amount = -100, .highlights = 100});
  EXPECT_NEAR(vignette(p, {1, 1, 1}, corner).r, 1, 1e-6f);
  EXPECT_NEAR(vignette(p, {0.1f, 0.1f, 0.1f}, corner).r, 0.0125f, 1e-6f);
  EXPECT_NEAR(vignette(scene({.amount = 100, .highlights = 100}), {1, 1, 1}, corner).r, 8, 1e-4f);
}

TEST(Vignette, ColourPriorityKeepsRatiosAndNeverLeavesTheRange) {
  const Rgb v = vignette_colors(colors({.amount = 100}), {0.9f, 0.45f, 0.09f}, corner);
  EXPECT_LT(v.r, 1);
  EXPECT_NEAR(v.g / v.r, 0.5f, 1e-6f);
  EXPECT_NEAR(v.b / v.r, 0.1f, 1e-6f);
}

TEST(Vignette, PaintCoversTheCorners) {
  EXPECT_NEAR(vignette_paint(paint({.amount = -100}), {0.9f, 0.5f, 0.1f}, corner).r, 0, 1e-6f);
  EXPECT_NEAR(vignette_paint(paint({.amount = 100}), {0.9f, 0.5f, 0.1f}, corner).b, 1, 1e-6f);
  EXPECT_NEAR(vignette_paint(paint({.amount = -50}), {0.9f, 0.5f, 0.1f}, corner).r, 0.9f * std::pow(0.5f, 2.2f), 1e-5f);
}

}  // namespace
}  // namespace imago::develop
