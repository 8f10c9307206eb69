#include "develop/tools/white_balance/white_balance.h"

#include <algorithm>
#include <cmath>

namespace imago::develop {

color::Temperature chosen_temperature(const WhiteBalance& settings, const color::CameraColor& as_shot) {
  const auto tint = static_cast<double>(settings.tint);
  if (settings.temperature_k > 0) return {std::max(2000.0, static_cast<double>(settings.temperature_k)), tint};
  return {std::clamp(as_shot.temperature.kelvin, 2000.0, 50000.0),
          std::clamp(as_shot.temperature.tint + tint, -150.0, 150.0)};
}

color::Matrix3 wb_matrix_for(const WhiteBalance& settings, const SceneColor& scene) {
  if (!scene.profile) return {};
  const color::Xy white = color::xy_from_temperature(chosen_temperature(settings, scene.as_shot));
  return color::white_balance_shift(color::camera_color_from_white(*scene.profile, white), scene.as_shot);
}

WhiteBalanceParams derive_white_balance(const WhiteBalance& settings, const SceneColor& scene) {
  if (!scene.profile || (settings.temperature_k == 0 && settings.tint == 0)) return {};
  const color::Matrix3 m = wb_matrix_for(settings, scene);
  const auto at = [&](int row, int column) { return static_cast<float>(m(row, column)); };
  return {.enabled = 1,
          .red_from_red = at(0, 0),
          .red_from_green = at(0, 1),
          .red_from_blue = at(0, 2),
          .green_from_red = at(1, 0),
          .green_from_green = at(1, 1),
          .green_from_blue = at(1, 2),
          .blue_from_red = at(2, 0),
          .blue_from_green = at(2, 1),
          .blue_from_blue = at(2, 2)};
}

float white_balance_ev(const WhiteBalanceParams& p) {
  const float luminance = working_luminance(white_balance(p, {1, 1, 1}, {}));
  return luminance > 0 ? std::log2(luminance) : 0.0f;
}

}  // namespace imago::develop
