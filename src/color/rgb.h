#pragma once

namespace imago::color {

// Three channels of one pixel; which space and state, the name of the variable or function says.
struct Rgb {
  float r = 0;
  float g = 0;
  float b = 0;
  bool operator==(const Rgb&) const = default;
};

}  // namespace imago::color
