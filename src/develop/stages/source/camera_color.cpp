#include "develop/stages/source/camera_color.h"

#include <cmath>

#include "io/raw/white_balance.h"

namespace imago::develop {

color::CameraProfile camera_profile(const io::RawImage& raw) { return io::camera_profile_of(raw); }

SceneColor scene_color(const io::RawImage& raw) {
  SceneColor scene;
  scene.profile.reset();
  if (raw.layout == io::RawLayout::monochrome) return scene;
  scene.profile = camera_profile(raw);
  const color::Vector3 neutral{raw.neutral[0], raw.neutral[1], raw.neutral[2]};
  scene.as_shot = color::camera_color_from_neutral(*scene.profile, neutral);
  return scene;
}

std::array<float, 9> working_from_balanced_camera(const io::RawImage& raw) {
  const double exposure = std::exp2(raw.baseline_exposure_ev);
  color::Matrix3 matrix;
  if (raw.layout != io::RawLayout::monochrome) {
    matrix = scene_color(raw).as_shot.working_from_balanced;
  }
  std::array<float, 9> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(matrix.m[i] * exposure);
  return out;
}

}  // namespace imago::develop
