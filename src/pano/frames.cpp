#include "pano/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <deque>
#include <future>
#include <map>
#include <set>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/path_text.h"
#include "io/image_file.h"
#include "io/metadata/frame_metadata.h"
#include "io/metadata/metadata.h"
#include "io/picture_reader.h"
#include "io/picture_writer.h"
#include "pano/clip_plan.h"
#include "pano/frame_files.h"
#include "pano/manifest.h"
#include "pano/track.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A picture of the stage: a kept frame of a clip, or a photo.
struct Picture {
  std::string name;  // without extension
  fs::path source;
  const ClipPlan* clip = nullptr;  // null for photos
  const Candidate* candidate = nullptr;
};

struct Inputs {
  std::vector<fs::path> clips, photos;
  std::map<fs::path, Error> broken;  // called like a picture or a video, but none
};

bool is_photo_kind(io::InputKind kind) {
  return kind == io::InputKind::jpeg || kind == io::InputKind::png || kind == io::InputKind::tiff ||
         kind == io::InputKind::raw;
}

bool is_track_file(const fs::path& path) { return path.extension() == ".gpx" || path.extension() == ".GPX"; }

bool is_called_media(const fs::path& path) {
  constexpr std::array<std::string_view, 10> videos = {".mp4", ".mov",  ".mkv", ".webm", ".avi",
                                                       ".m4v", ".insv", ".360", ".osv",  ".ts"};
  std::string extension = utf8(path.extension());
  for (char& c : extension) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return io::format_of_extension(path).has_value() || std::ranges::find(videos, extension) != videos.end();
}

void add_input(const fs::path& path, bool asked_for, Inputs& inputs) {
  const io::InputKind kind = io::sniff(path);
  if (kind == io::InputKind::video) {
    inputs.clips.push_back(path);
  } else if (is_photo_kind(kind)) {
    inputs.photos.push_back(path);
  } else if (asked_for || is_called_media(path)) {
    std::error_code ignored;
    const bool empty = fs::file_size(path, ignored) == 0;
    const Error error(ErrorKind::input,
                      fmt::format("{}: {}", utf8(path), empty ? "the file is empty" : "neither a video nor a picture"));
    if (asked_for) throw error;
    inputs.broken.emplace(path, error);
  }
}

Inputs gathered(const std::vector<fs::path>& paths) {
  Inputs inputs;
  for (const fs::path& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      add_input(path, true, inputs);
      continue;
    }
    std::vector<fs::path> files;
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
      const bool hidden = it->path().filename().u8string().starts_with(u8'.');
      if (!hidden && it->is_regular_file() && !is_track_file(it->path())) files.push_back(it->path());
    }
    if (error) throw Error(ErrorKind::input, fmt::format("{}: {}", utf8(path), error.message()));
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) add_input(file, false, inputs);
  }
  if (inputs.clips.empty() && inputs.photos.empty() && inputs.broken.empty()) {
    throw Error(ErrorKind::input,
                fmt::format("{}: no video and no picture in it", paths.empty() ? "no input" : utf8(paths.front())));
  }
  return inputs;
}

// File names of clips and photos without extension, each its own: "a" twice becomes "a" and "a_2".
std::string own_name(const fs::path& path, std::set<std::string>& used) {
  std::string stem = utf8(path.stem());
  for (char& c : stem) c = c == '/' || c == '\\' || c == '\n' ? '_' : c;
  std::string name = stem;
  for (int i = 2; !used.insert(name).second; ++i) name = fmt::format("{}_{}", stem, i);
  return name;
}

json parameters_of(const FramesOptions& options) {
  json parameters = {{"fps", options.frames_per_second},
                     {"count", options.count},
                     {"start", options.start_s},
                     {"end", options.end_s},
                     {"select", options.select == Select::sharpest ? "sharpest" : "first"},
                     {"minSharpness", options.min_sharpness},
                     {"minMotion", options.min_motion},
                     {"eye", options.eye == Eye::left ? "left" : "right"},
                     {"hdr", options.hdr == HdrPolicy::tonemap ? "tonemap" : "refuse"},
                     {"format", options.format == FrameFormat::jpg ? "jpg" : "png"},
                     {"quality", options.quality}};
  if (options.projection) parameters["projection"] = name_of(*options.projection);
  const Fisheye& f = options.fisheye;
  if (f.fov_deg != 0 || f.radius != 0) parameters["fisheye"] = {f.fov_deg, f.centre_x, f.centre_y, f.radius};
  if (options.gpx) parameters["gpx"] = utf8(options.gpx->filename());
  if (options.gpx_offset_s != 0) parameters["gpxOffset"] = options.gpx_offset_s;
  return parameters;
}

// The choice of a former run when clip and options are the same, else a new one.
ClipPlan plan_of(const fs::path& clip, const std::string& name, const FramesOptions& options, const fs::path& folder,
                 const CancelToken& cancel) {
  const std::string key =
      hash_text(Hash64().add(parameters_of(options).dump()).add(content_hash(clip)).add(name).value());
  const fs::path path = folder / path_from_utf8(name + ".json");
  std::error_code error;
  if (options.rerun != Rerun::force && fs::exists(path, error)) {
    try {
      const json former = read_json_object(path);
      if (former.value("key", "") == key) return clip_plan_from(former, clip);
    } catch (const std::exception&) {
      log_warn("{}: cannot be read, made anew", utf8(path));
    }
  }
  log_info("[frames] {}: looking for the sharpest frames", utf8(clip));
  ClipPlan plan = plan_clip(clip, name, options, cancel);
  fs::create_directories(folder, error);
  if (error) throw Error(ErrorKind::io, fmt::format("cannot make {}: {}", utf8(folder), error.message()));
  json value = as_json(plan);
  value["key"] = key;
  write_file_atomically(path, value.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
  return plan;
}

void say_what_was_found(const ClipPlan& plan) {
  std::size_t kept = 0, blurred = 0, alike = 0;
  for (const Candidate& c : plan.candidates) {
    kept += c.kept ? 1u : 0u;
    blurred += c.why == "blurred" ? 1u : 0u;
    alike += !c.kept && c.why != "blurred" ? 1u : 0u;
  }
  log_info("[frames] {}: {} ({}); {} frames looked at, {} chosen, {} dropped as blurred, {} as like the one before",
           utf8(plan.clip), name_of(plan.projection), plan.projection_why, plan.examined, kept, blurred, alike);
  if (plan.damaged > 0) log_warn("{}: {} damaged frames left out", utf8(plan.clip), plan.damaged);
}

// The clip's clock and place, for the metadata of its frames.
struct ClipFacts {
  std::optional<double> start_s;  // since 1970, UTC
  std::optional<io::RawGps> place;
  std::vector<TrackPoint> track;

  io::FrameFacts at(double time_s, double offset_s) const {
    io::FrameFacts facts;
    facts.place = place;
    if (!start_s) return facts;
    const double time = *start_s + time_s;
    if (!track.empty()) facts.place = place_at(track, time + offset_s);
    const auto whole = static_cast<std::time_t>(std::floor(time));
    std::tm utc{};
    gmtime_r(&whole, &utc);
    facts.time =
        fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                    utc.tm_hour, utc.tm_min, utc.tm_sec, static_cast<int>((time - std::floor(time)) * 1000));
    return facts;
  }
};

ClipFacts facts_of(const fs::path& clip, const io::VideoInfo& info, const FramesOptions& options) {
  ClipFacts facts;
  facts.place = info.place;
  facts.start_s = time_from_iso(info.creation_time);
  fs::path gpx = options.gpx.value_or(fs::path(clip).replace_extension(".gpx"));
  std::error_code error;
  if (!options.gpx && !fs::exists(gpx, error)) return facts;
  facts.track = read_gpx(gpx);
  // Without a clock of its own the clip starts with the track.
  if (!facts.start_s) facts.start_s = facts.track.front().time_s;
  return facts;
}

class ClipWriter {
 public:
  ClipWriter(const ClipPlan& plan, const FramesOptions& options)
      : plan_(plan), options_(options), video_(plan.clip), facts_(facts_of(plan.clip, video_.info(), options)) {
    for (const std::string& warning : video_.info().warnings) log_warn("{}", warning);
  }

  // The frame as a panorama. Frames have to be asked for in order of time.
  Rgba8 frame(const Candidate& wanted) {
    constexpr double far_s = 10;
    if (wanted.time_s - (started_ ? video_.time_s() : 0.0) > far_s) video_.seek(wanted.timestamp);
    while (video_.next()) {
      started_ = true;
      if (video_.timestamp() == wanted.timestamp) {
        return to_equirect(video_.rgba(), plan_.projection, {options_.eye, plan_.fisheye});
      }
      if (video_.timestamp() > wanted.timestamp) break;
    }
    throw Error(ErrorKind::input,
                fmt::format("{}: the frame at {:.3f} s cannot be decoded", utf8(plan_.clip), wanted.time_s));
  }
  io::FrameFacts facts(const Candidate& candidate) const { return facts_.at(candidate.time_s, options_.gpx_offset_s); }

 private:
  const ClipPlan& plan_;
  const FramesOptions& options_;
  io::VideoReader video_;
  ClipFacts facts_;
  bool started_ = false;
};

// Frames are encoded while the next ones are decoded: at most two at a time.
class EncodeQueue {
 public:
  EncodeQueue(StageRun& run, const FramesOptions& options) : run_(run), options_(options) {}

  void add(const StageItem& item, Rgba8 picture, const io::FrameFacts& facts) {
    if (waiting_.size() >= 2) finish_one();
    fs::path path = options_.output_dir / path_from_utf8(item.name);
    path += options_.format == FrameFormat::jpg ? ".jpg" : ".png";
    waiting_.push_back({&item, path, std::async(std::launch::async, [this, path, facts, picture = std::move(picture)] {
                          write_panorama(path, picture, options_.quality, facts);
                        })});
  }
  void finish_all() {
    while (!waiting_.empty()) finish_one();
  }

 private:
  struct Waiting {
    const StageItem* item;
    fs::path path;
    std::future<void> written;
  };
  void finish_one() {
    Waiting first = std::move(waiting_.front());
    waiting_.pop_front();
    first.written.get();  // an output that cannot be written ends the stage
    run_.done(*first.item, {{first.path}, {}, {}});
  }

  StageRun& run_;
  const FramesOptions& options_;
  std::deque<Waiting> waiting_;
};

// A photo that is a 2:1 panorama, a crop of one that says so, or a raw is taken as it is.
ItemResult take_photo(const Picture& picture, const FramesOptions& options) {
  fs::path target = options.output_dir / path_from_utf8(picture.name);
  const io::InputKind kind = io::sniff(picture.source);
  const auto as_it_is = [&] {
    target += picture.source.extension();
    link_or_copy(picture.source, target);
    return ItemResult{{target}, {{"linked", true}}, {}};
  };
  if (kind == io::InputKind::raw) return as_it_is();
  const auto gpano = io::read_gpano(picture.source);
  const io::PictureInfo info = io::probe_picture(picture.source);
  if (!options.projection && gpano && gpano->full_width && gpano->crop_width) return as_it_is();
  Recognised recognised{options.projection.value_or(Projection::unknown), "--projection"};
  if (!options.projection) {
    recognised = recognise(luma_of(io::read_rgba8(picture.source, 8), 1024), info.width, info.height,
                           {1, io::StereoLayout::none, ""});
  }
  if (recognised.projection == Projection::equirect) return as_it_is();
  if (recognised.projection == Projection::unknown) {
    throw Error(ErrorKind::input, fmt::format("{}: {}", utf8(picture.source), recognised.why));
  }
  Rgba8 pixels = io::read_rgba8(picture.source);
  const Fisheye fisheye =
      recognised.projection == Projection::dual_fisheye ? estimated(pixels, options.fisheye) : Fisheye{};
  const io::RawInfo facts = io::read_photo_info(picture.source);
  target += options.format == FrameFormat::jpg ? ".jpg" : ".png";
  write_panorama(target, to_equirect(std::move(pixels), recognised.projection, {options.eye, fisheye}), options.quality,
                 {facts.time, facts.gps, 0});
  return {{target}, {{"projection", name_of(recognised.projection)}}, {}};
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

void write_csv(const fs::path& path, const std::vector<ClipPlan>& plans, const std::vector<Picture>& pictures,
               const FramesOptions& options) {
  std::string text = "frame,source,time_s,sharpness,motion,kept,why,latitude,longitude,altitude\n";
  const auto place = [](const std::optional<io::RawGps>& gps) {
    if (!gps) return std::string(",,,");
    return fmt::format(",{:.8f},{:.8f},{}", gps->latitude_degrees, gps->longitude_degrees,
                       gps->altitude_m ? fmt::format("{:.3f}", *gps->altitude_m) : "");
  };
  for (const ClipPlan& plan : plans) {
    ClipFacts facts;
    try {
      facts = facts_of(plan.clip, io::VideoReader(plan.clip, 1).info(), options);
    } catch (const Error& error) {
      log_warn("{}", error.what());
    }
    for (const Candidate& c : plan.candidates) {
      text += fmt::format("{},{},{:.3f},{:.3f},{:.3f},{},{}{}\n", quoted(c.name), quoted(utf8(plan.clip.filename())),
                          c.time_s, c.sharpness, c.motion, c.kept ? 1 : 0, c.why,
                          place(facts.at(c.time_s, options.gpx_offset_s).place));
    }
  }
  for (const Picture& picture : pictures) {
    if (picture.clip != nullptr) continue;
    text += fmt::format("{},{},,,,1,photo{}\n", quoted(picture.name), quoted(utf8(picture.source.filename())),
                        place(io::read_photo_info(picture.source).gps));
  }
  write_file_atomically(path, text);
}

void write_frames(StageRun& run, const std::map<std::string, Picture>& pictures, const FramesOptions& options,
                  const CancelToken& cancel) {
  EncodeQueue queue(run, options);
  std::vector<std::pair<const Picture*, const StageItem*>> wanted;
  for (const StageItem& item : run.pending()) {
    const auto found = pictures.find(item.name);
    if (found != pictures.end() && found->second.clip != nullptr) wanted.emplace_back(&found->second, &item);
  }
  std::stable_sort(wanted.begin(), wanted.end(), [](const auto& a, const auto& b) {
    return a.first->clip != b.first->clip ? a.first->clip < b.first->clip
                                          : a.first->candidate->timestamp < b.first->candidate->timestamp;
  });
  std::optional<ClipWriter> writer;
  const ClipPlan* clip = nullptr;
  for (const auto& [picture, item] : wanted) {
    cancel.throw_if_cancelled();
    try {
      if (clip != picture->clip) writer.reset();
      if (!writer) writer.emplace(*picture->clip, options);
      clip = picture->clip;
      queue.add(*item, writer->frame(*picture->candidate), writer->facts(*picture->candidate));
    } catch (const Error& error) {
      if (error.kind == ErrorKind::io) throw;
      run.failed(*item, error);
      writer.reset();
    }
  }
  queue.finish_all();
}

}  // namespace

double seconds_from_text(const std::string& text) {
  double total = 0;
  std::size_t at = 0;
  for (int part = 0; part < 3; ++part) {
    const std::size_t colon = std::min(text.find(':', at), text.size());
    double value = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + colon, value);
    if (error != std::errc() || end != text.data() + colon || !(value >= 0) || !std::isfinite(value)) break;
    total = total * 60 + value;
    if (colon == text.size()) return total;
    at = colon + 1;
  }
  throw Error(ErrorKind::usage, fmt::format("'{}' is no time: give seconds, minutes:seconds or h:mm:ss", text));
}

StageSummary frames(const FramesOptions& options, const StageListener& listener, const CancelToken& cancel) {
  const Inputs inputs = gathered(options.inputs);
  const fs::path folder = stage_folder_of(options.output_dir);
  const StageOptions stage{folder, "frames", "stage", options.rerun, options.shard};
  refuse_other_parameters(stage, parameters_of(options));
  std::set<std::string> used;
  std::vector<ClipPlan> plans;
  plans.reserve(inputs.clips.size());
  std::map<fs::path, Error> unusable = inputs.broken;
  for (const fs::path& clip : inputs.clips) {
    try {
      plans.push_back(plan_of(clip, own_name(clip, used), options, folder / "plan", cancel));
      say_what_was_found(plans.back());
    } catch (const Error& error) {
      if (error.kind == ErrorKind::io) throw;
      unusable.emplace(clip, error);
    }
  }
  std::map<std::string, Picture> pictures;
  std::vector<StageItem> items;
  const auto add = [&](Picture picture) {
    items.push_back({picture.name, {picture.source}});
    pictures.emplace(picture.name, std::move(picture));
  };
  for (const ClipPlan& plan : plans) {
    for (const Candidate& candidate : plan.candidates) {
      if (candidate.kept) add({candidate.name, plan.clip, &plan, &candidate});
    }
  }
  for (const fs::path& photo : inputs.photos) add({own_name(photo, used), photo, nullptr, nullptr});
  for (const auto& [clip, error] : unusable) items.push_back({utf8(clip.filename()), {clip}});
  make_folder(options.output_dir);
  StageRun run(stage, parameters_of(options), std::move(items), listener);
  for (const StageItem& item : run.pending()) {
    cancel.throw_if_cancelled();
    const auto found = pictures.find(item.name);
    if (found == pictures.end()) run.failed(item, unusable.at(item.inputs.front()));
    if (found == pictures.end() || found->second.clip != nullptr) continue;
    try {
      run.done(item, take_photo(found->second, options));
    } catch (const Error& error) {
      if (error.kind == ErrorKind::io) throw;
      run.failed(item, error);
    }
  }
  write_frames(run, pictures, options, cancel);
  std::vector<Picture> all;
  for (const auto& [name, picture] : pictures) all.push_back(picture);
  write_csv(folder / "frames.csv", plans, all, options);
  return run.finish();
}

}  // namespace imago::pano
