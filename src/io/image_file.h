// What a file is, by its content (its name only where contents cannot tell).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace imago::io {

enum class InputKind : std::uint8_t { raw, jpeg, png, tiff, webp, jxl, avif, heif, xmp, video, unknown };

std::string_view name_of(InputKind kind);

// Finished pictures, which picture_reader.h reads.
bool is_picture(InputKind kind);

// Reads the first bytes (of a TIFF: its tags). Throws Error{input} when the file cannot be opened.
InputKind sniff(const std::filesystem::path& path);

}  // namespace imago::io
