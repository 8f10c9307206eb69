// Decoders of finished pictures: JPEG, PNG, TIFF, WebP, AVIF, HEIF, JPEG XL. Grey becomes RGB, alpha is dropped,
// samples keep their encoding (what it means stands in `icc`, none: sRGB). Pixels come as stored: orientation is not
// applied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "image/image.h"

namespace imago::io {

struct PictureInfo {
  int width = 0;
  int height = 0;
  int bits = 8;         // 8, 16 or 32 (float)
  bool gray = false;    // one colour channel in the file
  bool alpha = false;   // the file has an alpha channel
  int orientation = 1;  // EXIF 1…8
  std::vector<std::byte> icc;
  std::vector<std::string> warnings;  // damage that left the picture readable
};

// Exactly one of the three images is not empty, as info.bits says.
struct Picture {
  PictureInfo info;
  Rgb8 rgb8;
  Rgb16 rgb16;
  Rgb32f rgb32f;
};

// All throw Error{input} with one line for files that are broken, truncated, unsupported (CMYK …) or absurdly large;
// `name` starts the message.
Picture read_picture(const std::filesystem::path& path);
Picture read_picture(std::span<const std::byte> bytes, const std::string& name);

// Headers only.
PictureInfo probe_picture(const std::filesystem::path& path);
PictureInfo probe_picture(std::span<const std::byte> bytes, const std::string& name);

// Packed 8-bit pixels, alpha 255, for the 360 path. A JPEG can be decoded at 1/reduce of its size (1, 2, 4, 8), which
// takes a fraction of the time; other formats ignore it. 16-bit and float pictures are rounded to 8 bits.
Rgba8 read_rgba8(const std::filesystem::path& path, int reduce = 1);
Rgba8 read_rgba8(std::span<const std::byte> bytes, const std::string& name, int reduce = 1);

}  // namespace imago::io
