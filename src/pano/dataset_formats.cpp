#include <fmt/format.h>

#include <cstring>

#include "pano/dataset.h"

namespace imago::pano {
namespace {

using geometry::Mat3;
using geometry::Vec3;
using nlohmann::json;

// World of nerfstudio from that of COLMAP.
Vec3<double> turned(const Vec3<double>& v) { return {v.x, v.z, -v.y}; }

json camera_to_world(const RigidPose& cam_from_world) {
  const Mat3<double> world_from_cam = geometry::transposed(geometry::matrix_from(cam_from_world.rotation));
  const Vec3<double> right = turned(world_from_cam * Vec3<double>{1, 0, 0});
  const Vec3<double> up = turned(world_from_cam * Vec3<double>{0, -1, 0});
  const Vec3<double> back = turned(world_from_cam * Vec3<double>{0, 0, -1});
  const Vec3<double> centre = turned(centre_of(cam_from_world));
  return {{right.x, up.x, back.x, centre.x},
          {right.y, up.y, back.y, centre.y},
          {right.z, up.z, back.z, centre.z},
          {0.0, 0.0, 0.0, 1.0}};
}

template <typename Value>
void put(std::string& out, Value value) {
  std::array<char, sizeof(Value)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(Value));
  out.append(bytes.data(), bytes.size());
}

}  // namespace

json transforms_json(const ColmapModel& model, const FaceRig& rig, bool with_masks) {
  json frames = json::array();
  for (const ColmapImage& image : model.images) {
    json frame = {{"file_path", "images/" + image.name},
                  {"transform_matrix", camera_to_world(image.cam_from_world)},
                  {"colmap_im_id", image.id}};
    if (with_masks) frame["mask_path"] = "masks/" + image.name + ".png";
    frames.push_back(std::move(frame));
  }
  const double focal = rig.focal_px();
  return {{"camera_model", "OPENCV"},
          {"w", rig.size},
          {"h", rig.size},
          {"fl_x", focal},
          {"fl_y", focal},
          {"cx", rig.size / 2.0},
          {"cy", rig.size / 2.0},
          {"k1", 0.0},
          {"k2", 0.0},
          {"p1", 0.0},
          {"p2", 0.0},
          {"applied_transform", {{1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}, {0.0, -1.0, 0.0, 0.0}}},
          {"ply_file_path", "sparse_pc.ply"},
          {"frames", frames}};
}

std::string points_ply(const ColmapModel& model) {
  std::string out = fmt::format(
      "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n",
      model.points.size());
  for (const ColmapPoint& point : model.points) {
    const Vec3<double> at = turned(point.at);
    for (const double value : {at.x, at.y, at.z}) put(out, static_cast<float>(value));
    for (const std::uint8_t value : point.color) put(out, value);
  }
  return out;
}

std::string realityscan_xmp(const ColmapImage& image, const ColmapCamera& camera) {
  const Mat3<double> r = geometry::matrix_from(image.cam_from_world.rotation);
  const Vec3<double> c = centre_of(image.cam_from_world);
  return fmt::format(
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
      "  <rdf:Description xmlns:xcr=\"http://www.capturingreality.com/ns/xcr/1.1#\" xcr:Version=\"3\"\n"
      "   xcr:PosePrior=\"initial\" xcr:Coordinates=\"absolute\" xcr:DistortionModel=\"perspective\"\n"
      "   xcr:FocalLength35mm=\"{}\" xcr:Skew=\"0\" xcr:AspectRatio=\"1\" xcr:PrincipalPointU=\"0\"\n"
      "   xcr:PrincipalPointV=\"0\" xcr:CalibrationPrior=\"exact\" xcr:CalibrationGroup=\"1\"\n"
      "   xcr:DistortionGroup=\"1\" xcr:InTexturing=\"1\" xcr:InMeshing=\"1\">\n"
      "   <xcr:Rotation>{} {} {} {} {} {} {} {} {}</xcr:Rotation>\n   <xcr:Position>{} {} {}</xcr:Position>\n"
      "   <xcr:DistortionCoeficients>0 0 0 0 0 0</xcr:DistortionCoeficients>\n"
      "  </rdf:Description>\n </rdf:RDF>\n</x:xmpmeta>\n",
      camera.params.empty() ? 0 : camera.params[0] * 36 / static_cast<double>(camera.width), r[0], r[1], r[2], r[3],
      r[4], r[5], r[6], r[7], r[8], c.x, c.y, c.z);
}

}  // namespace imago::pano
