#include "develop/stages/spots/spots.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "develop/stages/geom/geom.h"
#include "develop/stages/test_picture.h"

namespace imago::develop {
namespace {

SpotsPlan plan_on(const GeomPlan& geom, std::vector<Spot> list) {
  return plan_spots({std::move(list)}, output_from_sensor(geom), geom.source_width, 1);
}

// A smooth slope with a dark blot at (40, 30).
Rgb32f blotted(int width, int height, float blot) {
  Rgb32f picture(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float light = 0.2f + 0.004f * static_cast<float>(x) + 0.002f * static_cast<float>(y);
      const bool is_blot = std::hypot(static_cast<float>(x) - 40, static_cast<float>(y) - 30) < 5;
      for (int c = 0; c < 3; ++c) picture.at(x, y)[c] = light * (is_blot ? blot : 1);
    }
  }
  return picture;
}

Spot spot_at(float x, float y, float radius_px, int width, int height) {
  Spot spot;
  spot.x = x / static_cast<float>(width);
  spot.y = y / static_cast<float>(height);
  spot.radius = radius_px / static_cast<float>(width);
  return spot;
}

TEST(Spots, NoSpotIsTheIdentity) {
  const SpotsPlan plan = plan_on(plan_geom({}, 1, 10, 10), {});
  EXPECT_TRUE(plan.is_identity());
  EXPECT_EQ(key(plan, 3), 3u);
}

TEST(Spots, HealingABlotOnASlopeLeavesTheSlope) {
  const Rgb32f clean = blotted(100, 80, 1);
  Rgb32f picture = blotted(100, 80, 0.3f);
  Spot spot = spot_at(40.5f, 30.5f, 9, 100, 80);
  fill_spots(plan_on(plan_geom({}, 1, 100, 80), {spot}), picture);
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    ASSERT_NEAR(picture.pixels[i], clean.pixels[i], 2e-3f);  // 48 points stand for the rim
  }
}

TEST(Spots, CloningCopiesWholePixels) {
  const Rgb32f before = noise_picture(100, 80, 1);
  Rgb32f picture = copy_of(before);
  Spot spot = spot_at(40.5f, 30.5f, 8, 100, 80);
  spot.kind = static_cast<std::int32_t>(SpotKind::clone);
  spot.automatic = 0;
  spot.feather = 0;
  spot.source_x = 60.5f / 100;
  spot.source_y = 45.5f / 80;
  fill_spots(plan_on(plan_geom({}, 1, 100, 80), {spot}), picture);
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(picture.at(40, 30)[c], before.at(60, 45)[c], 1e-7f);
    EXPECT_NEAR(picture.at(45, 32)[c], before.at(65, 47)[c], 1e-7f);
    EXPECT_EQ(picture.at(49, 30)[c], before.at(49, 30)[c]);
  }
  spot.opacity = 50;
  picture = copy_of(before);
  fill_spots(plan_on(plan_geom({}, 1, 100, 80), {spot}), picture);
  EXPECT_NEAR(picture.at(40, 30)[1], (before.at(60, 45)[1] + before.at(40, 30)[1]) / 2, 1e-6f);
}

TEST(Spots, TheAutomaticSourceAvoidsStructure) {
  Rgb32f picture = blotted(100, 80, 0.3f);
  // An edge to the left: sources from there would bring it along.
  for (int y = 0; y < 80; ++y) {
    for (int x = 0; x < 28; ++x) {
      for (int c = 0; c < 3; ++c) picture.at(x, y)[c] = y / 4 % 2 == 0 ? 0.9f : 0.05f;
    }
  }
  fill_spots(plan_on(plan_geom({}, 1, 100, 80), {spot_at(40.5f, 30.5f, 9, 100, 80)}), picture);
  EXPECT_NEAR(picture.at(40, 30)[0], blotted(100, 80, 1).at(40, 30)[0], 4e-3f);
}

TEST(Spots, StayOnTheirSubjectWhateverTheFraming) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const GeomPlan geom = plan_geom({.quarter_turns = 1, .flip_horizontal = 1}, orientation, 100, 80);
    Rgb32f framed = run_geom(geom, blotted(100, 80, 0.3f));
    const Rgb32f expected = run_geom(geom, blotted(100, 80, 1));
    fill_spots(plan_on(geom, {spot_at(40.5f, 30.5f, 9, 100, 80)}), framed);
    for (std::size_t i = 0; i < framed.pixels.size(); ++i) ASSERT_NEAR(framed.pixels[i], expected.pixels[i], 2e-3f);
  }
}

TEST(Spots, OddValuesSizesAndPlacesAreSafe) {
  const int threads = thread_count();
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {2, 3}, {33, 65}}) {
    Rgb32f picture = noise_picture(width, height, 7);
    picture.pixels[0] = std::nanf("");
    picture.pixels[picture.pixels.size() / 2] = std::numeric_limits<float>::infinity();
    std::vector<Spot> list;
    for (const float at : {0.0f, 0.5f, 1.0f}) {
      list.push_back({.x = at, .y = 1 - at, .radius = 0.25f, .automatic = at == 0.5f, .source_x = 1 - at});
    }
    const SpotsPlan plan = plan_on(plan_geom({}, 1, width, height), list);
    Rgb32f one = copy_of(picture);
    set_thread_count(1);
    fill_spots(plan, one);
    set_thread_count(4);
    fill_spots(plan, picture);
    EXPECT_TRUE(same_bits(picture, one));
  }
  set_thread_count(threads);
}

}  // namespace
}  // namespace imago::develop
