// One photo to one picture file.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "develop/develop.h"
#include "io/metadata/metadata.h"

namespace imago::develop {

struct ExportOptions {
  RenderRequest render;
  OpenOptions open;
  io::FileFormat format = io::FileFormat::jpeg;
  io::SampleType samples = io::SampleType::u8;
  int quality = 92;
  io::MetadataPolicy metadata = io::MetadataPolicy::all;
  Backend backend = Backend::automatic;
};

struct Exported {
  Developed developed;
  double decode_ms = 0, source_ms = 0, total_ms = 0;
  std::vector<std::string> warnings;
};

// The table that the settings name; null for none. Throws Error{input} when the file is missing or no table.
std::shared_ptr<const color::Lut> load_lut(const LutSettings& settings);

// Opens, develops, encodes with an ICC profile and the source's metadata. The file appears whole or not at all. Throws
// Error{input} (photo), Error{io} (file), Error{gpu} (Backend::gpu), Cancelled.
Exported export_file(const std::filesystem::path& photo, const std::filesystem::path& file,
                     const ExportOptions& options, const CancelToken& cancel = {});

}  // namespace imago::develop
