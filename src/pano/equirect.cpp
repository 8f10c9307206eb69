#include "pano/equirect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <map>
#include <numbers>
#include <set>

#include "base/parallel.h"
#include "base/path_text.h"
#include "geometry/cube_face.h"
#include "io/image_file.h"
#include "io/picture_reader.h"
#include "pano/equirect_coordinates.h"
#include "pano/face_plan.h"
#include "pano/frame_files.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;
using geometry::Mat3;
using nlohmann::json;

constexpr double degree = std::numbers::pi / 180;

bool is_picture(const fs::path& path) {
  const io::InputKind kind = io::sniff(path);
  return kind == io::InputKind::jpeg || kind == io::InputKind::png || kind == io::InputKind::tiff;
}

std::vector<fs::path> frames_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const bool hidden = it->path().filename().u8string().starts_with(u8'.');
    if (!hidden && it->is_regular_file()) paths.push_back(it->path());
  }
  if (error) throw Error(ErrorKind::input, fmt::format("--input-dir {}: {}", utf8(folder), error.message()));
  if (paths.empty()) throw Error(ErrorKind::input, fmt::format("--input-dir {}: nothing in it", utf8(folder)));
  std::sort(paths.begin(), paths.end());
  return paths;
}

const char* name_of(LevelSource source) {
  switch (source) {
    case LevelSource::none: return "none";
    case LevelSource::xmp: return "xmp";
    case LevelSource::exif: return "exif";
    case LevelSource::angles: return "angles";
    case LevelSource::gravity: return "gravity";
  }
  return "";
}

const char* name_of(HeadingSource source) {
  return source == HeadingSource::none ? "none" : source == HeadingSource::xmp ? "xmp" : "exif";
}

json parameters_of(const EquirectOptions& options) {
  json parameters = {
      {"level", name_of(options.level)}, {"heading", name_of(options.heading)}, {"quality", options.quality}};
  const Attitude& a = options.angles;
  if (options.level == LevelSource::angles || a.yaw_deg != 0)
    parameters["angles"] = {a.yaw_deg, a.pitch_deg, a.roll_deg};
  if (options.level == LevelSource::gravity) {
    parameters["gravity"] = {options.gravity.x, options.gravity.y, options.gravity.z};
  }
  return parameters;
}

Attitude attitude_for(const EquirectOptions& options, const std::optional<io::GPano>& gpano, const fs::path& path) {
  Attitude attitude;
  switch (options.level) {
    case LevelSource::none: break;
    case LevelSource::xmp:
      if (gpano) attitude = {0, gpano->pitch_degrees.value_or(0), gpano->roll_degrees.value_or(0)};
      break;
    case LevelSource::exif: attitude.pitch_deg = io::read_pose(path).elevation_degrees.value_or(0); break;
    case LevelSource::angles: attitude = options.angles; break;
    case LevelSource::gravity: attitude = attitude_of_gravity(options.gravity); break;
  }
  attitude.yaw_deg = options.angles.yaw_deg;
  if (options.heading == HeadingSource::xmp && gpano) attitude.yaw_deg -= gpano->heading_degrees.value_or(0);
  if (options.heading == HeadingSource::exif) attitude.yaw_deg -= io::read_pose(path).direction_degrees.value_or(0);
  return attitude;
}

bool is_crop(const std::optional<io::GPano>& gpano, const io::PictureInfo& info) {
  if (!gpano || !gpano->full_width || !gpano->full_height || !gpano->crop_width || !gpano->crop_height) return false;
  const bool whole = *gpano->crop_width == *gpano->full_width && *gpano->crop_height == *gpano->full_height;
  return !whole || info.width != 2 * info.height;
}

PaddedPanorama surrounded(const Rgba8& picture) {
  PaddedPanorama panorama(picture.width, picture.height);
  for (int y = 0; y < picture.height; ++y) std::copy_n(picture.row(y), picture.row_samples(), panorama.row(y));
  surround(panorama);
  return panorama;
}

ItemResult make_upright(const StageItem& item, const EquirectOptions& options) {
  const fs::path& source = item.inputs.front();
  if (!is_picture(source)) throw Error(ErrorKind::input, utf8(source) + ": not a JPEG, PNG or TIFF");
  const io::PictureInfo info = io::probe_picture(source);
  const std::optional<io::GPano> gpano = io::read_gpano(source);
  const bool crop = is_crop(gpano, info);
  if (!crop && info.width != 2 * info.height) {
    throw Error(ErrorKind::input, fmt::format("{}: {}x{} is not 2:1 and nothing says what part of a panorama it is",
                                              utf8(source), info.width, info.height));
  }
  const Attitude attitude = attitude_for(options, gpano, source);
  fs::path target = options.output_dir / path_from_utf8(item.name);
  if (!crop && attitude == Attitude{}) {
    target += source.extension();
    link_or_copy(source, target);
    return {{target}, {{"linked", true}}, {}};
  }
  Rgba8 picture = io::read_rgba8(source);
  if (crop) picture = uncropped(picture, *gpano);
  if (!(attitude == Attitude{})) picture = turned_sphere(surrounded(picture), picture_from_upright(attitude));
  const io::RawInfo facts = io::read_photo_info(source);
  target += ".jpg";
  write_panorama(target, picture, options.quality, {facts.time, facts.gps, 0});
  json details = {{"yaw", attitude.yaw_deg}, {"pitch", attitude.pitch_deg}, {"roll", attitude.roll_deg}};
  if (crop) details["uncropped"] = true;
  return {{target}, details, {}};
}

struct Axis {
  std::vector<float> sine, cosine;
};
Axis axis(int count, double first, double step) {
  Axis out;
  for (int i = 0; i < count; ++i) {
    out.sine.push_back(static_cast<float>(std::sin(first + step * (i + 0.5))));
    out.cosine.push_back(static_cast<float>(std::cos(first + step * (i + 0.5))));
  }
  return out;
}

// 4 x 4 taps, 14-bit weights, as in sample_face.cpp.
void sample_cubic(const PaddedPanorama& source, const KernelTable& table, float x, float y, std::uint8_t* out) {
  const int fixed_x = static_cast<int>(std::floor(x * 256.0f - 127.5f));
  const int fixed_y = static_cast<int>(std::floor(y * 256.0f - 127.5f));
  const std::int16_t* wx = &table.weights[static_cast<std::size_t>((fixed_x & 255) * tap_count + 2)];
  const std::int16_t* wy = &table.weights[static_cast<std::size_t>((fixed_y & 255) * tap_count + 2)];
  const std::uint8_t* corner = source.row((fixed_y >> 8) - 1) + 4 * ((fixed_x >> 8) - 1);
  const auto stride = static_cast<std::ptrdiff_t>(source.pixels.row_samples());
  for (int c = 0; c < 3; ++c) {
    std::int64_t sum = std::int64_t{1} << 27;
    for (int j = 0; j < 4; ++j) {
      const std::uint8_t* row = corner + j * stride + c;
      sum += static_cast<std::int64_t>(wy[j]) * (row[0] * wx[0] + row[4] * wx[1] + row[8] * wx[2] + row[12] * wx[3]);
    }
    out[c] = static_cast<std::uint8_t>(std::clamp<std::int64_t>(sum >> 28, 0, 255));
  }
  out[3] = 255;
}

}  // namespace

Mat3<double> picture_from_upright(const Attitude& attitude) {
  const double r = attitude.roll_deg * degree;
  const Mat3<double> roll_back = {std::cos(r), std::sin(r), 0, -std::sin(r), std::cos(r), 0, 0, 0, 1};
  const Mat3<double> pitch_back = geometry::pano_from_view({0, -attitude.pitch_deg});
  const Mat3<double> yaw = geometry::pano_from_view({attitude.yaw_deg, 0});
  return geometry::multiply(roll_back, geometry::multiply(pitch_back, yaw));
}

// Gravity in the picture is Rz(-roll) Rx(-pitch) (0, 1, 0) = Rz(-roll) (0, cos pitch, -sin pitch).
Attitude attitude_of_gravity(const geometry::Vec3<double>& gravity) {
  const auto g = geometry::normalized(gravity);
  const double pitch = std::asin(std::clamp(-g.z, -1.0, 1.0));
  return {0, pitch / degree, std::atan2(g.x, g.y) / degree};
}

Rgba8 turned_sphere(const PaddedPanorama& source, const Mat3<double>& rotation) {
  const KernelTable table = kernel_table(Filter::cubic);
  const Axis azimuth = axis(source.width, -std::numbers::pi, 2 * std::numbers::pi / source.width);
  const Axis elevation = axis(source.height, std::numbers::pi / 2, -std::numbers::pi / source.height);
  std::array<float, 9> m{};
  for (std::size_t i = 0; i < 9; ++i) m[i] = static_cast<float>(rotation[i]);
  const auto width = static_cast<float>(source.width), height = static_cast<float>(source.height);
  Rgba8 out(source.width, source.height);
  parallel_for(source.height, 8, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) {
      const float flat = elevation.cosine[static_cast<std::size_t>(y)],
                  up = -elevation.sine[static_cast<std::size_t>(y)];
      for (int x = 0; x < source.width; ++x) {
        const float dx = flat * azimuth.sine[static_cast<std::size_t>(x)];
        const float dz = flat * azimuth.cosine[static_cast<std::size_t>(x)];
        const float sx = m[0] * dx + m[1] * up + m[2] * dz;
        const float sy = m[3] * dx + m[4] * up + m[5] * dz;
        const float sz = m[6] * dx + m[7] * up + m[8] * dz;
        const float column = (turns_atan2(sx, sz) + 0.5f) * width;
        const float row = (turns_atan2(sy, std::sqrt(sx * sx + sz * sz)) * 2.0f + 0.5f) * height;
        sample_cubic(source, table, column, row, out.at(x, y));
      }
    }
  });
  return out;
}

Rgba8 uncropped(const Rgba8& crop, const io::GPano& gpano) {
  const double scale = static_cast<double>(crop.width) / gpano.crop_width.value_or(crop.width);
  const int height = static_cast<int>(std::lround(gpano.full_width.value_or(0) * scale / 2));
  const int width = 2 * height;
  const int left = static_cast<int>(std::lround(gpano.crop_left.value_or(0) * scale));
  const double full_height = gpano.full_height.value_or(0) * scale;
  const int top = static_cast<int>(std::lround(gpano.crop_top.value_or(0) * scale + (height - full_height) / 2));
  const bool fits = height >= 8 && width <= 65536 && top >= -1 && top + crop.height <= height + 1 && left >= 0 &&
                    crop.width <= width + 1 && left < width;
  if (!fits) {
    throw Error(ErrorKind::input,
                fmt::format("its GPano numbers do not fit together: a crop of {}x{} at {},{} in a panorama of {}x{}",
                            crop.width, crop.height, left, top, width, height));
  }
  Rgba8 out(width, height);
  for (std::size_t i = 0; i < out.pixels.size(); ++i) out.pixels[i] = i % 4 == 3 ? 255 : 0;
  for (int y = std::max(0, -top); y < crop.height && y + top < height; ++y) {
    for (int x = 0; x < std::min(crop.width, width); ++x) {
      std::copy_n(crop.at(x, y), 4, out.at((x + left) % width, y + top));
    }
  }
  return out;
}

StageSummary equirect(const EquirectOptions& options, const StageListener& listener, const CancelToken& cancel) {
  std::vector<StageItem> items;
  std::set<std::string> used;
  for (const fs::path& path : frames_in(options.input_dir)) {
    std::string name = utf8(path.stem());
    if (!used.insert(name).second) used.insert(name = utf8(path.filename()));
    items.push_back({name, {path}});
  }
  make_folder(options.output_dir);
  StageRun run({stage_folder_of(options.output_dir), "equirect", "stage", options.rerun, options.shard},
               parameters_of(options), std::move(items), listener);
  for (const StageItem& item : run.pending()) {
    cancel.throw_if_cancelled();
    try {
      run.done(item, make_upright(item, options));
    } catch (const Error& error) {
      if (error.kind == ErrorKind::io) throw;
      run.failed(item, error);
    }
  }
  return run.finish();
}

}  // namespace imago::pano
