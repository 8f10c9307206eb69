#include "develop/tools/calibration/calibration.h"

#include <cmath>
#include <numbers>

#include "color/matrix.h"

namespace imago::develop {
namespace {

// + turns red towards yellow, that is counter-clockwise on the chromaticity diagram; sliders of 100 are 15 degrees.
color::Xy moved(color::Xy primary, float hue, float saturation) {
  const double angle = static_cast<double>(hue) / 100 * std::numbers::pi / 12;
  const double length = 1 + 0.003 * static_cast<double>(saturation);
  const double x = primary.x - color::d65.x, y = primary.y - color::d65.y;
  return {color::d65.x + length * (x * std::cos(angle) - y * std::sin(angle)),
          color::d65.y + length * (x * std::sin(angle) + y * std::cos(angle))};
}

}  // namespace

CalibrationParams derive_calibration(const Calibration& s) {
  const bool moves = s.red_hue != 0 || s.red_saturation != 0 || s.green_hue != 0 || s.green_saturation != 0 ||
                     s.blue_hue != 0 || s.blue_saturation != 0;
  if (!moves && s.shadow_tint == 0) return {};
  CalibrationParams p{.enabled = 1, .shadow_tint = 0.0015f * s.shadow_tint};
  if (!moves) return p;
  color::Primaries primaries = color::rec2020_primaries;
  primaries.red = moved(primaries.red, s.red_hue, s.red_saturation);
  primaries.green = moved(primaries.green, s.green_hue, s.green_saturation);
  primaries.blue = moved(primaries.blue, s.blue_hue, s.blue_saturation);
  const color::Matrix3 m = color::rgb_from_rgb(color::rec2020_primaries, primaries);
  const auto at = [&](int row, int column) { return static_cast<float>(m(row, column)); };
  p.red_from_green = at(0, 1);
  p.red_from_blue = at(0, 2);
  p.green_from_red = at(1, 0);
  p.green_from_blue = at(1, 2);
  p.blue_from_red = at(2, 0);
  p.blue_from_green = at(2, 1);
  return p;
}

}  // namespace imago::develop
