#include "develop/tools/grading/grading.h"

#include <algorithm>
#include <cmath>

#include "color/oklab.h"

namespace imago::develop {
namespace {

constexpr float longest_tint = 0.09f;  // chroma in OkLab
constexpr float most_light = 0.3f;     // more, and opposite sliders at no blending would swap tones

// The pure colour of a hue on the colour wheel (HSV at full saturation and value), in linear light.
color::Vector3 wheel_color(double hue_deg) {
  const auto channel = [&](double offset) {
    const double turn = std::fmod(hue_deg / 60 + offset, 6.0);
    const double encoded = std::clamp(std::min(turn, 4 - turn), 0.0, 1.0);
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
  };
  return {channel(2), channel(0), channel(4)};
}

struct Tint {
  float a, b;
};

Tint tint_of(float hue_deg, float saturation) {
  const color::Vector3 v =
      color::rgb_from_rgb(color::rec2020_primaries, color::srgb_primaries) * wheel_color(static_cast<double>(hue_deg));
  const color::Oklab lab =
      color::oklab_from_working({static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])});
  const float scale = longest_tint * saturation * 0.01f / std::hypot(lab.a, lab.b);
  return {lab.a * scale, lab.b * scale};
}

}  // namespace

GradingParams derive_grading(const Grading& s) {
  const float hues[] = {s.shadows_hue_deg, s.midtones_hue_deg, s.highlights_hue_deg, s.global_hue_deg};
  const float saturations[] = {s.shadows_saturation, s.midtones_saturation, s.highlights_saturation,
                               s.global_saturation};
  const float luminances[] = {s.shadows_luminance, s.midtones_luminance, s.highlights_luminance, s.global_luminance};
  GradingParams p;
  for (int i = 0; i < 4; ++i) {
    const Tint tint = tint_of(hues[i], saturations[i]);
    p.tint_a[i] = tint.a;
    p.tint_b[i] = tint.b;
    p.light[i] = luminances[i] * 0.01f * most_light;
    if (saturations[i] != 0 || luminances[i] != 0) p.enabled = 1;
  }
  if (p.enabled == 0) return {};
  const float width = 0.3f + 0.006f * s.blending;
  p.shadows_end = 0.35f - 0.002f * s.balance - width / 2;
  p.highlights_start = 0.68f - 0.002f * s.balance - width / 2;
  p.inverse_width = 1 / width;
  return p;
}

}  // namespace imago::develop
