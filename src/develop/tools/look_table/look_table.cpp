#include "develop/tools/look_table/look_table.h"

namespace imago::develop {

LookTableParams derive_look_table(const color::HueSatMap& map, std::vector<float>& table) {
  if (map.empty() || !color::has_effect(map)) return {};
  LookTableParams p;
  p.enabled = 1;
  p.start = static_cast<std::uint32_t>(table.size());
  p.hues = static_cast<std::uint32_t>(map.hues);
  p.saturations = static_cast<std::uint32_t>(map.saturations);
  p.values = static_cast<std::uint32_t>(map.values);
  p.srgb_value = map.srgb_value ? 1 : 0;
  for (const color::HueSatMap::Entry& entry : map.entries) {
    table.insert(table.end(), {entry.hue_shift_degrees / 60, entry.saturation_scale, entry.value_scale});
  }
  return p;
}

}  // namespace imago::develop
