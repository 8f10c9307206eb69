#include "pano/equirect.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/sphere.h"
#include "pano/projection.h"

namespace imago::pano {
namespace {

using geometry::Vec3;

std::array<double, 3> smooth_color(const Vec3<double>& d) {
  return {128 + 60 * std::sin(3 * d.x) + 40 * d.y, 128 + 80 * std::cos(2 * d.z + d.x), 128 + 100 * d.y * d.x};
}

// The sphere as a camera of that attitude sees it.
Rgba8 seen(int width, const geometry::Mat3<double>& upright_from_picture) {
  Rgba8 out(width, width / 2);
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < width; ++x) {
      const Vec3<double> d = geometry::direction_from_equirect<double>({x + 0.5, y + 0.5}, width, out.height);
      const auto rgb = smooth_color(upright_from_picture * d);
      for (std::size_t c = 0; c < 3; ++c) out.at(x, y)[c] = static_cast<std::uint8_t>(std::lround(rgb[c]));
      out.at(x, y)[3] = 255;
    }
  }
  return out;
}

PaddedPanorama padded(const Rgba8& picture) {
  PaddedPanorama panorama(picture.width, picture.height);
  for (int y = 0; y < picture.height; ++y) std::copy_n(picture.row(y), picture.row_samples(), panorama.row(y));
  surround(panorama);
  return panorama;
}

int worst(const Rgba8& a, const Rgba8& b) {
  int most = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) most = std::max(most, std::abs(a.pixels[i] - b.pixels[i]));
  return most;
}

TEST(TurnedSphere, UndoesTheCamerasAttitude) {
  const Rgba8 upright = seen(512, geometry::identity3<double>());
  for (const Attitude& attitude : {Attitude{30, 0, 0}, Attitude{0, 20, 0}, Attitude{0, 0, -35}, Attitude{-70, 12, 8}}) {
    const auto rotation = picture_from_upright(attitude);
    const Rgba8 picture = seen(512, geometry::transposed(rotation));
    // Two roundings to 8 bits and one interpolation of a smooth function.
    EXPECT_LE(worst(turned_sphere(padded(picture), rotation), upright), 2);
  }
}

TEST(TurnedSphere, WithoutATurnIsTheSame) {
  const Rgba8 picture = seen(256, geometry::identity3<double>());
  EXPECT_LE(worst(turned_sphere(padded(picture), geometry::identity3<double>()), picture), 1);
}

TEST(Attitude, OfACameraPitchedUpAndRolledIsWhereThingsShow) {
  // Pitched up by 10 degrees, the horizon ahead lies below the middle of the picture.
  const Vec3<double> ahead = picture_from_upright({0, 10, 0}) * Vec3<double>{0, 0, 1};
  EXPECT_NEAR(geometry::angles_from_direction(ahead).elevation_rad, -10 * std::numbers::pi / 180, 1e-12);
  // Rolled clockwise, the horizon to the right rises in the picture.
  const Vec3<double> right = picture_from_upright({0, 0, 10}) * Vec3<double>{1, 0, 0};
  EXPECT_NEAR(geometry::angles_from_direction(right).elevation_rad, 10 * std::numbers::pi / 180, 1e-12);
  // Yaw brings what lies to the right into the middle.
  const Vec3<double> middle = picture_from_upright({10, 0, 0}) * Vec3<double>{0, 0, 1};
  EXPECT_NEAR(geometry::angles_from_direction(middle).azimuth_rad, 10 * std::numbers::pi / 180, 1e-12);
}

TEST(Attitude, OfGravityIsTheOneThatPutsItThere) {
  for (const Attitude& attitude : {Attitude{0, 25, -40}, Attitude{0, -60, 170}, Attitude{}}) {
    const Attitude found = attitude_of_gravity(picture_from_upright(attitude) * Vec3<double>{0, 1, 0} * 9.81);
    EXPECT_NEAR(found.pitch_deg, attitude.pitch_deg, 1e-9);
    EXPECT_NEAR(found.roll_deg, attitude.roll_deg, 1e-9);
  }
}

TEST(Uncropped, PutsTheCropWhereItBelongs) {
  const Rgba8 whole = seen(200, geometry::identity3<double>());
  Rgba8 crop(60, 40);
  for (int y = 0; y < 40; ++y) std::copy_n(whole.at(30, 25 + y), crop.row_samples(), crop.row(y));
  io::GPano gpano{"equirectangular", 200, 100, 30, 25, 60, 40, {}, {}, {}};
  const Rgba8 out = uncropped(crop, gpano);
  ASSERT_EQ(out.width, 200);
  ASSERT_EQ(out.height, 100);
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 200; ++x) {
      const bool inside = x >= 30 && x < 90 && y >= 25 && y < 65;
      EXPECT_EQ(out.at(x, y)[0], inside ? whole.at(x, y)[0] : 0);
    }
  }
  gpano.crop_top = 90;
  EXPECT_THROW(uncropped(crop, gpano), Error);
  gpano.crop_top = -2000000000;
  EXPECT_THROW(uncropped(crop, gpano), Error);
}

Plane8 luma_from(const Rgba8& picture) {
  Plane8 out(picture.width, picture.height);
  for (std::size_t i = 0; i < out.pixels.size(); ++i) out.pixels[i] = picture.pixels[4 * i];
  return out;
}

TEST(Recognise, KnowsWholeSpheresInOtherShapes) {
  const Rgba8 sphere = seen(256, geometry::identity3<double>());
  EXPECT_EQ(recognise(luma_from(sphere), 256, 128, {}).projection, Projection::equirect);
  EXPECT_EQ(recognise(luma_from(sphere), 256, 128, {8.0 / 9, {}, ""}).projection, Projection::squeezed);
  const Rgba8 squeezed = with_height(sphere, 144);
  EXPECT_EQ(recognise(luma_from(squeezed), 256, 144, {}).projection, Projection::squeezed);
  EXPECT_EQ(recognise(luma_from(squeezed), 1920, 1080, {9.0 / 8, {}, ""}).projection, Projection::squeezed);
  Plane8 both(256, 256);
  for (int y = 0; y < 256; ++y) std::copy_n(luma_from(sphere).row(y % 128), 256, both.row(y));
  EXPECT_EQ(recognise(both, 256, 256, {}).projection, Projection::stereo_top_bottom);
  EXPECT_EQ(recognise(both, 256, 128, {1, io::StereoLayout::left_right, ""}).projection, Projection::stereo_left_right);
  Plane8 slope(256, 144);
  for (int y = 0; y < 144; ++y) {
    for (int x = 0; x < 256; ++x) slope.row(y)[x] = static_cast<std::uint8_t>(x / 2 + y / 2);
  }
  EXPECT_EQ(recognise(slope, 256, 144, {}).projection, Projection::unknown);
}

TEST(ToEquirect, OfASqueezedSphereIsTheSphere) {
  const Rgba8 sphere = seen(256, geometry::identity3<double>());
  const Rgba8 back = to_equirect(with_height(sphere, 144), Projection::squeezed, {});
  ASSERT_EQ(back.height, 128);
  EXPECT_LE(worst(back, sphere), 3);
}

}  // namespace
}  // namespace imago::pano
