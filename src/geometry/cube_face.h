// The faces of a cube around a panorama's centre, named by word; orientation as in reference 360.md C2.
//
// A face is a square pinhole camera (x right, y down, z forward) of `size` pixels and full field of view `fov_rad`;
// its principal point is the middle. At 90 degrees the faces are the layers of a cube texture sampled with (x, -y, z):
// right +X, left -X, up +Y, down -Y, front +Z, back -Z.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string_view>

#include "geometry/sphere.h"
#include "geometry/vector.h"

namespace imago::geometry {

enum class CubeFace : std::uint8_t { front, right, back, left, up, down };
inline constexpr int cube_face_count = 6;
inline constexpr std::array<CubeFace, cube_face_count> cube_faces = {CubeFace::front, CubeFace::right, CubeFace::back,
                                                                     CubeFace::left,  CubeFace::up,    CubeFace::down};
inline constexpr std::array<std::string_view, cube_face_count> cube_face_names = {"front", "right", "back",
                                                                                  "left",  "up",    "down"};

constexpr std::string_view name_of(CubeFace face) { return cube_face_names[static_cast<std::size_t>(face)]; }

constexpr std::optional<CubeFace> cube_face_from_name(std::string_view name) {
  for (CubeFace face : cube_faces) {
    if (name_of(face) == name) return face;
  }
  return std::nullopt;
}

// How far a view is turned from straight ahead: yaw + to the right, then pitch + up.
struct ViewAngles {
  double yaw_deg = 0, pitch_deg = 0;
};

constexpr ViewAngles view_angles(CubeFace face) {
  constexpr std::array<ViewAngles, cube_face_count> table = {{{0, 0}, {90, 0}, {180, 0}, {270, 0}, {0, 90}, {0, -90}}};
  return table[static_cast<std::size_t>(face)];
}

// Exact: entries are 0, 1 and -1. Rows are the face's right, down and forward in panorama axes.
constexpr Mat3<double> face_from_pano(CubeFace face) {
  constexpr std::array<Mat3<double>, cube_face_count> table = {{{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                                                {0, 0, -1, 0, 1, 0, 1, 0, 0},
                                                                {-1, 0, 0, 0, 1, 0, 0, 0, -1},
                                                                {0, 0, 1, 0, 1, 0, -1, 0, 0},
                                                                {1, 0, 0, 0, 0, 1, 0, -1, 0},
                                                                {1, 0, 0, 0, 0, -1, 0, 1, 0}}};
  return table[static_cast<std::size_t>(face)];
}

constexpr Mat3<double> pano_from_face(CubeFace face) { return transposed(face_from_pano(face)); }

// Any view: Ry(yaw) * Rx(pitch), which for the faces' own angles equals pano_from_face() up to rounding.
inline Mat3<double> pano_from_view(const ViewAngles& angles) {
  const double yaw = angles.yaw_deg * std::numbers::pi / 180;
  const double pitch = angles.pitch_deg * std::numbers::pi / 180;
  const double cy = std::cos(yaw), sy = std::sin(yaw), cp = std::cos(pitch), sp = std::sin(pitch);
  return multiply<double>({cy, 0, sy, 0, 1, 0, -sy, 0, cy}, {1, 0, 0, 0, cp, -sp, 0, sp, cp});
}

// Focal length in pixels of a face; the same along x and y.
inline double face_focal_px(double fov_rad, int size) { return size * 0.5 / std::tan(fov_rad / 2); }

// Ray through a continuous position on the face, in the face's own axes, with z = 1 (not of unit length).
template <typename Real>
Vec3<Real> face_ray_from_position(const Position<Real>& at, Real focal_px, int size) {
  const Real centre = Real(size) * Real(0.5);
  return {(at.x - centre) / focal_px, (at.y - centre) / focal_px, Real(1)};
}

// Where a ray in the face's axes meets the face; empty behind the camera (z <= 0) or for NaN.
template <typename Real>
std::optional<Position<Real>> face_position_from_ray(const Vec3<Real>& ray, Real focal_px, int size) {
  if (!(ray.z > Real(0))) return std::nullopt;
  const Real centre = Real(size) * Real(0.5);
  return Position<Real>{ray.x / ray.z * focal_px + centre, ray.y / ray.z * focal_px + centre};
}

// The face whose 90-degree square holds a direction in panorama axes; on an edge, the first of front, right, back,
// left, up, down that holds it.
template <typename Real>
CubeFace face_containing(const Vec3<Real>& d) {
  using std::abs;
  const Real x = abs(d.x), y = abs(d.y), z = abs(d.z);
  if (z >= x && z >= y && d.z > Real(0)) return CubeFace::front;
  if (x >= y && x >= z && d.x > Real(0)) return CubeFace::right;
  if (z >= x && z >= y) return CubeFace::back;
  if (x >= y && x >= z) return CubeFace::left;
  return d.y < Real(0) ? CubeFace::up : CubeFace::down;
}

}  // namespace imago::geometry
