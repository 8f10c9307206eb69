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

}  // namespace
}  // namespace imago::develop
