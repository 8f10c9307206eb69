// The facts of a DNG that LibRaw rounds, drops or merges, read from the tags (DNG 1.7.1, chapters 4 to 7).
#pragma once

#include <cstdint>
#include <string>

#include "io/raw/raw_image.h"
#include "io/tiff_tags.h"

namespace imago::io {

// The directory that holds the raw picture: CFA (32803) or LinearRaw (34892), full resolution first, then the largest.
// Null when there is none.
const TiffIfd* find_dng_raw_ifd(const TiffTags& tags);

// Throws Error{input}: a compression that is not decoded here, or strips and tiles that lie outside the file; with
// `tolerant` the latter only when none lies inside.
void check_dng_picture(const TiffTags& tags, const TiffIfd& raw_ifd, std::uint64_t file_size, const std::string& name,
                       bool tolerant = false);

// Names, orientation and exposure of the headers, over what LibRaw found.
void read_dng_info(const TiffTags& tags, RawInfo& info);

// Active area, default crop and pixel aspect, over those already there; image.width and height are set.
void read_dng_areas(const TiffTags& tags, const TiffIfd& raw_ifd, RawImage& image);

// Levels, areas, colour, noise and opcodes into `image`, whose width, height and layout are set. `lossy`: LibRaw has
// applied the MapPolynomial opcodes of list 2 and scaled to 16 bits, so levels stay as they are and those opcodes go.
void read_dng_picture(const TiffTags& tags, const TiffIfd& raw_ifd, bool lossy, RawImage& image);

// AsShotNeutral, else AsShotWhiteXY through the colour matrices; false when neither is usable.
bool read_dng_neutral(const TiffTags& tags, RawImage& image);

}  // namespace imago::io
