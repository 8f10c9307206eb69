// Tables of DNG camera profiles that shift hue and scale saturation and value (DNG specification 1.7.1, chapter 6,
// ProfileHueSatMap and ProfileLookTable). They act on hue, saturation and value of linear ProPhoto RGB (D50).
#pragma once

#include <vector>

namespace imago::color {

struct HueSatMap {
  int hues = 0;             // divisions around the circle, 1 or more
  int saturations = 0;      // from 0 to 1 inclusive, 2 or more
  int values = 0;           // from 0 to 1 inclusive; 1: value plays no part
  bool srgb_value = false;  // value steps are those of sRGB's encoding, not of light

  struct Entry {
    float hue_shift_degrees = 0, saturation_scale = 1, value_scale = 1;
    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> entries;  // values * hues * saturations, saturation fastest

  bool empty() const { return entries.empty(); }
  bool operator==(const HueSatMap&) const = default;
};

// Entry by entry between two maps of one shape; the nearer one when their shapes differ. weight_b: 0 … 1.
HueSatMap mixed(const HueSatMap& a, const HueSatMap& b, double weight_b);

// False for a map that changes nothing.
bool has_effect(const HueSatMap& map);

}  // namespace imago::color
