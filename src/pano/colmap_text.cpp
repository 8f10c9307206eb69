#include "pano/colmap_text.h"

#include <fmt/format.h>

#include <iterator>
#include <sstream>
#include <string_view>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/path_text.h"
#include "io/byte_source.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 18> model_names = {"SIMPLE_PINHOLE",
                                                     "PINHOLE",
                                                     "SIMPLE_RADIAL",
                                                     "RADIAL",
                                                     "OPENCV",
                                                     "OPENCV_FISHEYE",
                                                     "FULL_OPENCV",
                                                     "FOV",
                                                     "SIMPLE_RADIAL_FISHEYE",
                                                     "RADIAL_FISHEYE",
                                                     "THIN_PRISM_FISHEYE",
                                                     "RAD_TAN_THIN_PRISM_FISHEYE",
                                                     "SIMPLE_DIVISION",
                                                     "DIVISION",
                                                     "SIMPLE_FISHEYE",
                                                     "FISHEYE",
                                                     "EUCM",
                                                     "EQUIRECTANGULAR"};

// Lines without comments. Empty ones count: an image without points has one.
std::vector<std::string> lines_of(const fs::path& path) {
  const std::vector<std::byte> bytes = io::read_file(path);
  std::istringstream in(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line.front() != '#') lines.push_back(line);
  }
  return lines;
}

class LineReader {
 public:
  LineReader(const std::string& line, const fs::path& path) : in_(line), path_(path) {}

  template <typename Value>
  Value get() {
    Value value{};
    if (!(in_ >> value)) damaged();
    return value;
  }
  bool at_end() { return (in_ >> std::ws).eof(); }
  std::string rest() {
    std::string text;
    std::getline(in_ >> std::ws, text);
    return text;
  }
  RigidPose pose() {
    RigidPose pose;
    for (double* value : {&pose.rotation.w, &pose.rotation.x, &pose.rotation.y, &pose.rotation.z, &pose.translation.x,
                          &pose.translation.y, &pose.translation.z}) {
      *value = get<double>();
    }
    return pose;
  }
  [[noreturn]] void damaged() const { throw Error(ErrorKind::input, utf8(path_) + ": damaged"); }

 private:
  std::istringstream in_;
  fs::path path_;
};

std::int32_t sensor_type(const std::string& name) { return name == "CAMERA" ? 0 : 1; }

std::vector<ColmapCamera> read_cameras(const fs::path& path) {
  std::vector<ColmapCamera> cameras;
  for (const std::string& line : lines_of(path)) {
    if (line.empty()) continue;
    LineReader in(line, path);
    ColmapCamera camera;
    camera.id = in.get<std::uint32_t>();
    const auto name = in.get<std::string>();
    camera.model = -1;
    for (std::size_t i = 0; i < model_names.size(); ++i) {
      if (name == model_names[i]) camera.model = static_cast<std::int32_t>(i);
    }
    if (camera.model < 0) in.damaged();
    camera.width = in.get<std::uint64_t>();
    camera.height = in.get<std::uint64_t>();
    while (!in.at_end()) camera.params.push_back(in.get<double>());
    cameras.push_back(std::move(camera));
  }
  return cameras;
}

std::vector<ColmapImage> read_images(const fs::path& path) {
  std::vector<ColmapImage> images;
  const std::vector<std::string> lines = lines_of(path);
  for (std::size_t i = 0; i < lines.size(); i += 2) {
    if (i + 1 >= lines.size() && lines[i].empty()) break;
    LineReader in(lines[i], path);
    ColmapImage image;
    image.id = in.get<std::uint32_t>();
    image.cam_from_world = in.pose();
    image.camera = in.get<std::uint32_t>();
    image.name = in.rest();
    LineReader points(i + 1 < lines.size() ? lines[i + 1] : "", path);
    while (!points.at_end()) {
      ColmapPoint2d point;
      point.x = points.get<double>();
      point.y = points.get<double>();
      point.point = points.get<std::int64_t>();
      image.points.push_back(point);
    }
    images.push_back(std::move(image));
  }
  return images;
}

std::vector<ColmapPoint> read_points(const fs::path& path) {
  std::vector<ColmapPoint> points;
  for (const std::string& line : lines_of(path)) {
    if (line.empty()) continue;
    LineReader in(line, path);
    ColmapPoint point;
    point.id = in.get<std::uint64_t>();
    for (double* value : {&point.at.x, &point.at.y, &point.at.z}) *value = in.get<double>();
    for (std::uint8_t& value : point.color) value = static_cast<std::uint8_t>(in.get<int>());
    point.error = in.get<double>();
    while (!in.at_end()) {
      const auto image = in.get<std::uint32_t>();
      point.track.emplace_back(image, in.get<std::uint32_t>());
    }
    points.push_back(std::move(point));
  }
  return points;
}

std::vector<ColmapRig> read_rigs(const fs::path& path) {
  std::vector<ColmapRig> rigs;
  for (const std::string& line : lines_of(path)) {
    if (line.empty()) continue;
    LineReader in(line, path);
    ColmapRig rig;
    rig.id = in.get<std::uint32_t>();
    const int count = in.get<int>();
    for (int i = 0; i < count && i < 100000; ++i) {
      ColmapSensor sensor;
      sensor.type = sensor_type(in.get<std::string>());
      sensor.id = in.get<std::uint32_t>();
      if (i > 0) sensor.has_pose = in.get<int>() != 0;
      if (sensor.has_pose) sensor.sensor_from_rig = in.pose();
      rig.sensors.push_back(sensor);
    }
    rigs.push_back(std::move(rig));
  }
  return rigs;
}

std::vector<ColmapFrame> read_frames(const fs::path& path) {
  std::vector<ColmapFrame> frames;
  for (const std::string& line : lines_of(path)) {
    if (line.empty()) continue;
    LineReader in(line, path);
    ColmapFrame frame;
    frame.id = in.get<std::uint32_t>();
    frame.rig = in.get<std::uint32_t>();
    frame.rig_from_world = in.pose();
    const int count = in.get<int>();
    for (int i = 0; i < count && i < 100000; ++i) {
      const std::int32_t type = sensor_type(in.get<std::string>());
      const auto sensor = in.get<std::uint32_t>();
      frame.images.push_back({type, sensor, in.get<std::uint64_t>()});
    }
    frames.push_back(std::move(frame));
  }
  return frames;
}

std::string text_of(const RigidPose& pose) {
  const auto& [q, t] = pose;
  return fmt::format("{} {} {} {} {} {} {}", q.w, q.x, q.y, q.z, t.x, t.y, t.z);
}

std::string text_of(std::int32_t type) { return type == 0 ? "CAMERA" : "IMU"; }

void write_rigs_and_frames(const ColmapModel& model, const fs::path& folder) {
  std::string rigs =
      "# RIG_ID NUM_SENSORS REF_SENSOR_TYPE REF_SENSOR_ID [SENSOR_TYPE SENSOR_ID HAS_POSE [QW QX QY QZ TX TY TZ]]\n";
  for (const ColmapRig& rig : model.rigs) {
    rigs += fmt::format("{} {}", rig.id, rig.sensors.size());
    for (std::size_t i = 0; i < rig.sensors.size(); ++i) {
      const ColmapSensor& sensor = rig.sensors[i];
      rigs += fmt::format(" {} {}", text_of(sensor.type), sensor.id);
      if (i > 0) rigs += sensor.has_pose ? " 1 " + text_of(sensor.sensor_from_rig) : " 0";
    }
    rigs += "\n";
  }
  write_file_atomically(folder / "rigs.txt", rigs);
  std::string frames = "# FRAME_ID RIG_ID QW QX QY QZ TX TY TZ NUM_DATA_IDS [SENSOR_TYPE SENSOR_ID DATA_ID]\n";
  for (const ColmapFrame& frame : model.frames) {
    frames += fmt::format("{} {} {} {}", frame.id, frame.rig, text_of(frame.rig_from_world), frame.images.size());
    for (const ColmapFrame::Observation& image : frame.images) {
      frames += fmt::format(" {} {} {}", text_of(image.type), image.sensor, image.image);
    }
    frames += "\n";
  }
  write_file_atomically(folder / "frames.txt", frames);
}

}  // namespace

ColmapModel read_colmap_text(const fs::path& folder) {
  ColmapModel model;
  std::error_code error;
  model.cameras = read_cameras(folder / "cameras.txt");
  model.images = read_images(folder / "images.txt");
  model.points = read_points(folder / "points3D.txt");
  if (fs::exists(folder / "rigs.txt", error)) model.rigs = read_rigs(folder / "rigs.txt");
  if (fs::exists(folder / "frames.txt", error)) model.frames = read_frames(folder / "frames.txt");
  return model;
}

void write_colmap_text(const ColmapModel& model, const fs::path& folder) {
  std::string cameras = "# CAMERA_ID MODEL WIDTH HEIGHT PARAMS[]\n";
  for (const ColmapCamera& camera : model.cameras) {
    cameras += fmt::format("{} {} {} {}", camera.id, model_names[static_cast<std::size_t>(camera.model)], camera.width,
                           camera.height);
    for (const double value : camera.params) cameras += fmt::format(" {}", value);
    cameras += "\n";
  }
  write_file_atomically(folder / "cameras.txt", cameras);
  std::string images = "# IMAGE_ID QW QX QY QZ TX TY TZ CAMERA_ID NAME\n# POINTS2D[] as X Y POINT3D_ID\n";
  for (const ColmapImage& image : model.images) {
    images += fmt::format("{} {} {} {}\n", image.id, text_of(image.cam_from_world), image.camera, image.name);
    std::string separator;
    for (const ColmapPoint2d& point : image.points) {
      fmt::format_to(std::back_inserter(images), "{}{} {} {}", separator, point.x, point.y, point.point);
      separator = " ";
    }
    images += "\n";
  }
  write_file_atomically(folder / "images.txt", images);
  std::string points = "# POINT3D_ID X Y Z R G B ERROR TRACK[] as IMAGE_ID POINT2D_IDX\n";
  for (const ColmapPoint& point : model.points) {
    fmt::format_to(std::back_inserter(points), "{} {} {} {} {} {} {} {}", point.id, point.at.x, point.at.y, point.at.z,
                   point.color[0], point.color[1], point.color[2], point.error);
    for (const auto& [image, index] : point.track) fmt::format_to(std::back_inserter(points), " {} {}", image, index);
    points += "\n";
  }
  write_file_atomically(folder / "points3D.txt", points);
  if (!model.rigs.empty()) write_rigs_and_frames(model, folder);
}

}  // namespace imago::pano
