// The sfm stage: camera poses by the user's own COLMAP (3.12 or later, for rigs), or the scripts to run it elsewhere.
//
// COLMAP gets the faces, rig_config.json and the masks of 03_cubemap/sfm_masks: every direction of a frame belongs to
// one face (whose axis is nearest), so that no feature counts twice and pairs of one frame need no matching; the
// content masks are part of them. The trainers' masks (03_cubemap/masks) are left alone.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "image/image.h"
#include "pano/rig_files.h"
#include "pano/stage.h"

namespace imago::pano {

struct SfmOptions {
  std::filesystem::path cubemap_dir;   // 03_cubemap: images/, rig_config.json, cubemap.json, masks/
  std::filesystem::path output_dir;    // 04_sfm
  std::string colmap;                  // a colmap program or a python that has pycolmap; "": looked for
  std::string matcher = "sequential";  // or "exhaustive"
  std::string mapper = "incremental";  // or "global"
  bool script_only = false;
  Rerun rerun = Rerun::resume;
};

// 255 where a face owns the direction, 0 elsewhere; one a camera of the layout.
std::vector<Plane8> ownership_masks(const FaceRig& rig);

// One mask a face image into <cubemap_dir>/sfm_masks: ownership, and the content mask where there is one.
StageSummary write_sfm_masks(const std::filesystem::path& cubemap_dir, Rerun rerun, const StageListener& listener,
                             const CancelToken& cancel);

// Shell and Python (pycolmap) forms of the same reconstruction.
std::string colmap_script(const SfmOptions& options, const FaceRig& rig);
std::string pycolmap_script(const SfmOptions& options, const FaceRig& rig);

struct SfmTool {
  std::string program;
  bool is_python = false;
  std::string version;  // "4.2.1"
};
// What --colmap names, else colmap in the PATH, else python3 with pycolmap; nothing when there is none. Throws
// Error{usage} when what was named cannot be used or is older than 3.12.
std::optional<SfmTool> find_colmap(const std::string& named);

struct SfmReport {
  bool ran = false;  // false: there is no COLMAP, or scripts were asked for
  std::filesystem::path shell_script, python_script;
  SfmTool tool;
  int models = 0;
  std::filesystem::path best_model;  // the one with most images
  int registered_images = 0, images = 0;
  int registered_frames = 0, frames = 0;
  int points = 0;
  double reprojection_error_px = 0;
};
// Throws Error: nothing to reconstruct, COLMAP failed (its log is named).
SfmReport sfm(const SfmOptions& options, const StageListener& listener, const CancelToken& cancel);

// The model of 04_sfm/sparse with most images. Throws Error{input} when there is none.
std::filesystem::path best_model_of(const std::filesystem::path& sparse_dir);

}  // namespace imago::pano
