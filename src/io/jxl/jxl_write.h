// JPEG XL through libjxl: 8 or 16 bits, or floats. Private to src/io.
#pragma once

#include <memory>

#include "io/picture_writer.h"

namespace imago::io {

std::unique_ptr<PictureWriter> open_jxl(std::unique_ptr<ByteSink> sink, int width, int height,
                                        const PictureOptions& options);

}  // namespace imago::io
