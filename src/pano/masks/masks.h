// The masks stage: for every picture of a folder of faces a mask of what is to be ignored, in COLMAP's convention:
// <output>/<face>/<frame>.jpg.png, 8 bits, 255 keep, 0 ignore, one for every picture.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "nn/segmenter.h"
#include "pano/stage.h"

namespace imago::pano {

struct MasksOptions {
  std::filesystem::path input_dir;   // <face>/<frame>.jpg, or pictures without faces
  std::filesystem::path output_dir;  // of the same shape
  std::filesystem::path model;       // empty: no network, only shapes
  nn::SegmenterOptions segmenter;
  std::vector<std::string> classes = {"person"};                 // names or numbers
  std::map<std::string, std::vector<std::string>> face_classes;  // others for one face
  std::optional<int> dilate_px;                                  // default: 0.5 % of the width, at least 3
  double nadir_cone_deg = 0;                                     // half angle; needs cubemap.json beside the pictures
  double stitch_seam_deg = 0;                                    // half width; likewise
  std::filesystem::path nadir_image;                             // 0 or black: ignore; laid over the face `down`
  int overexposed_level = 0;                                     // 0: off
  int rotations =
      1;  // of the faces up and down: 1, 2 or 4 turns are looked at, people seen from above are found better
  double vote_share = 0;  // > 0: what is masked in more than this share of a face's frames is masked in all
  int temporal = 0;       // 1: what both neighbours in time have masked is masked
  bool overlays = false;  // pictures to look at, in <output>_overlay
  Rerun rerun = Rerun::resume;
  Shard shard;
};

// The classes a name stands for: "person", "operator" and "traffic" are presets. Throws Error{usage} for names that the
// model does not have.
std::vector<int> class_ids(const std::vector<std::string>& names, const nn::SegmentationModel& model);

// Throws Error{usage}, Error{model}, Error{io}, Cancelled; a picture that cannot be read fails its frame.
StageSummary masks(const MasksOptions& options, const StageListener& listener, const CancelToken& cancel = {});

}  // namespace imago::pano
