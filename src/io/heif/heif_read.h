// HEIF (HEIC of phones and cameras) through libheif: the primary picture. Private to src/io.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "io/picture_reader.h"

namespace imago::io {

// Comes upright: the container's turns and crops are applied by libheif. 8 bits stay 8, more become 16; PQ and HLG
// become linear floats.
Picture read_heif(std::span<const std::byte> bytes, const std::string& name);
PictureInfo probe_heif(std::span<const std::byte> bytes, const std::string& name);

}  // namespace imago::io
