#include "develop/tools/hsl/hsl.h"

#include <algorithm>
#include <iterator>
#include <numbers>

namespace imago::develop {
namespace {

// Scales the sliders; returns red's value.
float set_bands(const float (&sliders)[band_count], float scale, float (&next)[band_count]) {
  float values[band_count];
  std::transform(std::begin(sliders), std::end(sliders), values, [&](float slider) { return slider * scale; });
  set_band_differences(values, next);
  return values[0];
}

}  // namespace

HslParams derive_hsl(const Hsl& s) {
  const float hue[] = {s.hue_red,  s.hue_orange, s.hue_yellow, s.hue_green,
                       s.hue_aqua, s.hue_blue,   s.hue_purple, s.hue_magenta};
  const float saturation[] = {s.saturation_red,  s.saturation_orange, s.saturation_yellow, s.saturation_green,
                              s.saturation_aqua, s.saturation_blue,   s.saturation_purple, s.saturation_magenta};
  const float luminance[] = {s.luminance_red,  s.luminance_orange, s.luminance_yellow, s.luminance_green,
                             s.luminance_aqua, s.luminance_blue,   s.luminance_purple, s.luminance_magenta};
  const auto any = [](const auto& sliders) {
    return std::any_of(std::begin(sliders), std::end(sliders), [](float slider) { return slider != 0; });
  };
  if (!any(hue) && !any(saturation) && !any(luminance)) return {};
  HslParams p;
  p.enabled = 1;
  p.hue_red = set_bands(hue, std::numbers::pi_v<float> / 600, p.hue_next);
  p.saturation_red = set_bands(saturation, 0.01f, p.saturation_next);
  p.luminance_red = set_bands(luminance, 0.0025f, p.luminance_next);
  return p;
}

}  // namespace imago::develop
