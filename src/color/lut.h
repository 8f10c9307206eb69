// A look as a table: three curves, a cube of colours, or one after the other.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace imago::color {

struct Lut {
  std::string title;
  // `curve_size` triples: red's, green's and blue's value at i / (curve_size - 1). Empty: none.
  std::vector<float> curves;
  int curve_size = 0;
  // Input that the first and the last entry stand for.
  std::array<float, 3> curve_min{0, 0, 0};
  std::array<float, 3> curve_max{1, 1, 1};
  // `cube_size`^3 triples, red fastest. Empty: none.
  std::vector<float> cube;
  int cube_size = 0;
  std::array<float, 3> cube_min{0, 0, 0};
  std::array<float, 3> cube_max{1, 1, 1};
};

}  // namespace imago::color
