// The dataset stage: a reconstruction and its faces as splat trainers and photogrammetry programs read them.
//
//   05_dataset/colmap/      images/ masks/ sparse/0 (binary or text)
//   05_dataset/nerfstudio/  images/ masks/ transforms.json sparse_pc.ply
//   05_dataset/realityscan/ <face>_<frame>.jpg, .jpg.mask.png and .xmp beside each other
//
// Pictures and masks are hard links where the file system allows. Only content masks go out: a trainer that got the
// ownership masks of the sfm stage would learn dead borders.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "pano/colmap_model.h"
#include "pano/rig_files.h"
#include "pano/stage.h"

namespace imago::pano {

struct DatasetOptions {
  std::filesystem::path cubemap_dir;  // 03_cubemap
  std::filesystem::path model_dir;    // a COLMAP model, or a folder of them: the largest is taken
  std::filesystem::path output_dir;   // 05_dataset
  bool colmap = true, nerfstudio = true, realityscan = false;
  bool text = false;                       // COLMAP model as text
  std::vector<std::string> dropped_faces;  // left out of what trainers get
  Rerun rerun = Rerun::resume;
};

// What was read back from what was written.
struct DatasetCheck {
  std::string format;
  int images = 0, masks = 0, points = 0;
  int observations = 0;  // points that should be seen in an image
  int outside = 0;       // of those, behind the camera or outside its picture
  double error_px = 0;   // mean distance from where the feature was found
};

struct DatasetReport {
  std::vector<DatasetCheck> checks;
};
// Throws Error: no model, an image without a file, some images with masks and some without, or a check that failed.
DatasetReport dataset(const DatasetOptions& options, const StageListener& listener, const CancelToken& cancel);

// nerfstudio's: OpenGL camera axes (y up, looking along -z), world turned by (x, y, z) -> (x, z, -y).
nlohmann::json transforms_json(const ColmapModel& model, const FaceRig& rig, bool with_masks);

// Points and colours, in the same turned world; binary, little endian.
std::string points_ply(const ColmapModel& model);

// Camera prior for RealityScan: rotation (camera from world) and centre.
std::string realityscan_xmp(const ColmapImage& image, const ColmapCamera& camera);

}  // namespace imago::pano
