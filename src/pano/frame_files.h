// Files of panoramas between the stages.
#pragma once

#include <filesystem>

#include "image/image.h"
#include "io/metadata/frame_metadata.h"

namespace imago::pano {

// JPEG 4:4:4 or PNG by the extension, with GPano XMP and the facts as EXIF. Throws Error{io}.
void write_panorama(const std::filesystem::path& path, const Rgba8& picture, int quality, const io::FrameFacts& facts);

// A hard link where the file system allows, else a copy, under a name that was free or is replaced. Throws Error{io}.
void link_or_copy(const std::filesystem::path& from, const std::filesystem::path& to);

// With its parents. Throws Error{io}.
void make_folder(const std::filesystem::path& folder);

// Rec.709 luma of encoded values, reduced to at most `most_width` pixels.
Plane8 luma_of(const Rgba8& picture, int most_width);

}  // namespace imago::pano
