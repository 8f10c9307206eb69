// What a decoder allocates for before it has seen a pixel: files made to exhaust memory are refused here.
#pragma once

#include <cstdint>
#include <string>

namespace imago::io {

inline constexpr std::uint64_t most_picture_side = 300000;
inline constexpr std::uint64_t most_picture_pixels = std::uint64_t{1} << 29;
// A flat picture compresses 1000 : 1 by deflate, 8000 pixels a byte with some room.
inline constexpr std::uint64_t most_pixels_per_byte = 8192;

// Throws Error{input}.
void check_picture_size(std::uint64_t width, std::uint64_t height, std::uint64_t file_bytes, const std::string& name);

}  // namespace imago::io
