#include "develop/stages/masks/masks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "develop/stages/geom/geom.h"

namespace imago::develop {
namespace {

using geometry::Affine;

MasksPlan plan_on(const GeomPlan& geom, std::vector<Mask> list) {
  return plan_masks({std::move(list)}, sensor_from_output(geom), geom.source_width, geom.source_height,
                    geom.output_width, geom.output_height);
}

TEST(Masks, ALinearMaskRunsFromNothingToAllBetweenItsPoints) {
  const MasksPlan plan = plan_on(plan_geom({}, 1, 100, 80), {{.start_y = 0.25f, .end_y = 0.75f}});
  const LinearMask& mask = plan.masks[0];
  for (int x : {0, 50, 99}) {
    EXPECT_EQ(mask_at(mask, x, 0), 0);
    EXPECT_EQ(mask_at(mask, x, 19), 0);
    EXPECT_EQ(mask_at(mask, x, 60), 255);
    EXPECT_EQ(mask_at(mask, x, 79), 255);
    for (int y = 0; y < 80; ++y) {
      const double t = std::clamp((y + 0.5 - 20) / 40, 0.0, 1.0);
      EXPECT_NEAR(mask_at(mask, x, y), 255 * t * t * (3 - 2 * t), 0.5001) << y;
    }
  }
}

TEST(Masks, TheRampIsSquareToItsDirectionInPixels) {
  // From the top left to the bottom right of a wide sensor: points at one distance along it have one value.
  const MasksPlan plan = plan_on(plan_geom({}, 1, 400, 100), {{.start_x = 0, .start_y = 0, .end_x = 1, .end_y = 1}});
  // (x, y) and (x - 1, y + 4) lie on one line square to (400, 100).
  for (int y = 0; y < 90; y += 10) EXPECT_EQ(mask_at(plan.masks[0], 200, y), mask_at(plan.masks[0], 199, y + 4)) << y;
}

TEST(Masks, InvertIsTheRest) {
  const MasksPlan plan = plan_on(plan_geom({}, 1, 50, 50), {{.end_x = 0.7f}, {.end_x = 0.7f, .invert = 1}});
  for (int y = 0; y < 50; ++y) {
    for (int x = 0; x < 50; ++x) EXPECT_EQ(mask_at(plan.masks[0], x, y) + mask_at(plan.masks[1], x, y), 255);
  }
}

TEST(Masks, PointsThatCoincideMaskNothing) {
  const MasksPlan plan = plan_on(
      plan_geom({}, 1, 9, 9),
      {{.start_y = 0.5f, .end_y = 0.5f}, {.start_y = 0.5f, .end_y = 0.5f, .invert = 1}, {.start_y = std::nanf("")}});
  EXPECT_EQ(mask_at(plan.masks[0], 4, 4), 0);
  EXPECT_EQ(mask_at(plan.masks[1], 4, 4), 255);
  EXPECT_EQ(mask_at(plan.masks[2], 4, 4), 0);
}

TEST(Masks, AMaskStaysOnItsSubjectWhateverTheFraming) {
  const std::vector<Mask> list = {{.start_x = 0.2f, .start_y = 0.3f, .end_x = 0.8f, .end_y = 0.6f}};
  const MasksPlan upright = plan_on(plan_geom({}, 1, 60, 40), list);
  const Geometry geometry{.crop_left = 0.1f, .crop_right = 0.9f, .quarter_turns = 3, .flip_horizontal = 1};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const GeomPlan geom = plan_geom(geometry, orientation, 60, 40);
    const MasksPlan plan = plan_on(geom, list);
    for (int y = 0; y < geom.output_height; ++y) {
      for (int x = 0; x < geom.output_width; ++x) {
        const auto at = apply(geom.source_from_output, geometry::Position<double>{x + 0.5, y + 0.5});
        const int expected = mask_at(upright.masks[0], static_cast<int>(at.x), static_cast<int>(at.y));
        ASSERT_NEAR(mask_at(plan.masks[0], x, y), expected, 1) << orientation;  // a rounding tie may fall either way
      }
    }
  }
}

TEST(Masks, FourMasksShareAWord) {
  std::vector<Mask> list;
  for (int i = 0; i < 6; ++i) list.push_back({.start_x = 0.1f * static_cast<float>(i), .end_y = 0.6f});
  const MasksPlan plan = plan_on(plan_geom({}, 1, 13, 7), list);
  ASSERT_EQ(plan.words_per_pixel(), 2);
  std::vector<std::uint32_t> words(13 * 7 * 2);
  mask_rows(plan, {0, 7}, words.data());
  for (int y = 0; y < 7; ++y) {
    for (int x = 0; x < 13; ++x) {
      for (int i = 0; i < 8; ++i) {
        const std::uint32_t word = words[static_cast<std::size_t>((y * 13 + x) * 2 + i / 4)];
        const int expected = i < 6 ? mask_at(plan.masks[static_cast<std::size_t>(i)], x, y) : 0;
        ASSERT_EQ((word >> (8 * (i % 4))) & 255u, static_cast<std::uint32_t>(expected));
      }
    }
  }
  std::vector<std::uint32_t> rows(13 * 2 * 2);
  mask_rows(plan, {3, 5}, rows.data());
  EXPECT_TRUE(std::equal(rows.begin(), rows.end(), words.begin() + 3 * 13 * 2));
}

TEST(Masks, AmountIsNotPartOfTheMask) {
  const GeomPlan geom = plan_geom({}, 1, 50, 50);
  EXPECT_EQ(key(plan_on(geom, {{.amount = 10}}), 1), key(plan_on(geom, {{.amount = 90, .exposure_ev = 2}}), 1));
  EXPECT_NE(key(plan_on(geom, {{.start_x = 0.1f}}), 1), key(plan_on(geom, {{.start_x = 0.2f}}), 1));
}

// The first mask's byte everywhere.
std::vector<int> bytes_of(const MasksPlan& plan, const Rgb32f* scene = nullptr, int mask = 0) {
  const auto words = static_cast<std::size_t>(plan.words_per_pixel());
  const auto pixels = static_cast<std::size_t>(plan.width) * static_cast<std::size_t>(plan.height);
  std::vector<std::uint32_t> packed(pixels * words);
  mask_rows(plan, {0, plan.height}, packed.data(), scene);
  std::vector<int> out;
  const auto at = static_cast<std::size_t>(mask);
  for (std::size_t i = 0; i < pixels; ++i) {
    out.push_back(static_cast<int>((packed[i * words + at / 4] >> (8 * (at % 4))) & 255u));
  }
  return out;
}

Mask radial(float center_x, float radius) {
  Mask mask;
  mask.kind = static_cast<std::int32_t>(MaskKind::radial);
  mask.center_x = center_x;
  mask.radius_x = radius;
  mask.radius_y = 2 * radius;  // a circle on a sensor twice as wide as high
  mask.feather = 40;
  return mask;
}

Mask with(Mask mask, MaskCombine combine) {
  mask.combine = static_cast<std::int32_t>(combine);
  return mask;
}

TEST(Masks, ARadialMaskFallsOffOverItsFeather) {
  const std::vector<int> bytes = bytes_of(plan_on(plan_geom({}, 1, 100, 50), {radial(0.5f, 0.2f)}));
  for (int y = 0; y < 50; ++y) {
    for (int x = 0; x < 100; ++x) {
      const double q = std::hypot(x + 0.5 - 50, y + 0.5 - 25) / 20;
      const double t = std::clamp((1 - q) / 0.4, 0.0, 1.0);
      ASSERT_NEAR(bytes[static_cast<std::size_t>(y * 100 + x)], 255 * t * t * (3 - 2 * t), 0.502) << x << ' ' << y;
    }
  }
}

TEST(Masks, PartsAddSubtractAndIntersect) {
  const GeomPlan geom = plan_geom({}, 1, 100, 50);
  const Mask a = radial(0.4f, 0.2f), b = radial(0.6f, 0.2f);
  const std::vector<int> first = bytes_of(plan_on(geom, {a})), second = bytes_of(plan_on(geom, {b}));
  for (const MaskCombine combine : {MaskCombine::add, MaskCombine::subtract, MaskCombine::intersect}) {
    const MasksPlan plan = plan_on(geom, {a, with(b, combine)});
    const std::vector<int> whole = bytes_of(plan), part = bytes_of(plan, nullptr, 1);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const double p = first[i], q = second[i];
      const double expected = combine == MaskCombine::add        ? std::max(p, q)
                              : combine == MaskCombine::subtract ? p * (255 - q) / 255
                                                                 : p * q / 255;
      ASSERT_NEAR(whole[i], expected, 1.51);  // the two alone are rounded already
      ASSERT_EQ(part[i], 0);
    }
  }
}

TEST(Masks, BrushesLayOnUpToTheirDensityAndErase) {
  Mask mask;
  mask.kind = static_cast<std::int32_t>(MaskKind::brush);
  for (int i = 0; i < 40; ++i) mask.dabs.push_back({.x = 0.5f, .y = 0.5f, .size = 0.2f, .flow = 30, .density = 60});
  const GeomPlan geom = plan_geom({}, 1, 100, 50);
  const std::vector<int> laid = bytes_of(plan_on(geom, {mask}));
  EXPECT_NEAR(laid[25 * 100 + 50], 0.6 * 255, 1);
  EXPECT_EQ(laid[25 * 100 + 75], 0);
  mask.dabs.resize(1);
  EXPECT_NEAR(bytes_of(plan_on(geom, {mask}))[25 * 100 + 50], 0.3 * 0.6 * 255, 1);
  mask.dabs.push_back({.x = 0.5f, .y = 0.5f, .size = 0.3f, .erase = 1});
  EXPECT_EQ(bytes_of(plan_on(geom, {mask}))[25 * 100 + 50], 0);
}

TEST(Masks, LuminanceAndColorRangesPickTheirPixels) {
  Rgb32f scene(4, 1);
  const float pixels[] = {0.001f, 0.001f, 0.001f, 0.2f, 0.2f, 0.2f, 0.9f, 0.05f, 0.05f, 0.09f, 0.005f, 0.005f};
  std::copy(std::begin(pixels), std::end(pixels), scene.pixels.begin());
  Mask dark;
  dark.kind = static_cast<std::int32_t>(MaskKind::luminance);
  dark.high = 30;
  dark.smoothness = 10;
  Mask red;
  red.kind = static_cast<std::int32_t>(MaskKind::color);
  red.red = 0.9f;
  red.green = red.blue = 0.05f;
  const MasksPlan plan = plan_on(plan_geom({}, 1, 4, 1), {dark, red});
  ASSERT_TRUE(plan.looks_at_scene());
  EXPECT_EQ(bytes_of(plan, &scene)[0], 255);
  EXPECT_EQ(bytes_of(plan, &scene)[1], 0);
  const std::vector<int> reds = bytes_of(plan, &scene, 1);
  EXPECT_EQ(reds[1], 0);
  EXPECT_EQ(reds[2], 255);
  EXPECT_EQ(reds[3], 255) << "a tenth of the light, the same colour";
}

TEST(Masks, EveryKindStaysOnItsSubjectWhateverTheFraming) {
  Mask brush;
  brush.kind = static_cast<std::int32_t>(MaskKind::brush);
  brush.dabs = {{.x = 0.3f, .y = 0.4f, .size = 0.1f}, {.x = 0.5f, .y = 0.5f, .size = 0.15f, .flow = 60}};
  Mask ellipse = radial(0.6f, 0.2f);
  ellipse.angle_deg = 30;
  const std::vector<Mask> list = {ellipse, brush};
  const std::vector<int> upright[] = {bytes_of(plan_on(plan_geom({}, 1, 60, 40), list)),
                                      bytes_of(plan_on(plan_geom({}, 1, 60, 40), list), nullptr, 1)};
  const Geometry geometry{.crop_left = 0.1f, .crop_right = 0.9f, .quarter_turns = 3, .flip_horizontal = 1};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const GeomPlan geom = plan_geom(geometry, orientation, 60, 40);
    for (int mask = 0; mask < 2; ++mask) {
      const std::vector<int> framed = bytes_of(plan_on(geom, list), nullptr, mask);
      for (int y = 0; y < geom.output_height; ++y) {
        for (int x = 0; x < geom.output_width; ++x) {
          const auto at = apply(geom.source_from_output, geometry::Position<double>{x + 0.5, y + 0.5});
          const auto from = static_cast<std::size_t>(static_cast<int>(at.y) * 60 + static_cast<int>(at.x));
          ASSERT_NEAR(framed[static_cast<std::size_t>(y * geom.output_width + x)],
                      upright[static_cast<std::size_t>(mask)][from], 1);
        }
      }
    }
  }
}

}  // namespace
}  // namespace imago::develop
