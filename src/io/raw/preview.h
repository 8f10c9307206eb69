// The finished picture that cameras put beside the raw data.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "image/image.h"

namespace imago::io {

struct EmbeddedPreview {
  std::vector<std::byte> jpeg;  // as it stands in the file; empty when the preview is stored as plain pixels
  Rgb8 pixels;                  // those, sRGB; empty when `jpeg` is not
  int width = 0;
  int height = 0;
  int orientation = 1;  // EXIF 1…8, still to be applied
};

// The largest preview that can be read; no raw sample is decoded. Empty when the file holds none. Throws Error{input}
// for files that are no raw.
std::optional<EmbeddedPreview> read_preview(const std::filesystem::path& path);
std::optional<EmbeddedPreview> read_preview(std::span<const std::byte> bytes, const std::string& name);

// A JPEG of the preview turned upright: the file's own bytes where there is nothing to turn, else made anew. Throws
// Error{input} when the embedded JPEG is damaged.
std::vector<std::byte> upright_jpeg(const EmbeddedPreview& preview, const std::string& name, int quality = 92);

}  // namespace imago::io
