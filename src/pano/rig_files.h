// What describes a folder of faces to others: COLMAP's rig_config.json, and cubemap.json with the same numbers and what
// COLMAP's file has no place for.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "geometry/rig.h"

namespace imago::pano {

// Every face is a pinhole camera of size x size pixels, its principal point in the middle.
struct FaceRig {
  geometry::RigLayout layout;  // as cut, turned by yaw_deg
  double yaw_deg = 0;
  double fov_deg = 96;
  int size = 0;
  std::string extension = ".jpg";
  double focal_px() const;
};

// COLMAP 3.12 and later: one rig, prefix "<face>/", zero translations (they have to stand there), PINHOLE intrinsics.
nlohmann::json rig_config(const FaceRig& rig);

nlohmann::json cubemap_description(const FaceRig& rig, const std::vector<std::string>& frames);

struct CubemapDescription {
  FaceRig rig;
  std::vector<std::string> frames;  // names without extension
};
// Reads cubemap.json of a stage folder. Throws Error{input}.
CubemapDescription read_cubemap_description(const std::filesystem::path& stage_folder);

// A rig of the user's own: {"name": …, "fov": 90, "cameras": [{"name": "a", "yaw": 0, "pitch": 0, "roll": 0}, …]}, in
// degrees: yaw + right, pitch + up, roll + clockwise as the camera sees it turn. Throws Error{usage} or Error{input}.
geometry::RigLayout read_layout_file(const std::filesystem::path& path);

// The cameras whose names are in the comma-separated list, in the layout's order. Throws Error{usage} for others.
geometry::RigLayout with_faces(const geometry::RigLayout& layout, const std::string& names);

}  // namespace imago::pano
