#include "develop/stages/source/camera_color.h"

#include <cmath>

namespace imago::develop {
color::CameraProfile camera_profile(const io::RawImage& raw) {
  color::CameraProfile profile;
  profile.analog_balance = {raw.analog_balance[0], raw.analog_balance[1], raw.analog_balance[2]};
  for (const io::RawCalibration& calibration : raw.calibrations) {
    color::CameraCalibration out;
    out.cct_kelvin = calibration.cct_kelvin;
    out.color_matrix = color::Matrix3{calibration.color_matrix};
    if (calibration.forward_matrix) out.forward_matrix = color::Matrix3{*calibration.forward_matrix};
    out.camera_calibration = color::Matrix3{calibration.camera_calibration};
    profile.calibrations.push_back(out);
  }
  return profile;
}

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
