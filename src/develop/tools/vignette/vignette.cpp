#include "develop/tools/vignette/vignette.h"

#include <algorithm>
#include <cmath>

namespace imago::develop {

VignetteParams derive_vignette(const Vignette& s, VignetteStyle style, double aspect) {
  if (s.amount == 0 || static_cast<VignetteStyle>(s.style) != style) return {};
  VignetteParams p;
  p.enabled = 1;
  p.amount = s.amount * 0.01f * (style == VignetteStyle::paint_overlay ? 1.0f : 3.0f);
  p.highlights = s.highlights * 0.01f;
  const float squareness = std::max(-s.roundness * 0.01f, 0.0f);
  p.exponent = 2 * std::exp2(2 * squareness);
  p.inverse_exponent = 1 / p.exponent;
  p.inverse_size = std::exp2(-p.inverse_exponent);
  // A circle through the corners: x and y measured with one unit. Both squares still sum to 2 in a corner.
  const double roundness = std::max(static_cast<double>(s.roundness) * 0.01, 0.0);
  const double width = std::pow(aspect, roundness);
  const double norm = std::sqrt(2 / (width * width + 1));
  p.scale_x = static_cast<float>(width * norm);
  p.scale_y = static_cast<float>(norm);
  const float edge = 0.04f + 0.0096f * s.feather;
  p.start = 0.1f + 0.0085f * s.midpoint - edge / 2;
  p.inverse_width = 1 / edge;
  return p;
}

}  // namespace imago::develop
