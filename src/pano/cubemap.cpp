// The cubemap stage: a folder of panoramas to a folder of faces a camera.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <numbers>
#include <optional>

#include "base/atomic_file.h"
#include "base/path_text.h"
#include "io/metadata/metadata.h"
#include "io/picture_reader.h"
#include "io/picture_writer.h"
#include "pano/deep_faces.h"
#include "pano/face_encode.h"
#include "pano/pano.h"
#include "pano/rig_files.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool has_panorama_extension(const fs::path& path) { return io::format_of_extension(path).has_value(); }

std::vector<fs::path> panoramas_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> paths;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const bool hidden = it->path().filename().u8string().starts_with(u8'.');
    if (!hidden && it->is_regular_file() && has_panorama_extension(it->path())) paths.push_back(it->path());
  }
  if (error) {
    throw Error(ErrorKind::input, fmt::format("--input-dir {}: {}", utf8(folder), error.message()));
  }
  if (paths.empty()) {
    throw Error(ErrorKind::input, fmt::format("--input-dir {}: no .jpg, .png or .tif in it", utf8(folder)));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// What the faces of a panorama are called, without their extension: its name without its own, unless another panorama
// of the folder would be called the same (a.jpg beside a.png).
std::map<fs::path, fs::path> frame_names(const std::vector<fs::path>& paths) {
  std::map<fs::path, int> stems;
  for (const fs::path& path : paths) ++stems[path.stem()];
  std::map<fs::path, fs::path> names;
  for (const fs::path& path : paths) names[path] = stems[path.stem()] == 1 ? path.stem() : path.filename();
  return names;
}

void make_folders(const CubemapOptions& options) {
  for (const geometry::RigCamera& camera : options.layout.cameras) {
    const fs::path folder = options.output_dir / path_from_utf8(camera.name);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw Error(ErrorKind::io, fmt::format("cannot make {}: {}", utf8(folder), error.message()));
  }
}

double fov_rad(const CubemapOptions& options) { return options.fov_deg * std::numbers::pi / 180; }

// One size for all frames: it follows the widest panorama that can be read.
int face_size_for(const CubemapOptions& options, const std::vector<fs::path>& inputs) {
  if (options.face_size > 0) return options.face_size;
  int width = 0;
  for (const fs::path& input : inputs) {
    try {
      const io::PictureInfo info = io::probe_picture(input);
      if (info.width == 2 * info.height) width = std::max(width, info.width);
    } catch (const Error&) {  // said when its turn comes
    }
  }
  if (width == 0) return 16;  // nothing can be cut; each frame says why
  return options.face_size == 0 ? automatic_face_size(width, fov_rad(options))
                                : native_face_size(width, fov_rad(options));
}

nlohmann::json parameters_of(const CubemapOptions& options, int face_size) {
  std::vector<std::string> faces;
  for (const geometry::RigCamera& camera : options.layout.cameras) faces.push_back(camera.name);
  nlohmann::json parameters = {{"layout", options.layout.name},
                               {"faces", faces},
                               {"yaw", options.yaw_deg},
                               {"fov", options.fov_deg},
                               {"faceSize", face_size},
                               {"filter", filter_names[static_cast<std::size_t>(options.filter)]},
                               {"format", options.format == FaceFormat::jpg   ? "jpg"
                                          : options.format == FaceFormat::png ? "png"
                                                                              : "png16"}};
  if (options.format == FaceFormat::jpg) parameters["quality"] = options.quality;
  if (options.linear_light) parameters["linearLight"] = true;
  return parameters;
}

const char* extension(const CubemapOptions& options) { return options.format == FaceFormat::jpg ? ".jpg" : ".png"; }

void write_json(const fs::path& path, const nlohmann::json& value) {
  write_file_atomically(path, value.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void write_rig_files(const CubemapOptions& options, int face_size, const std::map<fs::path, fs::path>& names) {
  const FaceRig rig{options.layout, options.yaw_deg, options.fov_deg, face_size, extension(options)};
  std::vector<std::string> frames;
  for (const auto& [input, name] : names) frames.push_back(utf8(name));
  const fs::path folder = stage_folder_of(options.output_dir);
  write_json(folder / "rig_config.json", rig_config(rig));
  write_json(folder / "cubemap.json", cubemap_description(rig, frames));
}

// A panorama for the sampler that the options ask for.
struct Decoded {
  PaddedPanorama panorama;  // of 8 bits
  Rgb16 deep;               // else
  std::optional<Error> error;
  double ms = 0;

  int width() const { return deep.empty() ? panorama.width : deep.width; }
  int height() const { return deep.empty() ? panorama.height : deep.height; }
};

bool is_deep(const CubemapOptions& options) { return options.linear_light || options.format == FaceFormat::png16; }

Rgb16 read_deep_panorama(const fs::path& path) {
  read_panorama_size(path);
  io::Picture picture = io::read_picture(path);
  return picture.rgb16.empty() ? deepened(io::read_rgba8(path)) : std::move(picture.rgb16);
}

Decoded decode(const fs::path& path, bool deep) {
  const auto start = Clock::now();
  Decoded decoded;
  try {
    if (deep) {
      decoded.deep = read_deep_panorama(path);
    } else {
      decoded.panorama = read_panorama(path);
    }
  } catch (const Error& error) {
    decoded.error = error;
  } catch (const std::bad_alloc&) {
    decoded.error = Error(ErrorKind::memory, utf8(path) + ": out of memory");
  }
  decoded.ms = ms_since(start);
  return decoded;
}

FacesPlan plan_for(const CubemapOptions& options, int face_size, const Decoded& panorama) {
  std::vector<std::array<double, 9>> rotations;
  for (const geometry::RigCamera& camera : options.layout.cameras) {
    rotations.push_back(geometry::transposed(camera.cam_from_pano));
  }
  return plan_faces(panorama.width(), panorama.height(), rotations, fov_rad(options), face_size, options.filter);
}

std::vector<fs::path> face_paths(const fs::path& frame, const CubemapOptions& options) {
  std::vector<fs::path> paths;
  for (const geometry::RigCamera& camera : options.layout.cameras) {
    fs::path name = frame;
    name += extension(options);
    paths.push_back(options.output_dir / path_from_utf8(camera.name) / name);
  }
  return paths;
}

// The picture's own facts on every face; the place on the first alone, as one prior a frame is all that COLMAP needs.
std::vector<io::FrameFacts> face_facts(const fs::path& source, const CubemapOptions& options) {
  const io::RawInfo info = io::read_photo_info(source);
  const double focal_35mm = 18 / std::tan(fov_rad(options) / 2);
  std::vector<io::FrameFacts> facts(options.layout.cameras.size(), {info.time, std::nullopt, focal_35mm});
  facts.front().place = info.gps;
  return facts;
}

ItemResult cut(const StageItem& item, Decoded decoded, FacesPlan& plan, int face_size, const CubemapOptions& options) {
  if (decoded.error) throw *decoded.error;
  if (plan.panorama_width != decoded.width() || plan.panorama_height != decoded.height()) {
    plan = plan_for(options, face_size, decoded);
  }
  ItemResult result;
  result.outputs = face_paths(path_from_utf8(item.name), options);
  FaceFiles files{result.outputs, face_facts(item.inputs.front(), options), options.format, options.quality};
  auto start = Clock::now();
  double sample_ms = 0;
  if (is_deep(options)) {
    const auto faces = render_deep_faces(plan, decoded.deep, options.linear_light ? Light::linear : Light::encoded);
    sample_ms = ms_since(start);
    start = Clock::now();
    encode_all(faces, files);
    result.details = {{"backend", "cpu"}};
  } else {
    const FacesRender render = render_faces(plan, decoded.panorama, options.backend);
    sample_ms = ms_since(start);
    decoded.panorama = {};
    start = Clock::now();
    encode_all(render.faces, files);
    result.details = {{"backend", render.backend == Backend::gpu ? "gpu" : "cpu"}};
    if (!render.gpu_fallback.empty()) result.details["gpuFallback"] = render.gpu_fallback;
  }
  result.timing_ms = {{"decode", decoded.ms}, {"sample", sample_ms}, {"encode", ms_since(start)}};
  return result;
}

}  // namespace

StageSummary cubemap(const CubemapOptions& asked, const StageListener& listener, const CancelToken& cancel) {
  CubemapOptions options = asked;
  options.layout = geometry::turned(asked.layout, asked.yaw_deg);
  const std::vector<fs::path> inputs = panoramas_in(options.input_dir);
  const std::map<fs::path, fs::path> names = frame_names(inputs);
  const int face_size = face_size_for(options, inputs);
  make_folders(options);
  std::vector<StageItem> items;
  for (const fs::path& input : inputs) items.push_back({utf8(names.at(input)), {input}});
  StageRun run({stage_folder_of(options.output_dir), "cubemap", "stage", options.rerun, options.shard},
               parameters_of(options, face_size), std::move(items), listener);
  write_rig_files(options, face_size, names);
  const bool deep = is_deep(options);
  if (deep && options.backend == Backend::gpu) {
    throw Error(ErrorKind::usage, "--linear-light and --format png16 are sampled on the CPU: leave --backend gpu out");
  }
  FacesPlan plan;
  std::future<Decoded> next;
  const std::vector<StageItem>& pending = run.pending();
  for (std::size_t i = 0; i < pending.size(); ++i) {
    if (!next.valid()) next = std::async(std::launch::async, decode, pending[i].inputs.front(), deep);
    Decoded decoded = next.get();
    cancel.throw_if_cancelled();
    if (i + 1 < pending.size()) next = std::async(std::launch::async, decode, pending[i + 1].inputs.front(), deep);
    try {
      run.done(pending[i], cut(pending[i], std::move(decoded), plan, face_size, options));
    } catch (const Error& error) {
      if (error.kind == ErrorKind::io) throw;  // a full disk does not get better by the next frame
      run.failed(pending[i], error);
    }
  }
  return run.finish();
}

}  // namespace imago::pano
