#include "pano/colmap_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/path_text.h"
#include "io/byte_source.h"
#include "pano/colmap_text.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;

// Number of parameters by COLMAP's model number.
constexpr std::array<int, 18> parameter_counts = {3, 4, 4, 5, 8, 8, 12, 5, 4, 5, 12, 16, 4, 5, 3, 4, 6, 2};

class BinaryReader {
 public:
  explicit BinaryReader(const fs::path& path) : name_(utf8(path)), bytes_(io::read_file(path)) {}

  template <typename Value>
  Value get() {
    need(sizeof(Value));
    Value value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(Value));
    at_ += sizeof(Value);
    return value;
  }
  // A count of things of at least so many bytes each: a damaged file asks for no memory that it cannot fill.
  std::size_t count(std::size_t least_bytes) {
    const auto value = get<std::uint64_t>();
    if (value > (bytes_.size() - at_) / least_bytes) damaged();
    return value;
  }
  std::string text() {
    const auto* begin = reinterpret_cast<const char*>(bytes_.data()) + at_;
    const std::size_t length = strnlen(begin, bytes_.size() - at_);
    need(length + 1);
    at_ += length + 1;
    return {begin, length};
  }
  RigidPose pose() {
    RigidPose pose;
    for (double* value : {&pose.rotation.w, &pose.rotation.x, &pose.rotation.y, &pose.rotation.z, &pose.translation.x,
                          &pose.translation.y, &pose.translation.z}) {
      *value = get<double>();
    }
    return pose;
  }
  [[noreturn]] void damaged() const { throw Error(ErrorKind::input, name_ + ": damaged"); }

 private:
  void need(std::size_t count) const {
    if (bytes_.size() - at_ < count) damaged();
  }
  std::string name_;
  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

std::vector<ColmapCamera> read_cameras(const fs::path& path) {
  BinaryReader in(path);
  std::vector<ColmapCamera> cameras(in.count(24));
  for (ColmapCamera& camera : cameras) {
    camera.id = in.get<std::uint32_t>();
    camera.model = in.get<std::int32_t>();
    camera.width = in.get<std::uint64_t>();
    camera.height = in.get<std::uint64_t>();
    if (camera.model < 0 || camera.model >= static_cast<int>(parameter_counts.size())) in.damaged();
    for (int i = 0; i < parameter_counts[static_cast<std::size_t>(camera.model)]; ++i) {
      camera.params.push_back(in.get<double>());
    }
  }
  return cameras;
}

std::vector<ColmapImage> read_images(const fs::path& path) {
  BinaryReader in(path);
  std::vector<ColmapImage> images(in.count(73));
  for (ColmapImage& image : images) {
    image.id = in.get<std::uint32_t>();
    image.cam_from_world = in.pose();
    image.camera = in.get<std::uint32_t>();
    image.name = in.text();
    image.points.resize(in.count(24));
    for (ColmapPoint2d& point : image.points) {
      point.x = in.get<double>();
      point.y = in.get<double>();
      point.point = in.get<std::int64_t>();
    }
  }
  return images;
}

std::vector<ColmapPoint> read_points(const fs::path& path) {
  BinaryReader in(path);
  std::vector<ColmapPoint> points(in.count(51));
  for (ColmapPoint& point : points) {
    point.id = in.get<std::uint64_t>();
    for (double* value : {&point.at.x, &point.at.y, &point.at.z}) *value = in.get<double>();
    for (std::uint8_t& value : point.color) value = in.get<std::uint8_t>();
    point.error = in.get<double>();
    point.track.resize(in.count(8));
    for (auto& [image, index] : point.track) {
      image = in.get<std::uint32_t>();
      index = in.get<std::uint32_t>();
    }
  }
  return points;
}

std::vector<ColmapRig> read_rigs(const fs::path& path) {
  BinaryReader in(path);
  std::vector<ColmapRig> rigs(in.count(8));
  for (ColmapRig& rig : rigs) {
    rig.id = in.get<std::uint32_t>();
    const auto count = in.get<std::uint32_t>();
    if (count > 100000) in.damaged();
    for (std::uint32_t i = 0; i < count; ++i) {
      ColmapSensor sensor;
      sensor.type = in.get<std::int32_t>();
      sensor.id = in.get<std::uint32_t>();
      if (i > 0) sensor.has_pose = in.get<std::uint8_t>() != 0;
      if (sensor.has_pose) sensor.sensor_from_rig = in.pose();
      rig.sensors.push_back(sensor);
    }
  }
  return rigs;
}

std::vector<ColmapFrame> read_frames(const fs::path& path) {
  BinaryReader in(path);
  std::vector<ColmapFrame> frames(in.count(68));
  for (ColmapFrame& frame : frames) {
    frame.id = in.get<std::uint32_t>();
    frame.rig = in.get<std::uint32_t>();
    frame.rig_from_world = in.pose();
    const auto count = in.get<std::uint32_t>();
    if (count > 100000) in.damaged();
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto type = in.get<std::int32_t>();
      const auto sensor = in.get<std::uint32_t>();
      frame.images.push_back({type, sensor, in.get<std::uint64_t>()});
    }
  }
  return frames;
}

class BinaryWriter {
 public:
  template <typename Value>
  void put(Value value) {
    const auto* bytes = reinterpret_cast<const char*>(&value);
    text_.append(bytes, sizeof(Value));
  }
  void put_text(const std::string& text) { text_.append(text.c_str(), text.size() + 1); }
  void put_pose(const RigidPose& pose) {
    for (const double value : {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.translation.x,
                               pose.translation.y, pose.translation.z}) {
      put(value);
    }
  }
  void save(const fs::path& path) const { write_file_atomically(path, text_); }

 private:
  std::string text_;
};

void write_images(const ColmapModel& model, const fs::path& path) {
  BinaryWriter out;
  out.put<std::uint64_t>(model.images.size());
  for (const ColmapImage& image : model.images) {
    out.put(image.id);
    out.put_pose(image.cam_from_world);
    out.put(image.camera);
    out.put_text(image.name);
    out.put<std::uint64_t>(image.points.size());
    for (const ColmapPoint2d& point : image.points) {
      out.put(point.x);
      out.put(point.y);
      out.put(point.point);
    }
  }
  out.save(path);
}

void write_points(const ColmapModel& model, const fs::path& path) {
  BinaryWriter out;
  out.put<std::uint64_t>(model.points.size());
  for (const ColmapPoint& point : model.points) {
    out.put(point.id);
    for (const double value : {point.at.x, point.at.y, point.at.z}) out.put(value);
    for (const std::uint8_t value : point.color) out.put(value);
    out.put(point.error);
    out.put<std::uint64_t>(point.track.size());
    for (const auto& [image, index] : point.track) {
      out.put(image);
      out.put(index);
    }
  }
  out.save(path);
}

void write_rigs_and_frames(const ColmapModel& model, const fs::path& folder) {
  BinaryWriter rigs;
  rigs.put<std::uint64_t>(model.rigs.size());
  for (const ColmapRig& rig : model.rigs) {
    rigs.put(rig.id);
    rigs.put(static_cast<std::uint32_t>(rig.sensors.size()));
    for (std::size_t i = 0; i < rig.sensors.size(); ++i) {
      rigs.put(rig.sensors[i].type);
      rigs.put(rig.sensors[i].id);
      if (i > 0) rigs.put(static_cast<std::uint8_t>(rig.sensors[i].has_pose ? 1 : 0));
      if (rig.sensors[i].has_pose) rigs.put_pose(rig.sensors[i].sensor_from_rig);
    }
  }
  rigs.save(folder / "rigs.bin");
  BinaryWriter frames;
  frames.put<std::uint64_t>(model.frames.size());
  for (const ColmapFrame& frame : model.frames) {
    frames.put(frame.id);
    frames.put(frame.rig);
    frames.put_pose(frame.rig_from_world);
    frames.put(static_cast<std::uint32_t>(frame.images.size()));
    for (const ColmapFrame::Observation& image : frame.images) {
      frames.put(image.type);
      frames.put(image.sensor);
      frames.put(image.image);
    }
  }
  frames.save(folder / "frames.bin");
}

}  // namespace

const ColmapCamera* ColmapModel::camera(std::uint32_t id) const {
  for (const ColmapCamera& camera : cameras) {
    if (camera.id == id) return &camera;
  }
  return nullptr;
}

ColmapModel read_colmap(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder / "images.bin", error)) {
    if (fs::exists(folder / "images.txt", error)) return read_colmap_text(folder);
    throw Error(ErrorKind::input, fmt::format("{}: no COLMAP model (images.bin or images.txt) in it", utf8(folder)));
  }
  ColmapModel model;
  model.cameras = read_cameras(folder / "cameras.bin");
  model.images = read_images(folder / "images.bin");
  model.points = read_points(folder / "points3D.bin");
  if (fs::exists(folder / "rigs.bin", error)) model.rigs = read_rigs(folder / "rigs.bin");
  if (fs::exists(folder / "frames.bin", error)) model.frames = read_frames(folder / "frames.bin");
  return model;
}

void write_colmap_binary(const ColmapModel& model, const fs::path& folder) {
  BinaryWriter cameras;
  cameras.put<std::uint64_t>(model.cameras.size());
  for (const ColmapCamera& camera : model.cameras) {
    cameras.put(camera.id);
    cameras.put(camera.model);
    cameras.put(camera.width);
    cameras.put(camera.height);
    for (const double value : camera.params) cameras.put(value);
  }
  cameras.save(folder / "cameras.bin");
  write_images(model, folder / "images.bin");
  write_points(model, folder / "points3D.bin");
  if (!model.rigs.empty()) write_rigs_and_frames(model, folder);
}

geometry::Vec3<double> centre_of(const RigidPose& pose) {
  return geometry::transposed(geometry::matrix_from(pose.rotation)) * (pose.translation * -1.0);
}

std::optional<geometry::Position<double>> projected(const ColmapCamera& camera, const RigidPose& pose,
                                                    const geometry::Vec3<double>& point) {
  const geometry::Vec3<double> at = geometry::matrix_from(pose.rotation) * point + pose.translation;
  const std::vector<double>& p = camera.params;
  if (!(at.z > 0)) return std::nullopt;
  if (camera.model == 0 && p.size() == 3)
    return geometry::Position<double>{p[0] * at.x / at.z + p[1], p[0] * at.y / at.z + p[2]};
  if (camera.model == 1 && p.size() == 4)
    return geometry::Position<double>{p[0] * at.x / at.z + p[2], p[1] * at.y / at.z + p[3]};
  return std::nullopt;
}

double mean_reprojection_error(const ColmapModel& model) {
  std::unordered_map<std::uint64_t, const ColmapPoint*> points;
  for (const ColmapPoint& point : model.points) points[point.id] = &point;
  double sum = 0;
  std::size_t count = 0;
  for (const ColmapImage& image : model.images) {
    const ColmapCamera* camera = model.camera(image.camera);
    for (const ColmapPoint2d& seen : image.points) {
      const auto found = seen.point >= 0 ? points.find(static_cast<std::uint64_t>(seen.point)) : points.end();
      if (camera == nullptr || found == points.end()) continue;
      const auto at = projected(*camera, image.cam_from_world, found->second->at);
      if (!at) continue;
      sum += std::hypot(at->x - seen.x, at->y - seen.y);
      ++count;
    }
  }
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

}  // namespace imago::pano
