#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "geometry/rig.h"
#include "oracle/case.h"
#include "oracle/pictures.h"
#include "pano/face_passes.h"
#include "pano/face_plan.h"

namespace imago::oracle {
namespace {

using namespace pano;

// Both sides sum integers; a phase of 1/256 pixel is all that rounding of an f32 coordinate can change.
constexpr Tolerance phases{3, 1, 1e-4, 0.002, 0.001, "a coordinate within rounding of a phase's edge takes the next"};

PaddedPanorama noisy_panorama(int width) {
  PaddedPanorama panorama(width, width / 2);
  for (int y = 0; y < panorama.height; ++y) {
    std::uint8_t* row = panorama.row(y);
    for (int x = 0; x < width; ++x) {
      const std::uint64_t index = static_cast<std::uint64_t>(y) * 0x10000u + static_cast<std::uint64_t>(x);
      for (unsigned k = 0; k < 3; ++k) {
        // Blocks of noise, single noisy pixels, black and white.
        const std::uint64_t seed = y % 32 < 24 ? (index & ~std::uint64_t{0x30003}) * 4 + k : index * 4 + k;
        const float value = 300 * develop::random_unit(seed) - 20;
        row[4 * x + static_cast<int>(k)] = static_cast<std::uint8_t>(std::fmin(std::fmax(value, 0.0f), 255.0f));
      }
      row[4 * x + 3] = 255;
    }
  }
  surround(panorama);
  return panorama;
}

Work faces_work(int width, int size, double fov_deg, Filter filter, std::uint64_t binding) {
  Work work;
  std::vector<std::array<double, 9>> rotations;
  for (const geometry::RigCamera& camera : geometry::cube6().cameras) {
    const auto& m = camera.cam_from_pano;  // its transpose leads back
    rotations.push_back({m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]});
  }
  const PaddedPanorama& panorama = keep(work, noisy_panorama(width));
  const FacesPlan& plan =
      keep(work, plan_faces(width, width / 2, rotations, fov_deg * std::numbers::pi / 180, size, filter));
  const PanoramaLevels& levels = keep(work, build_levels(plan, panorama));
  work.outputs = add_faces(plan, levels, work.list);
  work.form = Form::rgba8;
  work.binding_bytes = binding;
  work.cpu = [&plan, &levels] {
    std::vector<float> samples;
    for (const FacePlan& face : plan.faces) {
      Rgba8 out(face.size, face.size);
      sample_face(plan, face, levels, out);
      for (std::size_t i = 0; i < out.pixels.size(); ++i) {
        if (i % 4 != 3) samples.push_back(out.pixels[i]);
      }
    }
    return samples;
  };
  return work;
}

}  // namespace

std::vector<Case> pano_cases() {
  std::vector<Case> cases;
  for (std::size_t f = 0; f < filter_names.size(); ++f) {
    const auto add = [&](int width, int size, double fov_deg, std::uint64_t binding = 0) {
      cases.push_back({fmt::format("pano/{}/{}-{}/fov={}", filter_names[f], width, size, fov_deg),
                       {"pano", std::string(filter_names[f])},
                       phases,
                       [=] { return faces_work(width, size, fov_deg, static_cast<Filter>(f), binding); }});
    };
    add(512, 160, 96, 512 * 1024);
    for (const int size : {1, 7, 17, 255, 256, 257}) add(256, size, 96);
    add(1024, 48, 96);  // coarse levels
    add(512, 96, 60);
    add(512, 96, 90);
    add(512, 96, 120);
    add(64, 300, 96);  // enlarged
  }
  return cases;
}

}  // namespace imago::oracle
