#include "pano/masks/mask_shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/hash.h"
#include "geometry/rig.h"

namespace imago::pano {
namespace {

Plane8 empty_mask(int width, int height) {
  Plane8 mask(width, height);
  std::fill(mask.pixels.begin(), mask.pixels.end(), std::uint8_t{0});
  return mask;
}

Plane8 random_mask(int width, int height, std::uint64_t share) {
  Plane8 mask = empty_mask(width, height);
  for (std::size_t i = 0; i < mask.pixels.size(); ++i) mask.pixels[i] = mix64(i) % share == 0 ? 255 : 0;
  return mask;
}

FaceView view_of(geometry::CubeFace face, int size) {
  const geometry::RigLayout& layout = geometry::cube6();
  return {layout.cameras[static_cast<std::size_t>(face)].cam_from_pano, size / 2.0, size};  // 90 degrees
}

TEST(MaskShapes, DilationIsASquareAroundEveryPixel) {
  for (const auto& [width, height] : {std::pair{37, 23}, {1, 9}, {300, 5}}) {
    for (const int radius : {0, 1, 4, 50}) {
      const Plane8 before = random_mask(width, height, 61);
      Plane8 after = random_mask(width, height, 61);
      dilate(after, radius);
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          bool near = false;
          for (int v = std::max(y - radius, 0); v <= std::min(y + radius, height - 1); ++v) {
            for (int u = std::max(x - radius, 0); u <= std::min(x + radius, width - 1); ++u)
              near |= before.row(v)[u] != 0;
          }
          ASSERT_EQ(after.row(y)[x] != 0, near) << x << ", " << y << " radius " << radius;
        }
      }
    }
  }
}

TEST(MaskShapes, TheNadirConeIsADiscOnTheFaceDownAndNowhereElse) {
  const int size = 200;
  Plane8 down = empty_mask(size, size);
  add_nadir_cone(down, view_of(geometry::CubeFace::down, size), 20);
  const double radius = size / 2.0 * std::tan(20 * std::numbers::pi / 180);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      EXPECT_EQ(down.row(y)[x] != 0, std::hypot(x + 0.5 - 100, y + 0.5 - 100) <= radius) << x << ", " << y;
    }
  }
  for (const geometry::CubeFace face : {geometry::CubeFace::front, geometry::CubeFace::up}) {
    Plane8 other = empty_mask(size, size);
    add_nadir_cone(other, view_of(face, size), 20);
    EXPECT_EQ(coverage_of(other), 0);
  }
}

TEST(MaskShapes, TheSeamRunsDownTheMiddleOfTheFacesLeftAndRight) {
  const int size = 200;
  Plane8 right = empty_mask(size, size);
  add_stitch_seam(right, view_of(geometry::CubeFace::right, size), 2);
  EXPECT_EQ(right.row(100)[100], 255);
  EXPECT_EQ(right.row(10)[99], 255);
  EXPECT_EQ(right.row(100)[120], 0);
  Plane8 front = empty_mask(size, size);
  add_stitch_seam(front, view_of(geometry::CubeFace::front, size), 2);
  EXPECT_EQ(coverage_of(front), 0);
}

TEST(MaskShapes, FourQuarterTurnsAreNone) {
  const Plane8 mask = random_mask(13, 7, 3);
  Plane8 four = turned(mask, 0);
  for (int i = 0; i < 4; ++i) four = turned(four, 1);
  EXPECT_TRUE(std::equal(mask.pixels.begin(), mask.pixels.end(), four.pixels.begin()));
  const Plane8 once = turned(mask, 1);
  EXPECT_EQ(once.width, 7);
  EXPECT_EQ(once.row(0)[6], mask.row(0)[0]) << "clockwise: the left column becomes the top row, from the right";
  const Plane8 back = turned(once, 3);
  EXPECT_TRUE(std::equal(mask.pixels.begin(), mask.pixels.end(), back.pixels.begin()));
}

TEST(MaskShapes, WhatIsMaskedIsBlackInTheFile) {
  Plane8 mask = empty_mask(4, 1);
  mask.pixels[1] = 255;
  EXPECT_EQ(coverage_of(mask), 0.25);
  to_file_convention(mask);
  EXPECT_EQ(mask.pixels[0], 255);
  EXPECT_EQ(mask.pixels[1], 0);
}

TEST(MaskShapes, OverexposedIsWhereAllThreeColoursAre) {
  Rgba8 picture(3, 1);
  const std::uint8_t values[] = {250, 251, 255, 255, 255, 255, 249, 255, 0, 0, 0, 255};
  std::copy(std::begin(values), std::end(values), picture.pixels.begin());
  Plane8 mask = empty_mask(3, 1);
  add_overexposed(mask, picture, 250);
  EXPECT_EQ(mask.pixels[0], 255);
  EXPECT_EQ(mask.pixels[1], 0);
  EXPECT_EQ(mask.pixels[2], 0);
}

}  // namespace
}  // namespace imago::pano
