#include "pano/deep_faces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "geometry/cube_face.h"
#include "geometry/sphere.h"
#include "pano/panorama.h"

namespace imago::pano {
namespace {

using geometry::Vec3;

std::vector<std::array<double, 9>> cube_rotations() {
  std::vector<std::array<double, 9>> rotations;
  for (geometry::CubeFace face : geometry::cube_faces) rotations.push_back(geometry::pano_from_face(face));
  return rotations;
}

template <typename Color>
Rgb16 panorama_of(int width, Color&& color) {
  Rgb16 out(width, width / 2);
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto d = geometry::direction_from_equirect<double>({x + 0.5, y + 0.5}, width, out.height);
      for (int c = 0; c < 3; ++c) out.at(x, y)[c] = static_cast<std::uint16_t>(std::lround(65535 * color(d, c)));
    }
  }
  return out;
}

double smooth(const Vec3<double>& d, int c) {
  return c == 0   ? 0.5 + 0.2 * std::sin(3 * d.x) + 0.15 * d.y
         : c == 1 ? 0.5 + 0.3 * std::cos(2 * d.z)
                  : 0.5 + 0.4 * d.x * d.y;
}

FacesPlan plan_for(int width, Filter filter, int size = 64) {
  return plan_faces(width, width / 2, cube_rotations(), 96 * std::numbers::pi / 180, size, filter);
}

TEST(DeepFaces, OfASmoothSphereEqualItFarBelowAnEightBitStep) {
  for (const Filter filter : {Filter::aniso, Filter::cubic, Filter::lanczos}) {
    const Rgb16 panorama = panorama_of(512, smooth);
    const auto faces = render_deep_faces(plan_for(512, filter), panorama, Light::encoded);
    const double focal = geometry::face_focal_px(96 * std::numbers::pi / 180, 64);
    double worst = 0;
    for (std::size_t f = 0; f < 6; ++f) {
      for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 64; ++x) {
          const auto ray = geometry::face_ray_from_position<double>({x + 0.5, y + 0.5}, focal, 64);
          const auto d = geometry::normalized(geometry::pano_from_face(geometry::cube_faces[f]) * ray);
          for (int c = 0; c < 3; ++c) worst = std::max(worst, std::abs(faces[f].at(x, y)[c] / 65535.0 - smooth(d, c)));
        }
      }
    }
    EXPECT_LT(worst, 0.002) << static_cast<int>(filter);  // half an 8-bit step; aniso smooths a little
  }
}

TEST(DeepFaces, AreTheEightBitFacesToWithinOneStep) {
  Rgb16 deep = panorama_of(256, smooth);
  PaddedPanorama shallow(256, 128);
  for (int y = 0; y < 128; ++y) {
    for (int x = 0; x < 256; ++x) {
      for (int c = 0; c < 3; ++c) {
        const auto code = static_cast<std::uint8_t>(deep.at(x, y)[c] >> 8);
        shallow.row(y)[4 * x + c] = code;
        deep.at(x, y)[c] = static_cast<std::uint16_t>(code * 257);
      }
      shallow.row(y)[4 * x + 3] = 255;
    }
  }
  surround(shallow);
  const FacesPlan plan = plan_for(256, Filter::aniso, 40);
  const PanoramaLevels levels = build_levels(plan, shallow);
  const auto faces = render_deep_faces(plan, deep, Light::encoded);
  for (std::size_t f = 0; f < 6; ++f) {
    Rgba8 wanted(40, 40);
    sample_face(plan, plan.faces[f], levels, wanted);
    const Rgba8 got = flattened(faces[f]);
    for (std::size_t i = 0; i < got.pixels.size(); ++i) EXPECT_NEAR(got.pixels[i], wanted.pixels[i], 1);
  }
}

TEST(DeepFaces, LinearLightKeepsTheLightOfAFineChecker) {
  // Black and white pixels by turns, seen small: half the light is code 188 of 255, half the code 128.
  const Rgb16 checker = panorama_of(1024, [](const Vec3<double>& d, int) {
    const auto at = geometry::equirect_from_direction(d, 1024, 512);
    return (static_cast<int>(at.x) + static_cast<int>(at.y)) % 2 != 0 ? 1.0 : 0.0;
  });
  const FacesPlan plan = plan_for(1024, Filter::aniso, 32);
  const auto middle = [](const Rgb16& face) { return face.at(16, 16)[1] / 257.0; };
  EXPECT_NEAR(middle(render_deep_faces(plan, checker, Light::linear)[0]), 187.5, 1.5);
  EXPECT_NEAR(middle(render_deep_faces(plan, checker, Light::encoded)[0]), 127.5, 1.5);
}

TEST(DeepFaces, ConstantsStayAndThreadsChangeNothing) {
  const Rgb16 flat = panorama_of(128, [](const Vec3<double>&, int c) { return 0.2 + 0.3 * c; });
  const FacesPlan plan = plan_for(128, Filter::aniso, 17);
  const auto faces = render_deep_faces(plan, flat, Light::linear);
  for (const Rgb16& face : faces) {
    for (std::size_t i = 0; i < face.pixels.size(); ++i) EXPECT_NEAR(face.pixels[i], flat.pixels[i % 3], 2);
  }
  const int before = thread_count();
  set_thread_count(1);
  const auto alone = render_deep_faces(plan, flat, Light::linear);
  set_thread_count(before);
  for (std::size_t f = 0; f < 6; ++f) {
    EXPECT_TRUE(std::equal(faces[f].pixels.begin(), faces[f].pixels.end(), alone[f].pixels.begin()));
  }
}

TEST(DeepFaces, EightBitsGoThereAndBack) {
  Rgba8 picture(256, 1);
  for (int x = 0; x < 256; ++x) {
    for (int c = 0; c < 4; ++c) picture.at(x, 0)[c] = c == 3 ? 255 : static_cast<std::uint8_t>(x);
  }
  const Rgba8 back = flattened(deepened(picture));
  EXPECT_TRUE(std::equal(picture.pixels.begin(), picture.pixels.end(), back.pixels.begin()));
}

}  // namespace
}  // namespace imago::pano
