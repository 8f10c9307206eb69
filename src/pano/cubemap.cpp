// The cubemap stage: a folder of panoramas to a folder of faces a camera.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <mutex>
#include <numbers>
#include <optional>

#include "base/parallel.h"
#include "base/path_text.h"
#include "io/picture_writer.h"
#include "pano/pano.h"

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
    const fs::path folder = options.output_dir / camera.name;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw Error(ErrorKind::io, fmt::format("cannot make {}: {}", utf8(folder), error.message()));
  }
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

FacesPlan plan_for(const CubemapOptions& options, const PaddedPanorama& panorama) {
  const double fov = options.fov_deg * std::numbers::pi / 180;
  const int size = options.face_size > 0    ? options.face_size
                   : options.face_size == 0 ? automatic_face_size(panorama.width, fov)
                                            : native_face_size(panorama.width, fov);
  std::vector<std::array<double, 9>> rotations;
  for (const geometry::RigCamera& camera : options.layout.cameras) {
    rotations.push_back(geometry::transposed(camera.cam_from_rig_rotation));
  }
  return plan_faces(panorama.width, panorama.height, rotations, fov, size, options.filter);
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

FrameReport cut(const fs::path& input, const fs::path& frame, Decoded decoded, FacesPlan& plan,
                const CubemapOptions& options) {
  FrameReport report;
  report.input = input;
  report.decode_ms = decoded.ms;
  try {
    if (decoded.error) throw *decoded.error;
    const PaddedPanorama& panorama = decoded.panorama;
    if (plan.panorama_width != panorama.width || plan.panorama_height != panorama.height) {
      plan = plan_for(options, panorama);
    }
    report.face_size = plan.faces.front().size;
    auto start = Clock::now();
    const FacesRender render = render_faces(plan, panorama, options.backend);
    report.sample_ms = ms_since(start);
    report.backend = render.backend;
    report.gpu_fallback = render.gpu_fallback;
    decoded.panorama = {};
    for (const geometry::RigCamera& camera : options.layout.cameras) {
      fs::path name = frame;
      name += options.format == FaceFormat::jpg ? ".jpg" : ".png";
      report.outputs.push_back(options.output_dir / camera.name / name);
    }
    start = Clock::now();
    encode_all(render, report.outputs, options);
    report.encode_ms = ms_since(start);
  } catch (const Error& error) {
    report.error = error.what();
    report.error_kind = error.kind;
    report.outputs.clear();
  }
  return report;
}

}  // namespace

std::vector<FrameReport> cubemap(const CubemapOptions& options, const std::function<void(const FrameReport&)>& on_frame,
                                 const CancelToken& cancel) {
  const std::vector<fs::path> inputs = panoramas_in(options.input_dir);
  const std::map<fs::path, fs::path> names = frame_names(inputs);
  make_folders(options);
  std::vector<FrameReport> reports;
  FacesPlan plan;
  std::future<Decoded> next = std::async(std::launch::async, decode, inputs.front());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Decoded decoded = next.get();
    cancel.throw_if_cancelled();
    if (i + 1 < inputs.size()) next = std::async(std::launch::async, decode, inputs[i + 1]);
    reports.push_back(cut(inputs[i], names.at(inputs[i]), std::move(decoded), plan, options));
    on_frame(reports.back());
  }
  return reports;
}

}  // namespace imago::pano
