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

enum class FaceFormat : std::int32_t { jpg, png };

struct CubemapOptions {
  std::filesystem::path input_dir;   // panoramas: .jpg, .jpeg, .png, in natural order of their names
  std::filesystem::path output_dir;  // <output_dir>/<face>/<frame>.<format>
  geometry::RigLayout layout = geometry::cube6;
  double fov_deg = 96;
  int face_size = 0;  // pixels; 0 = automatic_face_size, -1 = native_face_size
  Filter filter = Filter::aniso;
  FaceFormat format = FaceFormat::jpg;
  int quality = 95;
  Backend backend = Backend::automatic;
};

struct FrameReport {
  std::filesystem::path input;
  std::vector<std::filesystem::path> outputs;
  Backend backend = Backend::cpu;
  std::string gpu_fallback;
  std::string error;  // empty when the frame was written
  ErrorKind error_kind = ErrorKind::internal;
  int face_size = 0;
  double decode_ms = 0, sample_ms = 0, encode_ms = 0;
};

// Every panorama of the folder. A frame that fails is reported and leaves none of its faces behind; the others go on.
// The next panorama is decoded while the faces of the last are encoded; two panoramas and one set of faces are in
// memory at most. Throws Error for what concerns all frames (no input, output folder not writable), Cancelled between
// frames.
std::vector<FrameReport> cubemap(const CubemapOptions& options, const std::function<void(const FrameReport&)>& on_frame,
                                 const CancelToken& cancel);

// An equirect picture (JPEG or PNG, 2:1) with its surroundings. Throws Error{input} when the file cannot be read or is
// no full panorama.
PaddedPanorama read_panorama(const std::filesystem::path& path);

}  // namespace imago::pano
