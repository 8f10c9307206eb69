// Directions and equirect (panorama) pixels; the convention of COLMAP's EQUIRECTANGULAR camera and of reference 360.md
// C2.
//
// Axes as a camera's: x right, y down, z forward. Positions are continuous: the corner of the picture is (0, 0), the
// centre of pixel i lies at i + 0.5. The middle of the panorama looks along +z, its right half towards +x.
//
//   azimuth   theta = atan2(x, z)               0 forward, + right, (-pi, pi]
//   elevation phi   = atan2(-y, hypot(x, z))    + up
//   column = (theta / 2pi + 1/2) * width        row = (1/2 - phi / pi) * height
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/vector.h"

namespace imago::geometry {

// A continuous position in pixels.
template <typename Real>
struct Position {
  Real x{}, y{};
  bool operator==(const Position&) const = default;
};

template <typename Real>
struct Angles {
  Real azimuth_rad{}, elevation_rad{};
};

// The direction need not be of unit length. At the poles (x = z = 0) the azimuth is 0.
template <typename Real>
Angles<Real> angles_from_direction(const Vec3<Real>& d) {
  using std::atan2, std::sqrt;
  return {atan2(d.x, d.z), atan2(-d.y, sqrt(d.x * d.x + d.z * d.z))};
}

// Unit length.
template <typename Real>
Vec3<Real> direction_from_angles(const Angles<Real>& angles) {
  using std::cos, std::sin;
  const Real flat = cos(angles.elevation_rad);
  return {flat * sin(angles.azimuth_rad), -sin(angles.elevation_rad), flat * cos(angles.azimuth_rad)};
}

// column in [0, width], row in [0, height]; straight back (azimuth pi) is column `width`, the same as column 0.
template <typename Real>
Position<Real> equirect_from_direction(const Vec3<Real>& d, int width, int height) {
  const Angles<Real> angles = angles_from_direction(d);
  return {(angles.azimuth_rad * Real(0.5 * std::numbers::inv_pi) + Real(0.5)) * Real(width),
          (Real(0.5) - angles.elevation_rad * Real(std::numbers::inv_pi)) * Real(height)};
}

// Any column and row: columns wrap, rows beyond a pole come down on its other side by themselves. Unit length.
template <typename Real>
Vec3<Real> direction_from_equirect(const Position<Real>& at, int width, int height) {
  return direction_from_angles<Real>({(at.x / Real(width) - Real(0.5)) * Real(2 * std::numbers::pi),
                                      (Real(0.5) - at.y / Real(height)) * Real(std::numbers::pi)});
}

// Whole pixel index of the panorama.
struct PixelIndex {
  int x = 0, y = 0;
  bool operator==(const PixelIndex&) const = default;
};

// The pixel that lies at a whole index outside the panorama: columns repeat; a row beyond a pole is the mirrored row
// on the opposite meridian, half a turn away. `width` should be even (an odd one is off by half a pixel over a pole).
inline PixelIndex wrapped(PixelIndex at, int width, int height) {
  const auto floor_mod = [](int a, int n) { return (a % n + n) % n; };
  int y = floor_mod(at.y, 2 * height);
  int x = at.x;
  if (y >= height) {
    y = 2 * height - 1 - y;
    x += width / 2;
  }
  return {floor_mod(x, width), y};
}

// Columns per radian of azimuth and rows per radian of elevation are the same number where width = 2 * height.
inline double pixels_per_radian(int width) { return width * 0.5 * std::numbers::inv_pi; }

}  // namespace imago::geometry
