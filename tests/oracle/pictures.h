// Inputs that are worse than photographs, for the stages' cases. The plain ones are develop/stages/test_picture.h's.
#pragma once

#include <array>
#include <limits>

#include "develop/stages/test_picture.h"

namespace imago::oracle {

using develop::noise_picture;
using develop::scene_picture;

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// Sizes that end within, at and after a workgroup, and pictures without a neighbour.
struct Size {
  int width, height;
};
inline constexpr Size small_sizes[] = {{1, 1}, {1, 7}, {17, 13}, {255, 5}, {256, 4}, {257, 3}, {301, 203}};

// Values that are no light at all, sprinkled over a picture: every seventh sample is one of `odd`.
template <std::size_t count>
Rgb32f sprinkled(Rgb32f picture, const std::array<float, count>& odd) {
  for (std::size_t i = 0; i < picture.pixels.size(); i += 7) picture.pixels[i] = odd[i / 7 % count];
  return picture;
}

inline constexpr std::array<float, 11> finite_values = {0,      -0.0f,    0.5f,   1,     -1,   2,
                                                        -0.25f, 0x1p-14f, 1e-40f, 65504, 0.18f};
inline constexpr std::array<float, 6> any_values = {not_a_number, infinity, 0, -infinity, 1e30f, -1e30f};

}  // namespace imago::oracle
