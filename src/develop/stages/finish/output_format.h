// What leaves finish: space, light and rounding of the output.
#pragma once

#include <cstdint>
#include <string_view>

#include "color/matrix.h"
#include "develop/tools/encode/transfer.h"

namespace imago::develop {

enum class OutputSpace : std::int32_t { srgb, p3, adobe_rgb, prophoto, rec2020 };
inline constexpr std::string_view output_spaces[] = {"srgb", "p3", "adobe_rgb", "prophoto", "rec2020"};

struct OutputFormat {
  OutputSpace space = OutputSpace::srgb;
  bool linear_light = false;  // leave the transfer curve out: for measurements and for linear files
  bool dither = true;         // 8-bit codes only
  std::uint32_t dither_seed = 0;
  std::int32_t show_point_color = -1;  // the sample of point_color whose range is to be seen, all else grey
};

color::Primaries primaries_of(OutputSpace space);

// P3 means Display P3: the primaries of P3, D65, the transfer of sRGB.
Transfer transfer_of(OutputSpace space);

}  // namespace imago::develop
