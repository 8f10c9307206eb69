#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "geometry/cube_face.h"
#include "geometry/rig.h"
#include "geometry/sphere.h"

namespace imago::geometry {
namespace {

constexpr int width = 8000;
constexpr int height = 4000;

void expect_near(const Vec3<double>& a, const Vec3<double>& b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

Vec3<double> random_direction(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return normalized(Vec3<double>{normal(random), normal(random), normal(random)});
}

TEST(Sphere, MiddleLooksForwardAndRightHalfLooksRight) {
  expect_near(direction_from_equirect<double>({4000, 2000}, width, height), {0, 0, 1}, 1e-15);
  expect_near(direction_from_equirect<double>({6000, 2000}, width, height), {1, 0, 0}, 1e-15);
  expect_near(direction_from_equirect<double>({2000, 2000}, width, height), {-1, 0, 0}, 1e-15);
  expect_near(direction_from_equirect<double>({4000, 1000}, width, height),
              {0, -std::numbers::sqrt2 / 2, std::numbers::sqrt2 / 2}, 1e-15);
}

TEST(Sphere, TopRowLooksUpWhichIsMinusY) {
  expect_near(direction_from_equirect<double>({1234.5, 0}, width, height), {0, -1, 0}, 1e-15);
  expect_near(direction_from_equirect<double>({1234.5, 4000}, width, height), {0, 1, 0}, 1e-15);
}

TEST(Sphere, DirectionsComeBackFromPixelsToWithinANanopixel) {
  std::mt19937 random(1);
  for (int i = 0; i < 10000; ++i) {
    const Vec3<double> d = random_direction(random);
    const Position<double> at = equirect_from_direction(d * 3.0, width, height);
    expect_near(direction_from_equirect(at, width, height), d, 4e-15);
  }
}

TEST(Sphere, FloatDirectionsStayWithinAFewThousandthsOfAPixel) {
  std::mt19937 random(2);
  for (int i = 0; i < 10000; ++i) {
    const Vec3<double> d = random_direction(random);
    if (std::hypot(d.x, d.z) < 0.1) continue;  // near a pole a column has no width
    const Vec3<float> f{static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)};
    const Position<double> exact = equirect_from_direction(d, width, height);
    const Position<float> rounded = equirect_from_direction(f, width, height);
    EXPECT_NEAR(static_cast<double>(rounded.x), exact.x, 4e-3);
    EXPECT_NEAR(static_cast<double>(rounded.y), exact.y, 4e-3);
  }
}

TEST(Sphere, PixelsOutsideWrapAroundAndOverThePoles) {
  EXPECT_EQ(wrapped({-1, 10}, 8, 4000), (PixelIndex{7, 10}));
  EXPECT_EQ(wrapped({8, 10}, 8, 4000), (PixelIndex{0, 10}));
  EXPECT_EQ(wrapped({1, -1}, 8, 4), (PixelIndex{5, 0}));
  EXPECT_EQ(wrapped({6, -2}, 8, 4), (PixelIndex{2, 1}));
  EXPECT_EQ(wrapped({1, 4}, 8, 4), (PixelIndex{5, 3}));
  EXPECT_EQ(wrapped({-9, 5}, 8, 4), (PixelIndex{3, 2}));
}

TEST(Sphere, WrappedPixelsLieInTheSameDirectionAsTheOnesOutside) {
  for (int y = -4; y < 8; ++y) {
    for (int x = -8; x < 16; ++x) {
      const PixelIndex inside = wrapped({x, y}, 8, 4);
      expect_near(direction_from_equirect<double>({x + 0.5, y + 0.5}, 8, 4),
                  direction_from_equirect<double>({inside.x + 0.5, inside.y + 0.5}, 8, 4), 2e-15);
    }
  }
}

TEST(CubeFace, CentresLieWhereTheTableSays) {
  const Position<double> centres[] = {{4000, 2000}, {6000, 2000}, {8000, 2000}, {2000, 2000}, {4000, 0}, {4000, 4000}};
  for (CubeFace face : cube_faces) {
    const Vec3<double> forward = pano_from_face(face) * Vec3<double>{0, 0, 1};
    const Position<double> at = equirect_from_direction(forward, width, height);
    const Position<double> expected = centres[static_cast<std::size_t>(face)];
    EXPECT_NEAR(std::remainder(at.x - expected.x, width), 0, 1e-9) << name_of(face);
    EXPECT_NEAR(at.y, expected.y, 1e-9) << name_of(face);
  }
}

TEST(CubeFace, RightAndDownOfEachFaceAreTheTables) {
  const Vec3<double> right[] = {{1, 0, 0}, {0, 0, -1}, {-1, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 0, 0}};
  const Vec3<double> down[] = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (CubeFace face : cube_faces) {
    const auto i = static_cast<std::size_t>(face);
    expect_near(pano_from_face(face) * Vec3<double>{1, 0, 0}, right[i], 0);
    expect_near(pano_from_face(face) * Vec3<double>{0, 1, 0}, down[i], 0);
  }
}

TEST(CubeFace, MatricesEqualYawThenPitch) {
  for (CubeFace face : cube_faces) {
    const Mat3<double> exact = pano_from_face(face);
    const Mat3<double> turned = pano_from_view(view_angles(face));
    for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(exact[k], turned[k], 3e-16) << name_of(face);
  }
}

TEST(CubeFace, NamesAreReadBack) {
  for (CubeFace face : cube_faces) EXPECT_EQ(cube_face_from_name(name_of(face)), face);
  EXPECT_FALSE(cube_face_from_name("top"));
}

TEST(CubeFace, PositionsComeBackFromRays) {
  const double focal = face_focal_px(96 * std::numbers::pi / 180, 2128);
  EXPECT_NEAR(focal, 1064 / std::tan(48 * std::numbers::pi / 180), 1e-9);
  for (double y = 0.5; y < 2128; y += 111.3) {
    for (double x = 0.5; x < 2128; x += 97.7) {
      const auto back = face_position_from_ray(face_ray_from_position<double>({x, y}, focal, 2128) * 0.3, focal, 2128);
      ASSERT_TRUE(back);
      EXPECT_NEAR(back->x, x, 1e-9);
      EXPECT_NEAR(back->y, y, 1e-9);
    }
  }
  EXPECT_FALSE(face_position_from_ray<double>({0, 0, 0}, focal, 2128));
  EXPECT_FALSE(face_position_from_ray<double>({1, 0, -1}, focal, 2128));
}

TEST(CubeFace, NinetyDegreeFacesTileTheSphere) {
  std::mt19937 random(3);
  const double focal = face_focal_px(std::numbers::pi / 2, 100);
  for (int i = 0; i < 20000; ++i) {
    const Vec3<double> d = random_direction(random);
    int holders = 0;
    for (CubeFace face : cube_faces) {
      const auto at = face_position_from_ray(face_from_pano(face) * d, focal, 100);
      const bool inside = at && at->x >= 0 && at->x <= 100 && at->y >= 0 && at->y <= 100;
      holders += inside ? 1 : 0;
      if (inside) {
        EXPECT_EQ(face_containing(d), face);
      }
    }
    EXPECT_EQ(holders, 1);
  }
}

TEST(CubeFace, EveryCornerOfTheCubeBelongsToAFace) {
  for (double x : {-1.0, 0.0, 1.0}) {
    for (double y : {-1.0, 0.0, 1.0}) {
      for (double z : {-1.0, 0.0, 1.0}) {
        if (x == 0 && y == 0 && z == 0) continue;
        const Vec3<double> d{x, y, z};
        const Vec3<double> ray = face_from_pano(face_containing(d)) * d;
        EXPECT_GT(ray.z, 0);
        EXPECT_LE(std::abs(ray.x), ray.z);
        EXPECT_LE(std::abs(ray.y), ray.z);
      }
    }
  }
}

TEST(Rig, Cube6HasTheFacesInOrderWithFrontAsReference) {
  ASSERT_EQ(cube6().cameras.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(cube6().cameras[i].name, cube_face_names[i]);
  EXPECT_EQ(cam_from_rig(cube6(), 0).w, 1);
  EXPECT_EQ(cube6().default_fov_deg, 96);
  EXPECT_EQ(rig_layout_from_name("cube6")->name, "cube6");
  EXPECT_EQ(rig_layout_from_name("ring:5")->cameras.size(), 5u);
  for (const char* name : {"cube7", "ring:", "ring:0", "ring:121", "ring:8x"}) EXPECT_FALSE(rig_layout_from_name(name));
}

TEST(Rig, QuaternionsEqualTheRotationsOfEveryLayout) {
  for (const RigLayout& layout : {cube6(), ring(7), colmap12(), turned(colmap12(), 17)}) {
    for (std::size_t i = 0; i < layout.cameras.size(); ++i) {
      const Mat3<double> m = matrix_from(cam_from_rig(layout, i));
      const Mat3<double> expected = cam_from_rig_rotation(layout, i);
      for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(m[k], expected[k], 1e-15) << layout.cameras[i].name;
    }
  }
}

TEST(Rig, QuaternionsAreTheTablesNumbers) {
  constexpr double r = 0.70710678;
  const double table[6][4] = {{1, 0, 0, 0}, {r, 0, -r, 0}, {0, 0, 1, 0}, {r, 0, r, 0}, {r, -r, 0, 0}, {r, r, 0, 0}};
  for (std::size_t i = 0; i < 6; ++i) {
    const Quaternion q = cam_from_rig(cube6(), i);
    EXPECT_NEAR(q.w, table[i][0], 2e-9);
    EXPECT_NEAR(q.x, table[i][1], 2e-9);
    EXPECT_NEAR(q.y, table[i][2], 2e-9);
    EXPECT_NEAR(q.z, table[i][3], 2e-9);
  }
}

TEST(Rig, TurningTheRigKeepsThePosesInIt) {
  const RigLayout plain = colmap12(), right = turned(plain, 30);
  for (std::size_t i = 0; i < plain.cameras.size(); ++i) {
    const Mat3<double> a = cam_from_rig_rotation(plain, i), b = cam_from_rig_rotation(right, i);
    for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(a[k], b[k], 1e-15);
  }
  const Vec3<double> ahead = transposed(turned(cube6(), 30).cameras[0].cam_from_pano) * Vec3<double>{0, 0, 1};
  EXPECT_NEAR(angles_from_direction(ahead).azimuth_rad, std::numbers::pi / 6, 1e-15);
}

TEST(Rig, ADirectionBelongsToTheFaceThatHoldsIt) {
  for (int i = 0; i < 1000; ++i) {
    const Vec3<double> d{std::sin(i * 1.1), std::sin(i * 2.3 + 1), std::sin(i * 3.7 + 2)};
    EXPECT_EQ(cube6().cameras[owner_of(cube6(), d)].name, name_of(face_containing(d)));
  }
}

}  // namespace
}  // namespace imago::geometry
