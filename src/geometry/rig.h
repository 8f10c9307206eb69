// A rig: pinhole cameras that share one centre and look out of one panorama. The first is the reference.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "geometry/cube_face.h"
#include "geometry/vector.h"

namespace imago::geometry {

// Hamilton, unit length, scalar first (COLMAP's order).
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
};

constexpr Mat3<double> matrix_from(const Quaternion& q) {
  return {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z),     2 * (q.x * q.z + q.w * q.y),
          2 * (q.x * q.y + q.w * q.z),     1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x),
          2 * (q.x * q.z - q.w * q.y),     2 * (q.y * q.z + q.w * q.x),     1 - 2 * (q.x * q.x + q.y * q.y)};
}

struct RigCamera {
  std::string_view name;  // folder name: images/<name>/<frame>.jpg
  ViewAngles view;
  Quaternion cam_from_rig;
  Mat3<double> cam_from_rig_rotation;  // the same, exact; the rig's axes are the panorama's
};

struct RigLayout {
  std::string_view name;  // value of --layout
  std::span<const RigCamera> cameras;
  double default_fov_deg = 96;
};

namespace detail {
inline constexpr double half_root = std::numbers::sqrt2 / 2;

constexpr RigCamera cube_camera(CubeFace face, Quaternion cam_from_rig) {
  return {name_of(face), view_angles(face), cam_from_rig, face_from_pano(face)};
}

inline constexpr std::array<RigCamera, cube_face_count> cube6_cameras = {
    cube_camera(CubeFace::front, {1, 0, 0, 0}),
    cube_camera(CubeFace::right, {half_root, 0, -half_root, 0}),
    cube_camera(CubeFace::back, {0, 0, -1, 0}),
    cube_camera(CubeFace::left, {half_root, 0, half_root, 0}),
    cube_camera(CubeFace::up, {half_root, -half_root, 0, 0}),
    cube_camera(CubeFace::down, {half_root, half_root, 0, 0})};
}  // namespace detail

// Six faces of a cube, each a little wider than its 90 degrees so that neighbours overlap.
inline constexpr RigLayout cube6 = {"cube6", detail::cube6_cameras};

inline constexpr std::array<RigLayout, 1> rig_layouts = {cube6};

inline std::optional<RigLayout> rig_layout_from_name(std::string_view name) {
  for (const RigLayout& layout : rig_layouts) {
    if (layout.name == name) return layout;
  }
  return std::nullopt;
}

}  // namespace imago::geometry
