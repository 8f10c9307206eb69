#include "develop/export_file.h"

#include <array>
#include <chrono>
#include <memory>

#include "base/error.h"
#include "base/path_text.h"
#include "color/icc.h"
#include "io/lut/lut_file.h"

namespace imago::develop {
namespace {

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

}  // namespace

std::shared_ptr<const color::Lut> load_lut(const LutSettings& settings) {
  if (settings.file.empty() || settings.amount == 0) return nullptr;
  return std::make_shared<const color::Lut>(io::read_lut(path_from_utf8(settings.file)));
}

Exported export_file(const std::filesystem::path& photo_path, const std::filesystem::path& file,
                     const ExportOptions& options, const CancelToken& cancel) {
  const auto start = std::chrono::steady_clock::now();
  Exported exported;
  Photo photo = open_photo(photo_path, options.render.settings.source, options.open);
  exported.warnings = photo.warnings;
  exported.decode_ms = photo.decode_ms;
  exported.source_ms = photo.source_ms;
  cancel.throw_if_cancelled();

  RenderRequest request = options.render;
  if (!request.lut) request.lut = load_lut(request.settings.lut);
  const Plan planned = plan(photo, request);
  io::PictureOptions picture;
  picture.format = options.format;
  picture.samples = options.samples;
  picture.quality = options.quality;
  picture.icc = profile_of(options.render.format);
  const bool is_srgb = options.render.format.space == OutputSpace::srgb;
  io::OutputMetadata metadata =
      io::metadata_for_output(photo_path, planned.width, planned.height, options.metadata, is_srgb);
  picture.exif = std::move(metadata.exif);
  picture.xmp = std::move(metadata.xmp);
  for (std::string& warning : metadata.warnings) exported.warnings.push_back(std::move(warning));

  const std::unique_ptr<io::PictureWriter> writer = io::open_picture(file, planned.width, planned.height, picture);
  exported.developed = develop(
      photo, request, options.samples, options.backend, nullptr,
      [&](RowRange, std::span<const std::byte> rows) { writer->write_rows(rows); }, cancel);
  writer->finish();
  exported.total_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return exported;
}

}  // namespace imago::develop
