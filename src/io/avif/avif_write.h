// AVIF through libavif: 8, 10 or 12 bits (u16 samples use their whole range), at most 65536 pixels a side. Private to
// src/io.
#pragma once

#include <memory>

#include "io/picture_writer.h"

namespace imago::io {

std::unique_ptr<PictureWriter> open_avif(std::unique_ptr<ByteSink> sink, int width, int height,
                                         const PictureOptions& options);

}  // namespace imago::io
