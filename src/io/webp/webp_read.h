// WebP through libwebp: the first frame, 8 bits. Private to src/io.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "io/picture_reader.h"

namespace imago::io {

Picture read_webp(std::span<const std::byte> bytes, const std::string& name);
PictureInfo probe_webp(std::span<const std::byte> bytes, const std::string& name);

}  // namespace imago::io
