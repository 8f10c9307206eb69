#include "develop/tools/point_color/point_color.h"

#include <algorithm>
#include <numbers>

namespace imago::develop {

PointColorParams derive_point_color(const PointColor& settings, int show) {
  PointColorParams p;
  const std::size_t count = std::min(settings.list.size(), static_cast<std::size_t>(most_point_colors));
  constexpr float degree = std::numbers::pi_v<float> / 180;
  for (std::size_t i = 0; i < count; ++i) {
    const PointColorSample& s = settings.list[i];
    const float hue_range = (6 + 0.54f * s.hue_range) * degree;
    const float color[4] = {std::cos(s.hue_deg * degree), std::sin(s.hue_deg * degree), s.chroma, s.lightness};
    const float range[4] = {std::cos(hue_range), 1 / (std::cos(hue_range / 2) - std::cos(hue_range)),
                            2 / (0.03f + 0.0027f * s.saturation_range), 2 / (0.1f + 0.009f * s.luminance_range)};
    const float shift[4] = {s.hue_shift * 0.3f * degree, s.saturation_shift * 0.01f, s.luminance_shift * 0.01f,
                            s.variance * 0.01f};
    std::copy_n(color, 4, p.color + 4 * i);
    std::copy_n(range, 4, p.range + 4 * i);
    std::copy_n(shift, 4, p.shift + 4 * i);
    if (std::any_of(std::begin(shift), std::end(shift), [](float value) { return value != 0; })) p.enabled = 1;
  }
  p.count = static_cast<std::uint32_t>(count);
  if (show >= 0 && show < static_cast<int>(count)) {
    p.enabled = 1;
    p.show = static_cast<std::uint32_t>(show) + 1;
  }
  if (p.enabled == 0) return {};
  return p;
}

}  // namespace imago::develop
