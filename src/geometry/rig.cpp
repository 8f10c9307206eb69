#include "geometry/rig.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace imago::geometry {
namespace {

RigLayout make_cube6() {
  RigLayout layout{"cube6", {}, 96};
  for (const CubeFace face : cube_faces) {
    layout.cameras.push_back({std::string(name_of(face)), view_angles(face), face_from_pano(face)});
  }
  return layout;
}

RigCamera view_camera(std::string name, const ViewAngles& angles) {
  return {std::move(name), angles, transposed(pano_from_view(angles))};
}

}  // namespace

// Shepperd's method: the largest of the four components is divided by.
Quaternion quaternion_from(const Mat3<double>& m) {
  const double trace = m[0] + m[4] + m[8];
  Quaternion q;
  if (trace >= m[0] && trace >= m[4] && trace >= m[8]) {
    q = {1 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1]};
  } else if (m[0] >= m[4] && m[0] >= m[8]) {
    q = {m[7] - m[5], 1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6]};
  } else if (m[4] >= m[8]) {
    q = {m[2] - m[6], m[1] + m[3], 1 - m[0] + m[4] - m[8], m[5] + m[7]};
  } else {
    q = {m[3] - m[1], m[2] + m[6], m[5] + m[7], 1 - m[0] - m[4] + m[8]};
  }
  double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  const double leading = q.w != 0 ? q.w : q.x != 0 ? q.x : q.y != 0 ? q.y : q.z;
  if (leading < 0) norm = -norm;
  const auto part = [norm](double value) { return value == 0 ? 0.0 : value / norm; };  // no negative zeros
  return {part(q.w), part(q.x), part(q.y), part(q.z)};
}

Mat3<double> cam_from_rig_rotation(const RigLayout& layout, std::size_t camera) {
  return multiply(layout.cameras[camera].cam_from_pano, transposed(layout.cameras.front().cam_from_pano));
}

Quaternion cam_from_rig(const RigLayout& layout, std::size_t camera) {
  return camera == 0 ? Quaternion{} : quaternion_from(cam_from_rig_rotation(layout, camera));
}

const RigLayout& cube6() {
  static const RigLayout layout = make_cube6();
  return layout;
}

RigLayout ring(int count) {
  RigLayout layout{count == 8 ? "ring" : fmt::format("ring:{}", count), {}, 90};
  for (int i = 0; i < count; ++i) {
    const double yaw = 360.0 * i / count;
    layout.cameras.push_back(view_camera(fmt::format("ring{:03}", std::lround(yaw)), {yaw, 0}));
  }
  return layout;
}

RigLayout colmap12() {
  RigLayout layout{"colmap12", {}, 90};
  for (const double pitch : {-35.0, 0.0, 35.0}) {
    for (int i = 0; i < 4; ++i) {
      const double yaw = 90.0 * i + (pitch > 0 ? 45 : 0);
      layout.cameras.push_back(view_camera(fmt::format("pano_camera{}", layout.cameras.size()), {yaw, pitch}));
    }
  }
  return layout;
}

std::optional<RigLayout> rig_layout_from_name(std::string_view name) {
  if (name == "cube6") return cube6();
  if (name == "ring") return ring(8);
  if (name == "colmap12") return colmap12();
  if (!name.starts_with("ring:")) return std::nullopt;
  int count = 0;
  const auto [end, error] = std::from_chars(name.data() + 5, name.data() + name.size(), count);
  if (error != std::errc() || end != name.data() + name.size() || count < 1 || count > 120) return std::nullopt;
  return ring(count);
}

RigLayout turned(const RigLayout& layout, double yaw_deg) {
  RigLayout out = layout;
  if (yaw_deg == 0) return out;
  const Mat3<double> back = transposed(pano_from_view({yaw_deg, 0}));
  for (RigCamera& camera : out.cameras) {
    camera.cam_from_pano = multiply(camera.cam_from_pano, back);
    camera.view.yaw_deg += yaw_deg;
  }
  return out;
}

std::size_t owner_of(const RigLayout& layout, const Vec3<double>& direction) {
  std::size_t best = 0;
  double best_cosine = -2;
  for (std::size_t i = 0; i < layout.cameras.size(); ++i) {
    const Mat3<double>& m = layout.cameras[i].cam_from_pano;
    const double cosine = dot(Vec3<double>{m[6], m[7], m[8]}, direction);
    if (cosine <= best_cosine) continue;
    best = i;
    best_cosine = cosine;
  }
  return best;
}

}  // namespace imago::geometry
