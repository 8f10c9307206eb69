#include "develop/export_file.h"

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/path_text.h"
#include "color/icc.h"
#include "develop/output_rows.h"
#include "io/image_file.h"
#include "io/lut/lut_file.h"
#include "io/picture_reader.h"
#include "io/raw/read_raw.h"

namespace imago::develop {
namespace {

using Clock = std::chrono::steady_clock;

constexpr float dng_headroom_ev = 2;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The profile that says what finish wrote.
std::vector<std::byte> profile_of(const OutputFormat& format) {
  struct Space {
    color::Transfer transfer;
    const char* name;
  };
  constexpr std::array<Space, 5> spaces = {{{color::Transfer::srgb, "sRGB"},
                                            {color::Transfer::srgb, "Display P3"},
                                            {color::Transfer::adobe_rgb, "Adobe RGB compatible"},
                                            {color::Transfer::prophoto, "ProPhoto RGB compatible"},
                                            {color::Transfer::rec709, "Rec. 2020"}}};
  const Space& space = spaces[static_cast<std::size_t>(format.space)];
  const color::Transfer transfer = format.linear_light ? color::Transfer::linear : space.transfer;
  return color::icc_profile(primaries_of(format.space), transfer,
                            std::string(space.name) + (format.linear_light ? " linear" : ""));
}

// The scene before its look, for FileFormat::dng.
RenderRequest scene_request(const RenderRequest& request) {
  RenderRequest scene = request;
  scene.settings = Settings{};
  scene.settings.source = request.settings.source;
  scene.settings.geometry = request.settings.geometry;
  scene.settings.white_balance = request.settings.white_balance;
  scene.settings.look.display = static_cast<std::int32_t>(DisplayCurve::linear);
  scene.settings.exposure.ev = -dng_headroom_ev;
  scene.format = {.space = OutputSpace::rec2020, .linear_light = true, .dither = false};
  return scene;
}

RenderRequest request_of(const ExportOptions& options) {
  if (options.format == io::FileFormat::dng) return scene_request(options.render);
  RenderRequest request = options.render;
  if (!options.profile.empty()) {
    request.format.space = OutputSpace::rec2020;
    request.format.linear_light = false;
  }
  return request;
}

io::PictureOptions picture_options(const std::filesystem::path& photo, const ExportOptions& options,
                                   const RenderRequest& request, const Plan& plan, std::vector<std::string>& warnings) {
  io::PictureOptions picture;
  picture.format = options.format;
  picture.samples = options.samples;
  picture.bits = options.bits;
  picture.quality = options.quality;
  picture.lossless = options.lossless;
  picture.sampling = options.sampling;
  picture.progressive = options.progressive;
  picture.compression = options.compression;
  picture.pixels_per_inch = options.pixels_per_inch;
  picture.baseline_exposure_ev = static_cast<double>(dng_headroom_ev);
  picture.icc = options.profile.empty() ? profile_of(request.format) : options.profile;
  const bool is_srgb = options.profile.empty() && request.format.space == OutputSpace::srgb;
  io::MetadataWishes wishes = options.wishes;
  constexpr std::size_t most_without_markers = std::size_t{16} << 20;
  if (options.format != io::FileFormat::jpeg) wishes.most_blob_bytes = most_without_markers;
  io::OutputMetadata metadata =
      io::metadata_for_output(photo, plan.width, plan.height, options.metadata, is_srgb, wishes);
  picture.exif = std::move(metadata.exif);
  picture.xmp = std::move(metadata.xmp);
  picture.iptc = std::move(metadata.iptc);
  for (std::string& warning : metadata.warnings) warnings.push_back(std::move(warning));
  return picture;
}

}  // namespace

std::shared_ptr<const color::Lut> load_lut(const LutSettings& settings) {
  if (settings.file.empty() || settings.amount == 0) return nullptr;
  return std::make_shared<const color::Lut>(io::read_lut(path_from_utf8(settings.file)));
}

Exported export_file(const std::filesystem::path& photo_path, const std::filesystem::path& file,
                     const ExportOptions& options, const CancelToken& cancel) {
  const auto start = Clock::now();
  Exported exported;
  std::optional<color::OutputProfile> profile;
  if (!options.profile.empty() && options.format != io::FileFormat::dng) {
    profile.emplace(options.profile, options.intent, options.black_point_compensation, options.profile_name);
  }
  Photo photo = open_photo(photo_path, options.render.settings.source, options.open);
  exported.warnings = photo.warnings;
  exported.decode_ms = photo.decode_ms;
  exported.source_ms = photo.source_ms;
  cancel.throw_if_cancelled();

  RenderRequest request = request_of(options);
  if (!request.lut) request.lut = load_lut(request.settings.lut);
  const Plan planned = plan(photo, request);
  const io::PictureOptions picture = picture_options(photo_path, options, request, planned, exported.warnings);
  const std::unique_ptr<io::PictureWriter> writer = io::open_picture(file, planned.width, planned.height, picture);
  const SharpenFor medium = options.format == io::FileFormat::dng ? SharpenFor::none : options.sharpen_for;
  OutputRows rows(*writer, planned.width, planned.height, options.samples, planned.finish.params.dither,
                  plan_output_sharpen(medium, options.sharpen_amount, options.pixels_per_inch),
                  profile ? &*profile : nullptr);
  exported.developed = develop(
      photo, request, rows.rendered(), options.backend, nullptr,
      [&](RowRange range, std::span<const std::byte> samples) { rows.take(range, samples); }, cancel);
  cancel.throw_if_cancelled();
  const auto developed = Clock::now();
  writer->finish();
  exported.encode_ms = ms_since(developed);
  std::error_code ignored;
  exported.file_bytes = std::filesystem::file_size(file, ignored);
  if (ignored) exported.file_bytes = 0;
  exported.total_ms = ms_since(start);
  return exported;
}

std::size_t export_bytes(const std::filesystem::path& photo, const ExportOptions& options) {
  constexpr std::size_t program = std::size_t{60} << 20;
  constexpr std::size_t unknown = std::size_t{600} << 20;
  // Estimated from what is alive at the peak: mosaic and linear floats together, with the demosaic's bands.
  constexpr std::size_t raw_bytes_per_pixel = 24;
  constexpr std::size_t picture_bytes_per_pixel = 18;
  // Encoders that want the whole picture work in floats of their own.
  constexpr std::size_t whole_picture_bytes_per_pixel = 30;
  try {
    std::size_t pixels = 0, per_pixel = 0;
    if (io::sniff(photo) == io::InputKind::raw) {
      const io::RawInfo info = io::probe_info(photo);
      pixels = static_cast<std::size_t>(info.width) * static_cast<std::size_t>(info.height);
      per_pixel = raw_bytes_per_pixel;
    } else {
      const io::PictureInfo info = io::probe_picture(photo);
      pixels = static_cast<std::size_t>(info.width) * static_cast<std::size_t>(info.height);
      per_pixel = picture_bytes_per_pixel;
    }
    if (io::needs_whole_picture(options.format)) per_pixel += whole_picture_bytes_per_pixel;
    return program + pixels * per_pixel;
  } catch (const Error&) {
    return unknown;
  }
}

}  // namespace imago::develop
