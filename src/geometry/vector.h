// Three-vectors and 3x3 matrices of the geometry code. Plain values, all noexcept arithmetic; NaN in, NaN out.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace imago::geometry {

template <typename Real>
struct Vec3 {
  Real x{}, y{}, z{};
  bool operator==(const Vec3&) const = default;
};

template <typename Real>
constexpr Vec3<Real> operator+(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <typename Real>
constexpr Vec3<Real> operator-(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <typename Real>
constexpr Vec3<Real> operator*(const Vec3<Real>& a, Real s) {
  return {a.x * s, a.y * s, a.z * s};
}

template <typename Real>
constexpr Real dot(const Vec3<Real>& a, const Vec3<Real>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <typename Real>
constexpr Vec3<Real> cross(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <typename Real>
Real length(const Vec3<Real>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

template <typename Real>
Vec3<Real> normalized(const Vec3<Real>& a) {
  return a * (Real(1) / length(a));
}

// Row-major.
template <typename Real>
using Mat3 = std::array<Real, 9>;

template <typename Real>
constexpr Vec3<Real> operator*(const Mat3<Real>& m, const Vec3<Real>& v) {
  return {m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
          m[6] * v.x + m[7] * v.y + m[8] * v.z};
}

template <typename Real>
constexpr Mat3<Real> multiply(const Mat3<Real>& a, const Mat3<Real>& b) {
  Mat3<Real> out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      out[i * 3 + j] = a[i * 3] * b[j] + a[i * 3 + 1] * b[3 + j] + a[i * 3 + 2] * b[6 + j];
    }
  }
  return out;
}

template <typename Real>
constexpr Mat3<Real> transposed(const Mat3<Real>& m) {
  return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]};
}

template <typename Real>
constexpr Mat3<Real> identity3() {
  return {1, 0, 0, 0, 1, 0, 0, 0, 1};
}

}  // namespace imago::geometry
