// The frames stage: videos and folders of photos to one folder of panoramas.
//
// Of every window of time of a video the sharpest frame is taken; then those that are blurred against their neighbours
// and those that hardly differ from the frame before are left out. A first pass judges the frames of a clip (small luma
// pictures) and leaves its choice in plan/<clip>.json; a second one writes what was chosen. frames.csv says what became
// of every candidate and why. What is not equirectangular is converted or refused (projection.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "pano/projection.h"
#include "pano/stage.h"

namespace imago::pano {

enum class Select : std::uint8_t { sharpest, first };
enum class HdrPolicy : std::uint8_t { tonemap, refuse };
enum class FrameFormat : std::uint8_t { jpg, png };

struct FramesOptions {
  std::vector<std::filesystem::path> inputs;  // videos, photos, folders of both
  std::filesystem::path output_dir;           // 01_frames/images
  double frames_per_second = 2;               // of the windows
  int count = 0;                              // windows over the whole clip instead; 0: by frames_per_second
  double start_s = 0;
  double end_s = 0;  // 0: the end
  Select select = Select::sharpest;
  double min_sharpness = 0.4;  // of the median of the 21 candidates around; 0 keeps all
  double min_motion = 0.25;    // levels, see motion(); 0 keeps all
  HdrPolicy hdr = HdrPolicy::tonemap;
  std::optional<Projection> projection;  // nothing: recognised
  Eye eye = Eye::left;
  Fisheye fisheye;
  std::optional<std::filesystem::path> gpx;  // else <clip>.gpx beside the clip
  double gpx_offset_s = 0;                   // added to the clip's clock
  FrameFormat format = FrameFormat::jpg;
  int quality = 95;
  Rerun rerun = Rerun::resume;
  Shard shard;
};

// A frame that fails is reported, the others go on; an input that cannot be read fails as one item. Throws Error for
// what concerns all, Cancelled between frames.
StageSummary frames(const FramesOptions& options, const StageListener& listener, const CancelToken& cancel);

// "12.5", "1:02.5" or "0:01:02": seconds. Throws Error{usage}.
double seconds_from_text(const std::string& text);

}  // namespace imago::pano
