// Text as strokes: capital letters, digits and + - . / on a grid 4 wide and 6 high, one letter every 6 units.
#pragma once

#include <string_view>

namespace imago::scene {

// Share of ink, 0 … 1, at (x, y) from the line's top left, y down; lengths in multiples of the letters' height.
float text_coverage(std::string_view text, float x, float y, float pixel_width);

// Of a line, in multiples of its height.
inline float text_width(std::string_view text) { return static_cast<float>(text.size()) - 1.0f / 3.0f; }

}  // namespace imago::scene
