#include "develop/tools/black_white/black_white.h"

namespace imago::develop {

BlackWhiteParams derive_black_white(const BlackWhite& s) {
  if (s.enabled == 0) return {};
  float values[band_count] = {s.red, s.orange, s.yellow, s.green, s.aqua, s.blue, s.purple, s.magenta};
  for (float& value : values) value *= 0.0035f;
  BlackWhiteParams p;
  p.enabled = 1;
  p.red = values[0];
  set_band_differences(values, p.next);
  return p;
}

}  // namespace imago::develop
