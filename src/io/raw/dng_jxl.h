// Pictures of DNG 1.7 that are compressed as JPEG XL (compression 52546), which LibRaw does not decode.
#pragma once

#include "io/raw/raw_image.h"
#include "io/tiff_tags.h"

namespace imago::io {

inline constexpr std::uint32_t dng_compression_jxl = 52546;

bool is_jxl_picture(const TiffTags& tags, const TiffIfd& raw_ifd);

// Fills samples or float_samples of `image`, whose width, height and layout are set, from the strips or tiles of
// `raw_ifd`: every one decoded, rows and columns put back in order where the writer sorted them by colour
// (RowInterleave- Factor, ColumnInterleaveFactor), codes through the LinearizationTable. Throws Error{input}, also
// where this program was built without libjxl. `source` is the file.
// `tolerant`: tiles that cannot be decoded are zero, unless none can.
void decode_jxl_picture(ByteSource& source, const TiffTags& tags, const TiffIfd& raw_ifd, const std::string& name,
                        bool tolerant, RawImage& image);

}  // namespace imago::io
