// JPEG through libjpeg-turbo. Private to src/io: see picture_reader.h and picture_writer.h.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "io/picture_reader.h"
#include "io/picture_writer.h"

namespace imago::io {

std::unique_ptr<PictureWriter> open_jpeg(std::unique_ptr<ByteSink> sink, int width, int height,
                                         const PictureOptions& options);
Picture read_jpeg(std::span<const std::byte> bytes, const std::string& name);
PictureInfo probe_jpeg(std::span<const std::byte> bytes, const std::string& name);
Rgba8 read_jpeg_rgba8(std::span<const std::byte> bytes, const std::string& name, int reduce);

}  // namespace imago::io
