// JPEG XL through libjxl: finished pictures, and the tiles of DNG 1.7. Private to src/io.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/picture_reader.h"

namespace imago::io {

// The first frame. 8 bits stay 8, more become 16, floats stay floats; XYB pictures come in the space that they name.
Picture read_jxl(std::span<const std::byte> bytes, const std::string& name);
PictureInfo probe_jxl(std::span<const std::byte> bytes, const std::string& name);

// Samples as they stand in the codestream, colour not interpreted: integers of `bits` bits, or floats.
struct JxlSamples {
  int width = 0, height = 0;
  int channels = 1;  // colour channels: 1 or 3
  int bits = 16;
  std::vector<std::uint16_t> codes;  // one of the two is empty
  std::vector<float> floats;
};
// Throws Error{input}; also for a picture of more than `most_pixels`.
JxlSamples decode_jxl_samples(std::span<const std::byte> bytes, std::uint64_t most_pixels, const std::string& name);

}  // namespace imago::io
