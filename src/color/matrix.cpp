#include "color/matrix.h"

#include <algorithm>
#include <cmath>

namespace imago::color {

bool is_invertible(const Matrix3& a) {
  // The volume that the rows span, of that of a box of the same side lengths.
  double box = 1;
  for (int r = 0; r < 3; ++r) box *= std::hypot(a(r, 0), a(r, 1), a(r, 2));
  const double volume = std::abs(determinant(a));
  return std::isfinite(box) && std::isfinite(volume) && box > 0 && volume > 1e-9 * box;
}

}  // namespace imago::color
