// A COLMAP reconstruction (its documentation's "Output format"): rigs, cameras, frames, images and points, as text and
// binary. Rigs and frames came with COLMAP 3.12; models without them are read too.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "geometry/rig.h"
#include "geometry/sphere.h"
#include "geometry/vector.h"

namespace imago::pano {

// to_from: a rotation and a translation in the target's axes.
struct RigidPose {
  geometry::Quaternion rotation;
  geometry::Vec3<double> translation;
};

struct ColmapCamera {
  std::uint32_t id = 0;
  std::int32_t model = 1;  // COLMAP's number: 0 SIMPLE_PINHOLE, 1 PINHOLE, …
  std::uint64_t width = 0, height = 0;
  std::vector<double> params;
};

struct ColmapPoint2d {
  double x = 0, y = 0;
  std::int64_t point = -1;  // id of the point it sees, -1: none
};

struct ColmapImage {
  std::uint32_t id = 0;
  RigidPose cam_from_world;
  std::uint32_t camera = 0;
  std::string name;  // "front/0001.jpg"
  std::vector<ColmapPoint2d> points;
};

struct ColmapPoint {
  std::uint64_t id = 0;
  geometry::Vec3<double> at;
  std::array<std::uint8_t, 3> color{};
  double error = 0;                                            // pixels
  std::vector<std::pair<std::uint32_t, std::uint32_t>> track;  // image id, index of its point
};

struct ColmapSensor {
  std::int32_t type = 0;  // 0: camera
  std::uint32_t id = 0;
  bool has_pose = false;
  RigidPose sensor_from_rig;
};

struct ColmapRig {
  std::uint32_t id = 0;
  std::vector<ColmapSensor> sensors;  // the first is the reference
};

struct ColmapFrame {
  struct Observation {
    std::int32_t type = 0;
    std::uint32_t sensor = 0;
    std::uint64_t image = 0;
  };
  std::uint32_t id = 0, rig = 0;
  RigidPose rig_from_world;
  std::vector<Observation> images;
};

struct ColmapModel {
  std::vector<ColmapCamera> cameras;
  std::vector<ColmapImage> images;
  std::vector<ColmapPoint> points;
  std::vector<ColmapRig> rigs;
  std::vector<ColmapFrame> frames;

  const ColmapCamera* camera(std::uint32_t id) const;
};

// Binary when images.bin is there, else text. Throws Error{input}: nothing there, damaged, truncated.
ColmapModel read_colmap(const std::filesystem::path& folder);

void write_colmap_binary(const ColmapModel& model, const std::filesystem::path& folder);
void write_colmap_text(const ColmapModel& model, const std::filesystem::path& folder);

geometry::Vec3<double> centre_of(const RigidPose& cam_from_world);

// Where a point falls in an image of a SIMPLE_PINHOLE or PINHOLE camera; nothing behind it or for other models.
std::optional<geometry::Position<double>> projected(const ColmapCamera& camera, const RigidPose& cam_from_world,
                                                    const geometry::Vec3<double>& point);

// Of all observations of points, in pixels.
double mean_reprojection_error(const ColmapModel& model);

}  // namespace imago::pano
