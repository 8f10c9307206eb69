// Opens raw files through LibRaw (open and unpack only) and, for DNG, the tags themselves.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "io/raw/raw_image.h"

namespace imago::io {

struct RawReadOptions {
  int frame = 0;               // of files that hold several exposures: 0 … RawInfo::frames - 1
  bool allow_damaged = false;  // truncated and damaged data: what can be decoded comes, the rest is black and named in
                               // a warning
};

// Decodes on the calling thread. Throws Error{usage} for a frame that the file does not
// hold, Error{input} with one line ("IMG.CR3: truncated raw data …") for files that
// are broken, unsupported or hold no picture, Error{memory} when the picture does not fit.
RawImage read_raw(const std::filesystem::path& path, const RawReadOptions& options = {});
RawImage read_raw(std::span<const std::byte> bytes, const std::string& name, const RawReadOptions& options = {});

// Headers only: no sample is decoded. Same errors.
RawInfo probe_info(const std::filesystem::path& path);

// By content: does the file begin as a raw file does? A TIFF counts when it carries DNG or maker tags.
bool looks_like_raw(const std::filesystem::path& path);

}  // namespace imago::io
