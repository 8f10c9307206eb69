// Metadata of pictures that this program makes from a video or a panorama, rather than copies.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "io/raw/raw_image.h"

namespace imago::io {

struct FrameFacts {
  std::string time;  // "2024-05-31 14:03:07.250", "" when not known
  std::optional<RawGps> place;
  double focal_length_35mm_mm = 0;  // 0: none, as of a panorama
};

// A TIFF structure for PictureOptions::exif. Never an Orientation: COLMAP takes one for the direction of gravity, which
// is wrong for a face that looks up.
std::vector<std::byte> exif_of_frame(const FrameFacts& facts);

// A packet for PictureOptions::xmp that says equirectangular, whole sphere, level.
std::vector<std::byte> xmp_of_panorama(int width, int height);

}  // namespace imago::io
