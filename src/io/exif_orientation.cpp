#include "io/exif_orientation.h"

#include <array>
#include <cstring>

#include "io/byte_source.h"
#include "io/tiff_tags.h"

namespace imago::io {

int exif_orientation(std::span<const std::byte> exif) {
  if (exif.size() >= 6 && std::memcmp(exif.data(), "Exif\0\0", 6) == 0) exif = exif.subspan(6);
  ByteSource source(exif);
  constexpr std::uint16_t orientation = 274;
  const auto tags = TiffTags::parse(source);
  const unsigned value = tags ? tags->integer(tags->ifds().front(), orientation).value_or(1) : 1;
  return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
}

int orientation_of_container(int quarter_turns, ContainerMirror mirror) {
  constexpr std::array<std::array<int, 4>, 3> table = {{
      {1, 8, 3, 6},  // turned counter-clockwise by 0, 90, 180, 270 degrees
      {2, 7, 4, 5},  // and then left and right exchanged
      {4, 5, 2, 7},  // and then top and bottom exchanged
  }};
  return table[static_cast<std::size_t>(mirror)][static_cast<std::size_t>(quarter_turns & 3)];
}

}  // namespace imago::io
