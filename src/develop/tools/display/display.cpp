#include "develop/tools/display/display.h"

namespace imago::develop {

DisplayParams derive_display(DisplayCurve curve) {
  constexpr double contrast = 1.3;
  constexpr double hue_keep = 0.6;
  if (curve == DisplayCurve::linear) return {};
  const double grey_term = std::pow(scene_grey, 2 * contrast) * (1 / (display_grey * display_grey) - 1);
  return {.enabled = 1,
          .contrast = static_cast<float>(contrast),
          .grey_term = static_cast<float>(grey_term),
          .hue_keep = static_cast<float>(hue_keep)};
}

}  // namespace imago::develop
