// Which frames of a clip are taken. Private to the frames stage.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "pano/frames.h"

namespace imago::pano {

struct Candidate {
  std::int64_t timestamp = 0;  // names the frame in its track
  double time_s = 0;
  double sharpness = 0;
  double motion = 0;  // against the frame kept before; -1 for the first
  bool kept = true;
  std::string why;   // "sharpest of its window", "blurred", "like the frame before"
  std::string name;  // of the picture, without extension
};

struct ClipPlan {
  std::filesystem::path clip;
  std::string name;  // of the clip in file names
  Projection projection = Projection::equirect;
  std::string projection_why;
  Fisheye fisheye;
  std::string creation_time;
  int examined = 0;
  int damaged = 0;
  std::vector<Candidate> candidates;
};

// Decodes the clip once. Throws Error{input} for what cannot be used, Cancelled.
ClipPlan plan_clip(const std::filesystem::path& clip, const std::string& name, const FramesOptions& options,
                   const CancelToken& cancel);

nlohmann::json as_json(const ClipPlan& plan);
ClipPlan clip_plan_from(const nlohmann::json& value, const std::filesystem::path& clip);  // throws json::exception

// Marks candidates that are blurred or like the one before; `thumbs` are their motion pictures.
void drop_poor(std::vector<Candidate>& candidates, const std::vector<Plane8>& thumbs, double min_sharpness,
               double min_motion);

}  // namespace imago::pano
