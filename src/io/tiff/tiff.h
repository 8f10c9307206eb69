// TIFF through libtiff. Private to src/io: see picture_reader.h and picture_writer.h.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "io/picture_reader.h"
#include "io/picture_writer.h"

namespace imago::io {

std::unique_ptr<PictureWriter> open_tiff(std::unique_ptr<ByteSink> sink, int width, int height,
                                         const PictureOptions& options);
// A linear raw (DNG 1.4): 16-bit scene light in Rec.2020 primaries under D65, which is its camera space; neutral is
// equal samples, options.baseline_exposure_ev restores the brightness. For other developers to start from.
std::unique_ptr<PictureWriter> open_linear_dng(std::unique_ptr<ByteSink> sink, int width, int height,
                                               const PictureOptions& options);
Picture read_tiff(std::span<const std::byte> bytes, const std::string& name);
PictureInfo probe_tiff(std::span<const std::byte> bytes, const std::string& name);

}  // namespace imago::io
