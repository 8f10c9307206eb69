// WebP through libwebp: 8 bits, at most 16383 pixels a side. Private to src/io.
#pragma once

#include <memory>

#include "io/picture_writer.h"

namespace imago::io {

std::unique_ptr<PictureWriter> open_webp(std::unique_ptr<ByteSink> sink, int width, int height,
                                         const PictureOptions& options);

}  // namespace imago::io
