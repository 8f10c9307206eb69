#include "pano/clip_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/log.h"
#include "base/path_text.h"
#include "pano/frame_score.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

[[noreturn]] void refuse(const fs::path& clip, const std::string& what) {
  throw Error(ErrorKind::input, fmt::format("{}: {}", utf8(clip), what));
}

std::string lower_extension(const fs::path& path) {
  std::string extension = utf8(path.extension());
  for (char& c : extension) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return extension;
}

// Camera files that hold the sphere in a form of their maker's.
void refuse_camera_files(const fs::path& clip, const io::VideoInfo& info, const FramesOptions& options) {
  if (options.projection) return;
  const std::string extension = lower_extension(clip);
  if (extension == ".360") {
    refuse(clip, "a GoPro MAX file: two tracks of cube faces: export it as equirectangular with GoPro Player first");
  }
  if (extension == ".insv" || extension == ".insp") {
    refuse(clip,
           "an Insta360 file that is not stitched: export it as 360 degree video with Insta360 Studio first, or "
           "give --projection dual-fisheye when both round pictures stand side by side in it");
  }
  if (extension == ".osv") refuse(clip, "a DJI file that is not stitched: export it with DJI Studio first");
  if (info.video_tracks > 1) {
    refuse(clip, fmt::format("it has {} video tracks, as cameras write that do not stitch: one alone would be half a "
                             "panorama; export it as equirectangular with the camera's own program first",
                             info.video_tracks));
  }
}

struct Windows {
  double start_s = 0, end_s = 0, per_second = 2;
  std::int64_t index(double time_s) const {
    return static_cast<std::int64_t>(std::floor((time_s - start_s) * per_second + 1e-6));
  }
  // In the middle three fifths: two chosen frames never lie side by side, unless a window has no other.
  bool is_central(double time_s) const {
    const double place = (time_s - start_s) * per_second - static_cast<double>(index(time_s));
    return place >= 0.2 && place <= 0.8;
  }
};

Windows windows_of(const fs::path& clip, const io::VideoInfo& info, const FramesOptions& options) {
  Windows windows{options.start_s, options.end_s > 0 ? options.end_s : 1e18, options.frames_per_second};
  if (info.duration_s > 0 && options.start_s >= info.duration_s) {
    refuse(clip, fmt::format("--start {} s lies behind its end ({:.2f} s)", options.start_s, info.duration_s));
  }
  if (options.count == 0) return windows;
  const double end = options.end_s > 0 ? options.end_s : info.duration_s;
  if (end <= windows.start_s) refuse(clip, "its duration is not known: give --end with --count, or --fps");
  windows.per_second = options.count / (end - windows.start_s);
  return windows;
}

// Judged by a frame from the middle: the first ones are often black.
Recognised recognise_clip(const fs::path& clip, const FramesOptions& options, Fisheye& fisheye) {
  io::VideoReader video(clip);
  const io::VideoInfo& info = video.info();
  refuse_camera_files(clip, info, options);
  if (options.hdr == HdrPolicy::refuse && info.color.transfer != io::VideoTransfer::sdr) {
    refuse(clip, fmt::format("it is HDR ({}) and --hdr refuse was given", io::name_of(info.color.transfer)));
  }
  if (info.duration_s > 2) video.seek(video.timestamp_of(info.duration_s / 2));
  if (!video.next()) {
    video.seek(video.timestamp_of(0));
    if (!video.next()) refuse(clip, "not one frame could be decoded");
  }
  Recognised recognised{options.projection.value_or(Projection::unknown), "--projection"};
  if (!options.projection) {
    recognised = recognise(video.luma(sharpness_width), info.width, info.height,
                           {info.pixel_aspect, info.stereo, info.projection});
  }
  if (recognised.projection == Projection::unknown) refuse(clip, recognised.why);
  fisheye = options.fisheye;
  if (recognised.projection == Projection::dual_fisheye) {
    fisheye = estimated(video.rgba(), options.fisheye);
    log_info("{}: dual fisheye: circle of {:.1f} px around {:.1f},{:.1f}, field of view {:.1f} degrees", utf8(clip),
             fisheye.radius, fisheye.centre_x, fisheye.centre_y, fisheye.fov_deg);
  }
  return recognised;
}

std::string frame_name(const std::string& clip, double time_s, double frames_per_second, std::set<std::string>& used) {
  auto number = std::llround(time_s * (frames_per_second > 0 ? frames_per_second : 1000));
  std::string name = fmt::format("{}_{:06}", clip, number);
  while (!used.insert(name).second) name = fmt::format("{}_{:06}", clip, ++number);
  return name;
}

}  // namespace

void drop_poor(std::vector<Candidate>& candidates, const std::vector<Plane8>& thumbs, double min_sharpness,
               double min_motion) {
  constexpr std::size_t around = 10;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    std::vector<double> near;
    for (std::size_t k = i > around ? i - around : 0; k < std::min(candidates.size(), i + around + 1); ++k) {
      near.push_back(candidates[k].sharpness);
    }
    std::nth_element(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(near.size() / 2), near.end());
    if (candidates[i].sharpness >= min_sharpness * near[near.size() / 2]) continue;
    candidates[i].kept = false;
    candidates[i].why = "blurred";
  }
  const Plane8* before = nullptr;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Candidate& candidate = candidates[i];
    candidate.motion = before != nullptr ? motion(*before, thumbs[i]) : -1;
    if (!candidate.kept) continue;
    if (before != nullptr && candidate.motion < min_motion) {
      candidate.kept = false;
      candidate.why = "like the frame before";
      continue;
    }
    before = &thumbs[i];
  }
}

ClipPlan plan_clip(const fs::path& clip, const std::string& name, const FramesOptions& options,
                   const CancelToken& cancel) {
  ClipPlan plan;
  plan.clip = clip;
  plan.name = name;
  const Recognised recognised = recognise_clip(clip, options, plan.fisheye);
  plan.projection = recognised.projection;
  plan.projection_why = recognised.why;
  io::VideoReader video(clip);
  plan.creation_time = video.info().creation_time;
  const Windows windows = windows_of(clip, video.info(), options);
  if (windows.start_s > 10) video.seek(video.timestamp_of(windows.start_s));
  std::vector<Plane8> thumbs;
  std::int64_t window = -1;
  bool central = false;  // the candidate of this window
  while (video.next()) {
    cancel.throw_if_cancelled();
    const double time_s = video.time_s();
    if (time_s < windows.start_s - 1e-6) continue;
    if (time_s >= windows.end_s) break;
    ++plan.examined;
    const bool opens = plan.candidates.empty() || windows.index(time_s) != window;
    if (!opens && options.select == Select::first) continue;
    const bool now_central = options.select == Select::sharpest && windows.is_central(time_s);
    if (!opens && central && !now_central) continue;
    const Plane8 luma = video.luma(sharpness_width);
    const double sharp = sharpness(luma);
    if (!opens && central == now_central && sharp <= plan.candidates.back().sharpness) continue;
    central = now_central;
    if (opens) {
      plan.candidates.emplace_back();
      thumbs.emplace_back();
    }
    window = windows.index(time_s);
    plan.candidates.back() = {video.timestamp(),
                              time_s,
                              sharp,
                              0,
                              true,
                              options.select == Select::first ? "first of its window" : "sharpest of its window",
                              ""};
    thumbs.back() = reduced(luma, motion_width);
  }
  plan.damaged = video.damaged_frames();
  if (plan.candidates.empty()) refuse(clip, "no frames between --start and --end");
  drop_poor(plan.candidates, thumbs, options.min_sharpness, options.min_motion);
  std::set<std::string> used;
  for (Candidate& candidate : plan.candidates) {
    candidate.name = frame_name(name, candidate.time_s, video.info().frames_per_second, used);
  }
  return plan;
}

json as_json(const ClipPlan& plan) {
  json candidates = json::array();
  for (const Candidate& c : plan.candidates) {
    candidates.push_back({{"timestamp", c.timestamp},
                          {"time", c.time_s},
                          {"sharpness", c.sharpness},
                          {"motion", c.motion},
                          {"kept", c.kept},
                          {"why", c.why},
                          {"name", c.name}});
  }
  const Fisheye& f = plan.fisheye;
  return {{"name", plan.name},
          {"projection", name_of(plan.projection)},
          {"projectionWhy", plan.projection_why},
          {"fisheye", {f.fov_deg, f.centre_x, f.centre_y, f.radius}},
          {"creationTime", plan.creation_time},
          {"examined", plan.examined},
          {"damaged", plan.damaged},
          {"candidates", candidates}};
}

ClipPlan clip_plan_from(const json& value, const fs::path& clip) {
  ClipPlan plan;
  plan.clip = clip;
  plan.name = value.at("name").get<std::string>();
  plan.projection = projection_from_name(value.at("projection").get<std::string>()).value_or(Projection::equirect);
  plan.projection_why = value.at("projectionWhy").get<std::string>();
  const auto fisheye = value.at("fisheye").get<std::array<double, 4>>();
  plan.fisheye = {fisheye[0], fisheye[1], fisheye[2], fisheye[3]};
  plan.creation_time = value.at("creationTime").get<std::string>();
  plan.examined = value.at("examined").get<int>();
  plan.damaged = value.at("damaged").get<int>();
  for (const json& c : value.at("candidates")) {
    plan.candidates.push_back({c.at("timestamp").get<std::int64_t>(), c.at("time").get<double>(),
                               c.at("sharpness").get<double>(), c.at("motion").get<double>(), c.at("kept").get<bool>(),
                               c.at("why").get<std::string>(), c.at("name").get<std::string>()});
  }
  return plan;
}

}  // namespace imago::pano
