// Opens raw files through LibRaw (open and unpack only) and, for DNG, the tags themselves.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "io/raw/raw_image.h"

namespace imago::io {

// Decodes on the calling thread. Throws Error{input} with one line ("IMG.CR3: truncated raw data …") for files that
// are broken, unsupported or hold no picture, Error{memory} when the picture does not fit.
RawImage read_raw(const std::filesystem::path& path);
RawImage read_raw(std::span<const std::byte> bytes, const std::string& name);

// Headers only: no sample is decoded. Same errors.
RawInfo probe_info(const std::filesystem::path& path);

// By content: does the file begin as a raw file does? A TIFF counts when it carries DNG or maker tags.
bool looks_like_raw(const std::filesystem::path& path);

}  // namespace imago::io
