#include "develop/tools/primaries/primaries.h"

namespace imago::develop {

PrimariesParams derive_primaries(const color::Primaries& output) {
  if (output.red == color::rec2020_primaries.red && output.green == color::rec2020_primaries.green) return {};
  const color::Matrix3 m = color::rgb_from_rgb(output, color::rec2020_primaries);
  const auto at = [&](int row, int column) { return static_cast<float>(m(row, column)); };
  return {.enabled = 1,
          .red_from_green = at(0, 1),
          .red_from_blue = at(0, 2),
          .green_from_red = at(1, 0),
          .green_from_blue = at(1, 2),
          .blue_from_red = at(2, 0),
          .blue_from_green = at(2, 1)};
}

}  // namespace imago::develop
