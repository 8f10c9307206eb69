// AVIF through libavif: the first frame. Private to src/io.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "io/picture_reader.h"

namespace imago::io {

// 8 bits stay 8, 10 and 12 become 16; PQ and HLG become linear floats, 1 for the white of paper.
Picture read_avif(std::span<const std::byte> bytes, const std::string& name);
PictureInfo probe_avif(std::span<const std::byte> bytes, const std::string& name);

}  // namespace imago::io
