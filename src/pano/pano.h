// The 360 pipeline. pano.cpp reads as the pipeline: a panorama is decoded, surrounded, sampled into the faces of a rig
// on the GPU or the CPU, and encoded.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/backend.h"
#include "base/cancel.h"
#include "base/error.h"
#include "geometry/rig.h"
#include "pano/face_plan.h"
#include "pano/panorama.h"
#include "pano/stage.h"

namespace imago::pano {

// What render_faces did. `gpu_fallback` says why the GPU did not render although it was asked or tried; empty
// otherwise.
struct FacesRender {
  std::vector<Rgba8> faces;
  Backend backend = Backend::cpu;
  std::string gpu_fallback;
};

// All faces of one panorama. On Backend::automatic a GPU that is absent or fails is replaced by the CPU for the whole
// panorama; Backend::gpu throws Error{gpu} instead.
FacesRender render_faces(const FacesPlan& plan, const PaddedPanorama& panorama, Backend backend);

enum class FaceFormat : std::int32_t { jpg, png, png16 };

struct CubemapOptions {
  std::filesystem::path input_dir;   // panoramas: .jpg, .jpeg, .png, .tif, by name
  std::filesystem::path output_dir;  // <output_dir>/<face>/<frame>.<format>
  geometry::RigLayout layout = geometry::cube6();
  double yaw_deg = 0;  // the rig is turned to the right by it
  double fov_deg = 96;
  int face_size = 0;  // pixels; 0 = automatic_face_size, -1 = native_face_size, of the widest panorama
  Filter filter = Filter::aniso;
  FaceFormat format = FaceFormat::jpg;
  int quality = 95;
  bool linear_light = false;  // resample light, not codes; on the CPU
  Backend backend = Backend::automatic;
  Rerun rerun = Rerun::resume;
  Shard shard;
};

// Every panorama of the folder. All faces have one size, so that a folder of faces is one camera. A frame that fails is
// reported and leaves none of its faces behind; the others go on. Beside the faces' folder (in it, unless it is called
// "images") stand rig_config.json for COLMAP, cubemap.json (the numbers of every camera) and the manifest.
// The next panorama is decoded while the faces of the last are encoded; two panoramas and one set of faces are in
// memory at most. Throws Error for what concerns all frames (no input, output not writable), Cancelled between frames.
StageSummary cubemap(const CubemapOptions& options, const StageListener& listener, const CancelToken& cancel);

// Throws Error{input} when the file is no full 2:1 panorama that can be read.
void read_panorama_size(const std::filesystem::path& path);

// An equirect picture (JPEG or PNG, 2:1) with its surroundings. Throws Error{input} when the file cannot be read or is
// no full panorama.
PaddedPanorama read_panorama(const std::filesystem::path& path);

}  // namespace imago::pano
