// A rig: pinhole cameras that share one centre and look out of one panorama. The first is the reference.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// The rotation's quaternion with w >= 0 (where w is 0: its first component that is not, positive).
Quaternion quaternion_from(const Mat3<double>& rotation);

struct RigCamera {
  std::string name;  // folder name: images/<name>/<frame>.jpg
  ViewAngles view;
  Mat3<double> cam_from_pano;  // exact for the faces of a cube
};

struct RigLayout {
  std::string name;  // value of --layout
  std::vector<RigCamera> cameras;
  double default_fov_deg = 96;
};

// The pose of a camera in its rig, whose axes are those of the rig's first camera.
Mat3<double> cam_from_rig_rotation(const RigLayout& layout, std::size_t camera);
Quaternion cam_from_rig(const RigLayout& layout, std::size_t camera);

// Six faces of a cube, each a little wider than its 90 degrees so that neighbours overlap.
const RigLayout& cube6();

// `count` views around the horizon, the first straight ahead: ring000, ring045, …
RigLayout ring(int count);

// The twelve views of COLMAP's panorama_sfm: pitch -35, 0 and 35 degrees, four a row, the last row turned by 45.
RigLayout colmap12();

// cube6, ring (8 views), ring:N, colmap12.
std::optional<RigLayout> rig_layout_from_name(std::string_view name);

// The whole rig turned to the right by yaw_deg: other directions come to lie in the middle of the faces. The poses in
// the rig stay what they are.
RigLayout turned(const RigLayout& layout, double yaw_deg);

// Which camera's optical axis is nearest to a direction in panorama axes; the first of several.
std::size_t owner_of(const RigLayout& layout, const Vec3<double>& direction);

}  // namespace imago::geometry
