#include "pano/rig_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "base/error.h"
#include "base/path_text.h"
#include "pano/manifest.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;
using geometry::Mat3;
using geometry::Quaternion;
using nlohmann::json;

json as_json(const Quaternion& q) { return {q.w, q.x, q.y, q.z}; }

json camera_params(const FaceRig& rig) { return {rig.focal_px(), rig.focal_px(), rig.size / 2.0, rig.size / 2.0}; }

// A face's folder: no separators, nothing hidden.
void check_name(const std::string& name, const fs::path& path) {
  const bool good = !name.empty() && name.front() != '.' && name.find_first_of("/\\\"\n\r\t ") == std::string::npos;
  if (!good) throw Error(ErrorKind::input, fmt::format("{}: \"{}\" cannot name a folder of faces", utf8(path), name));
}

Mat3<double> cam_from_pano(double yaw_deg, double pitch_deg, double roll_deg) {
  const double roll = roll_deg * std::numbers::pi / 180;
  const double c = std::cos(roll), s = std::sin(roll);
  const Mat3<double> pano_from_level = geometry::pano_from_view({yaw_deg, pitch_deg});
  return geometry::transposed(geometry::multiply<double>(pano_from_level, {c, -s, 0, s, c, 0, 0, 0, 1}));
}

double number(const json& object, const char* key, double fallback, const fs::path& path) {
  const json value = object.value(key, json(fallback));
  if (!value.is_number() || !std::isfinite(value.get<double>())) {
    throw Error(ErrorKind::input, fmt::format("{}: \"{}\" is no number", utf8(path), key));
  }
  return value.get<double>();
}

std::string text(const json& object, const char* key) {
  const json value = object.value(key, json(""));
  return value.is_string() ? value.get<std::string>() : "";
}

}  // namespace

double FaceRig::focal_px() const { return geometry::face_focal_px(fov_deg * std::numbers::pi / 180, size); }

json rig_config(const FaceRig& rig) {
  json cameras = json::array();
  for (std::size_t i = 0; i < rig.layout.cameras.size(); ++i) {
    json camera = {{"image_prefix", rig.layout.cameras[i].name + "/"},
                   {"camera_model_name", "PINHOLE"},
                   {"camera_params", camera_params(rig)}};
    if (i == 0) {
      camera["ref_sensor"] = true;
    } else {
      camera["cam_from_rig_rotation"] = as_json(geometry::cam_from_rig(rig.layout, i));
      camera["cam_from_rig_translation"] = {0, 0, 0};
    }
    cameras.push_back(std::move(camera));
  }
  return json::array({{{"cameras", cameras}}});
}

json cubemap_description(const FaceRig& rig, const std::vector<std::string>& frames) {
  json cameras = json::array();
  for (std::size_t i = 0; i < rig.layout.cameras.size(); ++i) {
    const geometry::RigCamera& camera = rig.layout.cameras[i];
    cameras.push_back({{"name", camera.name},
                       {"cam_from_pano", json(camera.cam_from_pano)},
                       {"cam_from_rig", as_json(geometry::cam_from_rig(rig.layout, i))},
                       {"yaw", camera.view.yaw_deg},
                       {"pitch", camera.view.pitch_deg}});
  }
  return {{"layout", rig.layout.name},
          {"yaw", rig.yaw_deg},
          {"fov", rig.fov_deg},
          {"faceSize", rig.size},
          {"extension", rig.extension},
          {"cameraModel", "PINHOLE"},
          {"cameraParams", camera_params(rig)},
          {"cameras", cameras},
          {"frames", frames}};
}

CubemapDescription read_cubemap_description(const fs::path& stage_folder) {
  const fs::path path = stage_folder / "cubemap.json";
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw Error(ErrorKind::input, fmt::format("{}: not there: run pipeline_360 cubemap first", utf8(path)));
  }
  const json value = read_json_object(path);
  try {
    CubemapDescription out;
    FaceRig& rig = out.rig;
    rig.layout.name = value.at("layout").get<std::string>();
    rig.yaw_deg = value.at("yaw").get<double>();
    rig.fov_deg = value.at("fov").get<double>();
    rig.size = value.at("faceSize").get<int>();
    rig.extension = value.at("extension").get<std::string>();
    for (const json& camera : value.at("cameras")) {
      rig.layout.cameras.push_back({camera.at("name").get<std::string>(),
                                    {camera.at("yaw").get<double>(), camera.at("pitch").get<double>()},
                                    camera.at("cam_from_pano").get<Mat3<double>>()});
    }
    out.frames = value.at("frames").get<std::vector<std::string>>();
    if (rig.layout.cameras.empty() || rig.size < 1) throw Error(ErrorKind::input, utf8(path) + ": no cameras in it");
    return out;
  } catch (const json::exception&) {
    throw Error(ErrorKind::input, fmt::format("{}: not as pipeline_360 writes it: run cubemap again", utf8(path)));
  }
}

geometry::RigLayout read_layout_file(const fs::path& path) {
  const json value = read_json_object(path);
  geometry::RigLayout layout;
  layout.name = text(value, "name").empty() ? utf8(path.stem()) : text(value, "name");
  layout.default_fov_deg = number(value, "fov", 90, path);
  const json cameras = value.value("cameras", json::array());
  std::set<std::string> names;
  for (const json& camera : cameras) {
    if (!camera.is_object()) throw Error(ErrorKind::input, fmt::format("{}: a camera is no object", utf8(path)));
    const std::string name = text(camera, "name");
    check_name(name, path);
    if (!names.insert(name).second) {
      throw Error(ErrorKind::input, fmt::format("{}: two cameras are called {}", utf8(path), name));
    }
    const double yaw = number(camera, "yaw", 0, path), pitch = number(camera, "pitch", 0, path);
    layout.cameras.push_back({name, {yaw, pitch}, cam_from_pano(yaw, pitch, number(camera, "roll", 0, path))});
  }
  if (layout.cameras.empty()) {
    throw Error(ErrorKind::input,
                fmt::format("{}: no cameras: [{{\"name\": \"a\", \"yaw\": 0, \"pitch\": 0}}, …]", utf8(path)));
  }
  return layout;
}

geometry::RigLayout with_faces(const geometry::RigLayout& layout, const std::string& names) {
  std::set<std::string> wanted;
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t comma = std::min(names.find(',', at), names.size());
    if (comma > at) wanted.insert(names.substr(at, comma - at));
    at = comma + 1;
  }
  geometry::RigLayout out = layout;
  std::erase_if(out.cameras, [&](const geometry::RigCamera& camera) { return wanted.erase(camera.name) == 0; });
  if (!wanted.empty() || out.cameras.empty()) {
    std::string known;
    for (const geometry::RigCamera& camera : layout.cameras) known += (known.empty() ? "" : ",") + camera.name;
    throw Error(ErrorKind::usage, fmt::format("--faces {}: the layout {} has {}", names, layout.name, known));
  }
  return out;
}

}  // namespace imago::pano
