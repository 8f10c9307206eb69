// The cubemap stage: a folder of panoramas to a folder of faces a camera.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <mutex>
#include <numbers>
#include <optional>

#include "base/atomic_file.h"
#include "base/parallel.h"
#include "base/path_text.h"
#include "io/picture_reader.h"
#include "io/picture_writer.h"
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
                               {"format", options.format == FaceFormat::jpg ? "jpg" : "png"}};
  if (options.format == FaceFormat::jpg) parameters["quality"] = options.quality;
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

struct Decoded {
  PaddedPanorama panorama;
  std::optional<Error> error;
  double ms = 0;
};

Decoded decode(const fs::path& path) {
  const auto start = Clock::now();
  Decoded decoded;
  try {
    decoded.panorama = read_panorama(path);
  } catch (const Error& error) {
    decoded.error = error;
  } catch (const std::bad_alloc&) {
    decoded.error = Error(ErrorKind::memory, utf8(path) + ": out of memory");
  }
  decoded.ms = ms_since(start);
  return decoded;
}

FacesPlan plan_for(const CubemapOptions& options, int face_size, const PaddedPanorama& panorama) {
  std::vector<std::array<double, 9>> rotations;
  for (const geometry::RigCamera& camera : options.layout.cameras) {
    rotations.push_back(geometry::transposed(camera.cam_from_pano));
  }
  return plan_faces(panorama.width, panorama.height, rotations, fov_rad(options), face_size, options.filter);
}

void encode(const Rgba8& face, const fs::path& path, const CubemapOptions& options) {
  constexpr int strip_rows = 64;
  io::PictureOptions picture;
  picture.format = options.format == FaceFormat::jpg ? io::FileFormat::jpeg : io::FileFormat::png;
  picture.quality = options.quality;
  picture.sampling = io::ChromaSampling::full;
  const auto writer = io::open_picture(path, face.width, face.height, picture);
  std::vector<std::uint8_t> strip;
  for (int y = 0; y < face.height; y += strip_rows) {
    const int rows = std::min(strip_rows, face.height - y);
    const std::size_t pixels = static_cast<std::size_t>(rows) * static_cast<std::size_t>(face.width);
    strip.resize(pixels * 3);
    const std::uint8_t* from = face.row(y);
    for (std::size_t i = 0; i < pixels; ++i) {
      strip[3 * i] = from[4 * i];
      strip[3 * i + 1] = from[4 * i + 1];
      strip[3 * i + 2] = from[4 * i + 2];
    }
    io::write_samples<std::uint8_t>(*writer, strip);
  }
  writer->finish();
}

// Faces in parallel. When one cannot be written, none of this panorama stays.
void encode_all(const FacesRender& render, const std::vector<fs::path>& paths, const CubemapOptions& options) {
  std::mutex mutex;
  std::optional<Error> failure;
  const int count = static_cast<int>(paths.size());
  parallel_for(count, 1, [&](RowRange range) {
    for (int i = range.begin; i < range.end; ++i) {
      const auto index = static_cast<std::size_t>(i);
      try {
        encode(render.faces[index], paths[index], options);
      } catch (const Error& error) {
        const std::lock_guard lock(mutex);
        failure = error;
      } catch (const std::bad_alloc&) {
        const std::lock_guard lock(mutex);
        failure = Error(ErrorKind::memory, "out of memory while encoding");
      }
    }
  });
  if (!failure) return;
  std::error_code ignored;
  for (const fs::path& path : paths) fs::remove(path, ignored);
  throw *failure;
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

ItemResult cut(const fs::path& frame, Decoded decoded, FacesPlan& plan, int face_size, const CubemapOptions& options) {
  if (decoded.error) throw *decoded.error;
  const PaddedPanorama& panorama = decoded.panorama;
  if (plan.panorama_width != panorama.width || plan.panorama_height != panorama.height) {
    plan = plan_for(options, face_size, panorama);
  }
  auto start = Clock::now();
  const FacesRender render = render_faces(plan, panorama, options.backend);
  const double sample_ms = ms_since(start);
  decoded.panorama = {};
  ItemResult result;
  result.outputs = face_paths(frame, options);
  start = Clock::now();
  encode_all(render, result.outputs, options);
  result.details = {{"backend", render.backend == Backend::gpu ? "gpu" : "cpu"}};
  if (!render.gpu_fallback.empty()) result.details["gpuFallback"] = render.gpu_fallback;
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
  FacesPlan plan;
  std::future<Decoded> next;
  const std::vector<StageItem>& pending = run.pending();
  for (std::size_t i = 0; i < pending.size(); ++i) {
    if (!next.valid()) next = std::async(std::launch::async, decode, pending[i].inputs.front());
    Decoded decoded = next.get();
    cancel.throw_if_cancelled();
    if (i + 1 < pending.size()) next = std::async(std::launch::async, decode, pending[i + 1].inputs.front());
    try {
      run.done(pending[i], cut(path_from_utf8(pending[i].name), std::move(decoded), plan, face_size, options));
    } catch (const Error& error) {
      if (error.kind == ErrorKind::io) throw;  // a full disk does not get better by the next frame
      run.failed(pending[i], error);
    }
  }
  return run.finish();
}

}  // namespace imago::pano
