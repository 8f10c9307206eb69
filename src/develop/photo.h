// A picture opened for developing: the facts that plan() needs and the scene-linear source, as step 5 leaves it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "develop/settings/settings.h"
#include "develop/stages/finish/finish.h"
#include "develop/stages/noise/noise_model.h"
#include "develop/tools/white_balance/white_balance.h"
#include "image/image.h"
#include "image/pass.h"
#include "io/raw/dng_opcodes.h"
#include "io/raw/read_raw.h"

namespace imago::develop {

struct Photo {
  std::string name;     // for messages
  Rgb32f source;        // linear Rec.2020 (D65), as-shot white balance, as the sensor lies (orientation not applied)
  int orientation = 1;  // EXIF 1…8
  bool is_raw = true;   // false: a finished picture, whose look is kept
  SceneColor color;     // what its white balance can be moved by
  NoiseModel noise;     // of the source
  ProfileLook look;     // of its camera profile
  StageKey key = 0;     // of `source`: the file's bytes and the settings that made it
  // The file's own lens correction, for the geometry: OpcodeList3's warps in order, relative to `warp_frame`, which is
  // the sensor's active area in pixels of `source` (it may reach beyond it).
  std::vector<io::DngOpcode> warps;
  Rect warp_frame;
  std::vector<std::string> warnings;
  double decode_ms = 0;  // file to sensor samples
  double source_ms = 0;  // samples to `source`
};

// What else decides how a file is read.
struct OpenOptions {
  // A DCP file, in place of the raw's own profile, or an ICC file: of the camera for a raw (white-balanced samples are
  // its device values), of the picture for a finished one without its own. Empty: none.
  std::filesystem::path camera_profile;
  io::RawReadOptions raw;  // which exposure of the file, and whether damage is borne
};

// Reads and develops up to the source. Throws Error{input} with one line for what cannot be read.
Photo open_photo(const std::filesystem::path& path, const SourceSettings& settings, const OpenOptions& options = {});

}  // namespace imago::develop
