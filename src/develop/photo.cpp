#include "develop/photo.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "base/field_access.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/path_text.h"
#include "color/icc.h"
#include "develop/stages/source/camera_color.h"
#include "develop/stages/source/opcodes.h"
#include "develop/stages/source/source.h"
#include "io/image_file.h"
#include "io/picture_reader.h"
#include "io/raw/automatic_white.h"
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

Photo open_raw(const std::filesystem::path& path, const SourceSettings& settings) {
  Photo photo;
  const auto start = Clock::now();
  io::RawImage raw = io::read_raw(path);
  choose_white(raw, static_cast<SourceWhite>(settings.white));
  const auto decoded = Clock::now();
  photo.orientation = raw.info.orientation;
  photo.warnings = raw.warnings;
  std::ranges::copy_if(raw.opcodes[2], std::back_inserter(photo.warps), is_warp);
  photo.warp_frame = {-raw.default_crop.x, -raw.default_crop.y, raw.active_area.width, raw.active_area.height};
  photo.key = source_key(hash_of(raw.samples) ^ hash_of(raw.float_samples), settings);
  try {
    photo.color = scene_color(raw);
    const SourcePlan plan = plan_source(raw, settings);
    const auto profile = noise_from_profile(raw.noise, plan.gains, plan.working_from_camera);
    photo.source = develop_source(std::move(raw), plan);
    photo.noise = profile ? *profile : fit_noise(photo.source, plan.gains, plan.working_from_camera);
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

Photo open_picture(const std::filesystem::path& path, const SourceSettings& settings) {
  Photo photo;
  const auto start = Clock::now();
  const io::Picture picture = io::read_picture(path);
  const auto decoded = Clock::now();
  photo.is_raw = false;
  photo.orientation = picture.info.orientation;
  photo.warnings = picture.info.warnings;
  photo.key = source_key(hash_of(picture.rgb8.pixels) ^ hash_of(picture.rgb16.pixels) ^ hash_of(picture.rgb32f.pixels),
                         settings);
  const color::WorkingFromPicture convert(picture.info.icc);
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

Photo open_photo(const std::filesystem::path& path, const SourceSettings& settings) {
  Photo photo;
  const io::InputKind kind = io::sniff(path);
  if (kind == io::InputKind::raw) {
    photo = open_raw(path, settings);
  } else if (io::is_picture(kind)) {
    photo = open_picture(path, settings);
  } else {
    throw Error(ErrorKind::input, fmt::format("{}: neither a raw file nor a picture that can be read (JPEG, PNG, TIFF, "
                                              "WebP, AVIF, HEIF, JPEG XL)",
                                              utf8(path.filename())));
  }
  photo.name = utf8(path.filename());
  return photo;
}

}  // namespace imago::develop
