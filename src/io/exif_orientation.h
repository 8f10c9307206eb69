// Orientation out of an EXIF block. Private to src/io.
#pragma once

#include <cstddef>
#include <span>

namespace imago::io {

// EXIF 1 … 8 of a TIFF structure, with or without "Exif\0\0" before it; 1 when it names none.
int exif_orientation(std::span<const std::byte> exif);

// EXIF orientation of a picture that its container turns counter-clockwise by `quarter_turns` and then mirrors: along
// the vertical axis (left and right change places) or the horizontal one.
enum class ContainerMirror : unsigned char { none, left_right, top_bottom };
int orientation_of_container(int quarter_turns, ContainerMirror mirror);

}  // namespace imago::io
