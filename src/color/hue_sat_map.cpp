#include "color/hue_sat_map.h"

#include <algorithm>

namespace imago::color {

HueSatMap mixed(const HueSatMap& a, const HueSatMap& b, double weight_b) {
  if (a.hues != b.hues || a.saturations != b.saturations || a.values != b.values) return weight_b < 0.5 ? a : b;
  const auto weight = static_cast<float>(weight_b);
  const auto between = [weight](float x, float y) { return x + weight * (y - x); };
  HueSatMap out = a;
  for (std::size_t i = 0; i < out.entries.size(); ++i) {
    out.entries[i] = {between(a.entries[i].hue_shift_degrees, b.entries[i].hue_shift_degrees),
                      between(a.entries[i].saturation_scale, b.entries[i].saturation_scale),
                      between(a.entries[i].value_scale, b.entries[i].value_scale)};
  }
  return out;
}

bool has_effect(const HueSatMap& map) {
  return std::ranges::any_of(map.entries, [](const HueSatMap::Entry& entry) { return entry != HueSatMap::Entry{}; });
}

}  // namespace imago::color
