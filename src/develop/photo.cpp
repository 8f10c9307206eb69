#include "develop/photo.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <iterator>

#include "base/field_access.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/path_text.h"
#include "color/icc.h"
#include "develop/stages/source/camera_color.h"
#include "develop/stages/source/opcodes.h"
#include "develop/stages/source/source.h"
#include "image/resample.h"
#include "io/byte_source.h"
#include "io/image_file.h"
#include "io/picture_reader.h"
#include "io/raw/automatic_white.h"
#include "io/raw/camera_profile.h"
#include "io/raw/read_raw.h"
#include "io/raw/white_balance.h"

namespace imago::develop {
namespace {

using Clock = std::chrono::steady_clock;

double ms_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - start).count();
}

StageKey source_key(std::uint64_t content, const SourceSettings& settings) {
  Hash64 hash;
  hash.add(content).add(process_version);
  hash_fields(hash, source_fields, &settings);
  return hash.value();
}

template <typename Sample>
std::uint64_t hash_of(const PixelBuffer<Sample>& samples) {
  return hash_bytes(std::as_bytes(std::span(samples.data(), samples.size())));
}

// The neutral that the settings ask for, where the camera's is not wanted.
void choose_white(io::RawImage& raw, SourceWhite white) {
  if (white == SourceWhite::as_shot || raw.neutral_source == io::NeutralSource::unit) return;
  const auto chosen = white == SourceWhite::automatic ? io::automatic_neutral(raw)
                                                      : io::neutral_from_xy(raw, color::d65.x, color::d65.y);
  if (chosen) {
    raw.neutral = *chosen;
  } else {
    raw.warnings.emplace_back("source.white: nothing to estimate it from: the camera's is used");
  }
}

// A --camera-profile file by its first bytes.
struct ProfileFile {
  std::vector<std::byte> bytes;
  bool is_icc = false;
  std::string name;

  explicit ProfileFile(const std::filesystem::path& path) {
    if (path.empty()) return;
    name = utf8(path.filename());
    bytes = io::read_file(path, std::uint64_t{64} << 20);
    constexpr std::size_t signature_at = 36;  // "acsp" of every ICC profile
    is_icc = bytes.size() > signature_at + 4 && std::memcmp(bytes.data() + signature_at, "acsp", 4) == 0;
  }
};

// Linear Rec.2020 of white-balanced camera samples through an ICC profile of the camera.
void apply_camera_icc(const ProfileFile& file, float exposure_gain, Photo& photo) {
  const color::WorkingFromPicture convert(file.bytes);
  if (!convert.warning().empty()) throw Error(ErrorKind::input, fmt::format("{}: {}", file.name, convert.warning()));
  Rgb32f& picture = photo.source;
  parallel_for(picture.height, 32, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) {
      float* row = picture.row(y);
      convert.convert(row, row, static_cast<std::size_t>(picture.width));
      for (std::size_t i = 0; i < picture.row_samples(); ++i) row[i] *= exposure_gain;
    }
  });
}

// A picture of pixels that are `aspect` times as wide as high, in square ones; the finer axis keeps its samples.
Rgb32f with_square_pixels(Rgb32f picture, double aspect) {
  const auto stretched = [](int size, double by) { return std::max(1, static_cast<int>(std::lround(size * by))); };
  const int width = aspect > 1 ? stretched(picture.width, aspect) : picture.width;
  const int height = aspect < 1 ? stretched(picture.height, 1 / aspect) : picture.height;
  if (width == picture.width && height == picture.height) return picture;
  return resample(picture, resample_taps(picture.width, width, ResampleFilter::catmull_rom),
                  resample_taps(picture.height, height, ResampleFilter::catmull_rom));
}

Photo open_raw(const std::filesystem::path& path, const SourceSettings& settings, const OpenOptions& options) {
  Photo photo;
  const auto start = Clock::now();
  io::RawImage raw = io::read_raw(path, options.raw);
  const ProfileFile profile(options.camera_profile);
  const bool is_dcp = !profile.bytes.empty() && !profile.is_icc;
  if (is_dcp) io::use_profile(io::read_dcp(profile.bytes, profile.name), raw);
  choose_white(raw, static_cast<SourceWhite>(settings.white));
  const auto decoded = Clock::now();
  photo.orientation = raw.info.orientation;
  photo.warnings = raw.warnings;
  std::ranges::copy_if(raw.opcodes[2], std::back_inserter(photo.warps), is_warp);
  if (!photo.warps.empty()) {
    photo.warnings.emplace_back(
        "the lens correction that this DNG brings (OpcodeList3, WarpRectilinear) is not applied yet");
  }
  photo.warp_frame = {-raw.default_crop.x, -raw.default_crop.y, raw.active_area.width, raw.active_area.height};
  photo.key = source_key(hash_of(raw.samples) ^ hash_of(raw.float_samples) ^ hash_bytes(profile.bytes), settings);
  try {
    photo.color = scene_color(raw);
    photo.look = {raw.look.look_table, raw.look.tone_curve};
    SourcePlan plan = plan_source(raw, settings);
    const bool through_icc = profile.is_icc && raw.layout != io::RawLayout::monochrome;
    if (through_icc) {
      plan.hue_sat = {};
      plan.working_from_camera = {1, 0, 0, 0, 1, 0, 0, 0, 1};
      photo.look = {};
    }
    const auto gain = static_cast<float>(exposure_gain(raw));
    const auto noise = noise_from_profile(raw.noise, plan.gains, plan.working_from_camera);
    const double aspect = raw.pixel_aspect;
    photo.source = develop_source(std::move(raw), plan);
    photo.noise = noise ? *noise : fit_noise(photo.source, plan.gains, plan.working_from_camera);
    if (through_icc) apply_camera_icc(profile, gain, photo);
    const int width = photo.source.width, height = photo.source.height;
    photo.source = with_square_pixels(std::move(photo.source), aspect);
    const auto scale_x = static_cast<double>(photo.source.width) / width;
    const auto scale_y = static_cast<double>(photo.source.height) / height;
    photo.warp_frame = {static_cast<int>(std::lround(photo.warp_frame.x * scale_x)),
                        static_cast<int>(std::lround(photo.warp_frame.y * scale_y)),
                        static_cast<int>(std::lround(photo.warp_frame.width * scale_x)),
                        static_cast<int>(std::lround(photo.warp_frame.height * scale_y))};
  } catch (const Error& error) {
    throw Error(error.kind, fmt::format("{}: {}", utf8(path.filename()), error.what()));
  }
  photo.decode_ms = ms_between(start, decoded);
  photo.source_ms = ms_between(decoded, Clock::now());
  return photo;
}

template <typename Sample>
Rgb32f working_picture(const color::WorkingFromPicture& convert, const Image<Sample, 3>& picture) {
  Rgb32f working(picture.width, picture.height);
  parallel_for(picture.height, 32, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) {
      convert.convert(picture.row(y), working.row(y), static_cast<std::size_t>(picture.width));
    }
  });
  return working;
}

Photo open_picture(const std::filesystem::path& path, const SourceSettings& settings, const OpenOptions& options) {
  Photo photo;
  const auto start = Clock::now();
  const io::Picture picture = io::read_picture(path);
  const auto decoded = Clock::now();
  photo.is_raw = false;
  photo.orientation = picture.info.orientation;
  photo.warnings = picture.info.warnings;
  photo.key = source_key(hash_of(picture.rgb8.pixels) ^ hash_of(picture.rgb16.pixels) ^ hash_of(picture.rgb32f.pixels),
                         settings);
  const ProfileFile profile(options.camera_profile);
  if (!profile.bytes.empty() && !profile.is_icc) {
    throw Error(ErrorKind::input, fmt::format("{}: a camera profile (.dcp) is for raws; for {} give an ICC profile",
                                              profile.name, utf8(path.filename())));
  }
  const color::WorkingFromPicture convert(picture.info.icc.empty() ? profile.bytes : picture.info.icc);
  if (!convert.warning().empty()) photo.warnings.push_back(convert.warning());
  photo.source = picture.info.bits == 8    ? working_picture(convert, picture.rgb8)
                 : picture.info.bits == 16 ? working_picture(convert, picture.rgb16)
                                           : working_picture(convert, picture.rgb32f);
  photo.noise = fit_noise(photo.source);
  photo.decode_ms = ms_between(start, decoded);
  photo.source_ms = ms_between(decoded, Clock::now());
  return photo;
}

}  // namespace

Photo open_photo(const std::filesystem::path& path, const SourceSettings& settings, const OpenOptions& options) {
  Photo photo;
  const io::InputKind kind = io::sniff(path);
  if (kind == io::InputKind::raw) {
    photo = open_raw(path, settings, options);
  } else if (io::is_picture(kind)) {
    photo = open_picture(path, settings, options);
  } else {
    throw Error(ErrorKind::input, fmt::format("{}: neither a raw file nor a picture that can be read (JPEG, PNG, TIFF, "
                                              "WebP, AVIF, HEIF, JPEG XL)",
                                              utf8(path.filename())));
  }
  photo.name = utf8(path.filename());
  return photo;
}

}  // namespace imago::develop
