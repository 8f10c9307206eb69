// Affine maps of the plane. Coefficients are doubles; a position may be of any Real (double, Interval), so that the
// formula of a warp is written once.
#pragma once

#include "geometry/sphere.h"

namespace imago::geometry {

// x' = xx x + xy y + x0,  y' = yx x + yy y + y0
struct Affine {
  double xx = 1, xy = 0, x0 = 0;
  double yx = 0, yy = 1, y0 = 0;
  bool operator==(const Affine&) const = default;
};

template <typename Real>
constexpr Position<Real> apply(const Affine& map, const Position<Real>& at) {
  return {Real(map.xx) * at.x + Real(map.xy) * at.y + Real(map.x0),
          Real(map.yx) * at.x + Real(map.yy) * at.y + Real(map.y0)};
}

// outer(inner(p))
constexpr Affine compose(const Affine& outer, const Affine& inner) {
  return {outer.xx * inner.xx + outer.xy * inner.yx,
          outer.xx * inner.xy + outer.xy * inner.yy,
          outer.xx * inner.x0 + outer.xy * inner.y0 + outer.x0,
          outer.yx * inner.xx + outer.yy * inner.yx,
          outer.yx * inner.xy + outer.yy * inner.yy,
          outer.yx * inner.x0 + outer.yy * inner.y0 + outer.y0};
}

// The map must not be singular.
constexpr Affine inverse(const Affine& map) {
  const double determinant = map.xx * map.yy - map.xy * map.yx;
  const double xx = map.yy / determinant, xy = -map.xy / determinant;
  const double yx = -map.yx / determinant, yy = map.xx / determinant;
  return {xx, xy, -(xx * map.x0 + xy * map.y0), yx, yy, -(yx * map.x0 + yy * map.y0)};
}

}  // namespace imago::geometry
