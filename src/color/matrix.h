// 3 × 3 matrices, RGB spaces by their primaries, chromatic adaptation. Double precision: parameters, not pixels.
// Matrices are named out_from_in and act on columns: out = m * in.
#pragma once

#include <array>

namespace imago::color {

using Vector3 = std::array<double, 3>;

struct Matrix3 {
  std::array<double, 9> m{1, 0, 0, 0, 1, 0, 0, 0, 1};  // row by row
  constexpr double operator()(int row, int column) const { return m[static_cast<std::size_t>(row * 3 + column)]; }
  constexpr double& operator()(int row, int column) { return m[static_cast<std::size_t>(row * 3 + column)]; }
  bool operator==(const Matrix3&) const = default;
};

constexpr Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
  Matrix3 out;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) out(r, c) = a(r, 0) * b(0, c) + a(r, 1) * b(1, c) + a(r, 2) * b(2, c);
  }
  return out;
}

constexpr Vector3 operator*(const Matrix3& a, const Vector3& v) {
  return {a(0, 0) * v[0] + a(0, 1) * v[1] + a(0, 2) * v[2], a(1, 0) * v[0] + a(1, 1) * v[1] + a(1, 2) * v[2],
          a(2, 0) * v[0] + a(2, 1) * v[1] + a(2, 2) * v[2]};
}

constexpr Matrix3 operator*(double scale, Matrix3 a) {
  for (double& value : a.m) value *= scale;
  return a;
}

constexpr Matrix3 operator+(Matrix3 a, const Matrix3& b) {
  for (std::size_t i = 0; i < 9; ++i) a.m[i] += b.m[i];
  return a;
}

constexpr Matrix3 diagonal(const Vector3& v) { return {{v[0], 0, 0, 0, v[1], 0, 0, 0, v[2]}}; }

constexpr double determinant(const Matrix3& a) {
  return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) - a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
         a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
}

// Infinite or NaN for a singular matrix: callers with matrices from files look at is_invertible first.
constexpr Matrix3 inverse(const Matrix3& a) {
  const double s = 1 / determinant(a);
  return {{(a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) * s, (a(0, 2) * a(2, 1) - a(0, 1) * a(2, 2)) * s,
           (a(0, 1) * a(1, 2) - a(0, 2) * a(1, 1)) * s, (a(1, 2) * a(2, 0) - a(1, 0) * a(2, 2)) * s,
           (a(0, 0) * a(2, 2) - a(0, 2) * a(2, 0)) * s, (a(0, 2) * a(1, 0) - a(0, 0) * a(1, 2)) * s,
           (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0)) * s, (a(0, 1) * a(2, 0) - a(0, 0) * a(2, 1)) * s,
           (a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0)) * s}};
}

// False for singular, nearly singular and non-finite matrices. The scale of the matrix does not matter.
bool is_invertible(const Matrix3& a);

// For pixel loops and GPU parameters.
constexpr std::array<float, 9> to_float(const Matrix3& a) {
  std::array<float, 9> out{};
  for (std::size_t i = 0; i < 9; ++i) out[i] = static_cast<float>(a.m[i]);
  return out;
}

// CIE 1931 chromaticity.
struct Xy {
  double x = 0;
  double y = 0;
  bool operator==(const Xy&) const = default;
};

// Y = 1. y must not be 0.
constexpr Vector3 xyz_from_xy(Xy xy) { return {xy.x / xy.y, 1, (1 - xy.x - xy.y) / xy.y}; }

// (0, 0, 0) gives the chromaticity of D50, so that nothing divides by zero.
constexpr Xy xy_from_xyz(const Vector3& xyz) {
  const double sum = xyz[0] + xyz[1] + xyz[2];
  return sum == 0 ? Xy{0.3457, 0.3585} : Xy{xyz[0] / sum, xyz[1] / sum};
}

inline constexpr Xy d50{0.3457, 0.3585};              // ISO 3664, DNG; XYZ = 0.9643, 1, 0.8251
inline constexpr Xy d65{0.3127, 0.3290};              // sRGB, Rec.709, Rec.2020, P3; XYZ = 0.9505, 1, 1.0891
inline constexpr Vector3 icc_d50{0.9642, 1, 0.8249};  // the connection space of ICC profiles

// Primaries and white of an RGB space.
struct Primaries {
  Xy red, green, blue, white;
};

inline constexpr Primaries srgb_primaries{{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}, d65};           // IEC 61966-2-1
inline constexpr Primaries p3_primaries{{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}, d65};       // SMPTE EG 432
inline constexpr Primaries rec2020_primaries{{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}, d65};  // ITU-R BT.2020
inline constexpr Primaries adobe_rgb_primaries{{0.64, 0.33}, {0.21, 0.71}, {0.15, 0.06}, d65};      // Adobe RGB (1998)
inline constexpr Primaries prophoto_primaries{{0.7347, 0.2653}, {0.1596, 0.8404}, {0.0366, 0.0001}, d50};  // ROMM RGB

// CIE XYZ of linear RGB, relative to the space's own white (RGB 1, 1, 1 gives the white with Y = 1).
constexpr Matrix3 xyz_from_rgb(const Primaries& space) {
  const Vector3 r = xyz_from_xy(space.red);
  const Vector3 g = xyz_from_xy(space.green);
  const Vector3 b = xyz_from_xy(space.blue);
  const Matrix3 columns{{r[0], g[0], b[0], r[1], g[1], b[1], r[2], g[2], b[2]}};
  return columns * diagonal(inverse(columns) * xyz_from_xy(space.white));
}

// Von Kries scaling in a cone space: XYZ under white `to` of XYZ under white `from` (both XYZ with Y = 1).
constexpr Matrix3 adapt(const Matrix3& cone_from_xyz, const Vector3& to, const Vector3& from) {
  const Vector3 a = cone_from_xyz * to;
  const Vector3 b = cone_from_xyz * from;
  return inverse(cone_from_xyz) * diagonal({a[0] / b[0], a[1] / b[1], a[2] / b[2]}) * cone_from_xyz;
}

inline constexpr Matrix3 bradford{{0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296}};
inline constexpr Matrix3 cat16{
    {0.401288, 0.650173, -0.051461, -0.250268, 1.204414, 0.045854, -0.002079, 0.048952, 0.953127}};  // Li et al. 2017

// Linear RGB of one space from another's, white to white (Bradford).
constexpr Matrix3 rgb_from_rgb(const Primaries& to, const Primaries& from) {
  return inverse(xyz_from_rgb(to)) * adapt(bradford, xyz_from_xy(to.white), xyz_from_xy(from.white)) *
         xyz_from_rgb(from);
}

// The working space: linear Rec.2020.
inline constexpr Matrix3 xyz_from_working = xyz_from_rgb(rec2020_primaries);
inline constexpr Matrix3 working_from_xyz = inverse(xyz_from_working);

}  // namespace imago::color
