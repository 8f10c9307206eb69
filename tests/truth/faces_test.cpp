// Cube faces cut from a panorama of the analytic scene against the same faces photographed directly.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <vector>

#include "base/backend.h"
#include "base/error.h"
#include "geometry/cube_face.h"
#include "pano/face_plan.h"
#include "pano/pano.h"
#include "pano/panorama.h"
#include "scene/pano.h"

namespace imago {
namespace {

constexpr int panorama_width = 2048;
constexpr int face_size = 512;
constexpr double fov_rad = 96 * std::numbers::pi / 180;
// Edges of the scene ramp over this many panorama pixels: what both views show can be resampled without loss.
constexpr double softness = 4;

// Eight bits without hard clipping, whose kinks no filter reproduces.
Rgb8 encoded(Rgb32f light) {
  for (float& value : light.pixels) value = value / (1 + value);
  return scene::encoded_srgb(light, 1.2f);
}

pano::PaddedPanorama test_panorama() {
  scene::PanoramaView view;
  view.width = panorama_width;
  view.height = panorama_width / 2;
  view.sampling.softness = softness;
  const Rgb8 picture = encoded(scene::panorama(view));
  pano::PaddedPanorama panorama(picture.width, picture.height);
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      std::uint8_t* to = panorama.row(y) + 4 * x;
      std::memcpy(to, picture.at(x, y), 3);
      to[3] = 255;
    }
  }
  pano::surround(panorama);
  return panorama;
}

Rgb8 true_face(geometry::CubeFace face) {
  scene::FaceView view;
  view.pano_from_face = geometry::pano_from_face(face);
  view.fov_rad = fov_rad;
  view.size = face_size;
  view.sampling.softness = softness;
  view.sampling_width = panorama_width;
  return encoded(scene::face(view));
}

double psnr(const Rgba8& ours, const Rgb8& truth) {
  double squares = 0;
  for (int y = 0; y < truth.height; ++y) {
    for (int x = 0; x < truth.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        const double d = static_cast<double>(ours.at(x, y)[c]) - truth.at(x, y)[c];
        squares += d * d;
      }
    }
  }
  return 10 * std::log10(255.0 * 255.0 * truth.width * truth.height * 3 / squares);
}

struct Shift {
  double x, y;
};

// Least squares fit of ours = truth - shift · gradient(truth), on green.
Shift shift_between(const Rgba8& ours, const Rgb8& truth) {
  double xx = 0, xy = 0, yy = 0, xd = 0, yd = 0;
  for (int y = 1; y < truth.height - 1; ++y) {
    for (int x = 1; x < truth.width - 1; ++x) {
      const double gx = (truth.at(x + 1, y)[1] - truth.at(x - 1, y)[1]) / 2.0;
      const double gy = (truth.at(x, y + 1)[1] - truth.at(x, y - 1)[1]) / 2.0;
      const double d = truth.at(x, y)[1] - ours.at(x, y)[1];
      xx += gx * gx;
      xy += gx * gy;
      yy += gy * gy;
      xd += gx * d;
      yd += gy * d;
    }
  }
  const double determinant = xx * yy - xy * xy;
  return {(xd * yy - yd * xy) / determinant, (yd * xx - xd * xy) / determinant};
}

void expect_faces_equal_the_truth(Backend backend) {
  std::vector<std::array<double, 9>> rotations;
  for (geometry::CubeFace face : geometry::cube_faces) rotations.push_back(geometry::pano_from_face(face));
  const pano::FacesPlan plan =
      pano::plan_faces(panorama_width, panorama_width / 2, rotations, fov_rad, face_size, pano::Filter::aniso);
  const pano::FacesRender render = pano::render_faces(plan, test_panorama(), backend);
  ASSERT_EQ(render.faces.size(), 6u);
  EXPECT_EQ(render.backend, backend) << render.gpu_fallback;
  for (geometry::CubeFace face : geometry::cube_faces) {
    const Rgba8& ours = render.faces[static_cast<std::size_t>(face)];
    const Rgb8 truth = true_face(face);
    EXPECT_GT(psnr(ours, truth), 50) << name_of(face);
    const Shift shift = shift_between(ours, truth);
    EXPECT_LT(std::abs(shift.x), 0.005) << name_of(face);
    EXPECT_LT(std::abs(shift.y), 0.005) << name_of(face);
    std::printf("%-6s PSNR %.2f dB, shift %+.4f %+.4f px\n", name_of(face).data(), psnr(ours, truth), shift.x, shift.y);
  }
}

TEST(Faces, OfTheAnalyticSceneEqualDirectPhotographsOnTheCpu) { expect_faces_equal_the_truth(Backend::cpu); }

TEST(Faces, OfTheAnalyticSceneEqualDirectPhotographsOnTheGpu) {
  try {
    expect_faces_equal_the_truth(Backend::gpu);
  } catch (const Error& error) {
    if (error.kind != ErrorKind::gpu || std::getenv("GPU_REQUIRED") != nullptr) throw;
    GTEST_SKIP() << "SKIPPED: " << error.what();
  }
}

}  // namespace
}  // namespace imago
