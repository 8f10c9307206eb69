#pragma once

#include <algorithm>

namespace imago {

// Half-open rectangle in whole pixels.
struct Rect {
  int x = 0, y = 0, width = 0, height = 0;
  int right() const { return x + width; }
  int bottom() const { return y + height; }
  bool empty() const { return width <= 0 || height <= 0; }
  bool operator==(const Rect&) const = default;
};

// Half-open range of rows.
struct RowRange {
  int begin = 0, end = 0;
  int count() const { return end - begin; }
  bool operator==(const RowRange&) const = default;
};

inline RowRange clamp(RowRange rows, int height) {
  return {std::clamp(rows.begin, 0, height), std::clamp(rows.end, 0, height)};
}

}  // namespace imago
