// One photo to one picture file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "color/output_profile.h"
#include "develop/develop.h"
#include "develop/stages/output_sharpen/output_sharpen.h"
#include "io/metadata/metadata.h"

namespace imago::develop {

struct ExportOptions {
  RenderRequest render;
  OpenOptions open;

  // The file: see io::PictureOptions.
  io::FileFormat format = io::FileFormat::jpeg;
  io::SampleType samples = io::SampleType::u8;
  int bits = 8;  // AVIF
  int quality = 92;
  bool lossless = false;
  io::ChromaSampling sampling = io::ChromaSampling::automatic;
  bool progressive = false;
  int compression = 1;
  double pixels_per_inch = 300;

  // The bytes of an ICC profile take the place of render.format.space when there are any. The built-in spaces are
  // matrices, to which ICC.1 gives one intent only.
  std::vector<std::byte> profile = {};
  std::string profile_name = {};  // for messages
  color::RenderingIntent intent = color::RenderingIntent::relative;
  bool black_point_compensation = true;

  SharpenFor sharpen_for = SharpenFor::none;
  SharpenAmount sharpen_amount = SharpenAmount::standard;

  io::MetadataPolicy metadata = io::MetadataPolicy::all;
  io::MetadataWishes wishes = {};
  Backend backend = Backend::automatic;
};

struct Exported {
  Developed developed;
  double decode_ms = 0, source_ms = 0;
  double encode_ms = 0;  // after the last row was finished
  double total_ms = 0;
  std::uintmax_t file_bytes = 0;
  std::vector<std::string> warnings;
};

// The table that the settings name; null for none. Throws Error{input} when the file is missing or no table.
std::shared_ptr<const color::Lut> load_lut(const LutSettings& settings);

// Opens, develops, encodes with an ICC profile and the source's metadata. The file appears whole or not at all.
// FileFormat::dng holds the scene before its look: decoding, white balance and geometry of the settings, in 16 bits two
// stops under, so that highlights stay.
// Throws Error{input} (photo), Error{io} (file), Error{usage} (what the format or the profile cannot do), Error{gpu}
// (Backend::gpu), Cancelled.
Exported export_file(const std::filesystem::path& photo, const std::filesystem::path& file,
                     const ExportOptions& options, const CancelToken& cancel = {});

// What export_file will need at its peak, in bytes, judged by the photo's headers; a guess for what cannot be read.
std::size_t export_bytes(const std::filesystem::path& photo, const ExportOptions& options);

}  // namespace imago::develop
