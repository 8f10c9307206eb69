// Look-up tables from files: .cube (Adobe's Cube LUT 1.0 and Resolve's form with both kinds), HaldCLUT pictures.
#pragma once

#include <filesystem>
#include <string_view>

#include "color/lut.h"

namespace imago::io {

// By content. Throws Error{input} with one line (for text: and the line's number) for what is no table.
color::Lut read_lut(const std::filesystem::path& path);

// Text of a .cube file. Line ends of any kind, comments, unknown keywords and several domains are fine; sizes 2 … 256
// (cubes) and 2 … 65536 (curves), finite numbers, exactly as many as the size asks for.
color::Lut parse_cube(std::string_view text, const std::string& name);

}  // namespace imago::io
