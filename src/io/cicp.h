// Colour by the code points of ITU-T H.273, which AVIF and HEIF carry instead of a profile. Private to src/io.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace imago::io {

// How the samples of a picture are to be understood: an ICC profile, or light beyond a profile's reach.
struct CicpColor {
  std::vector<std::byte> icc;  // empty: sRGB
  enum class Light : unsigned char { encoded, pq, hlg } light = Light::encoded;
  std::string warning;  // code points that are not known here
};

CicpColor color_of_cicp(int primaries, int transfer);

// Linear light of a PQ (SMPTE ST 2084) or HLG (ARIB STD-B67) signal 0 … 1; 1 is the white of paper, 203 cd/m² (ITU-R
// BT.2408). HLG as seen on a display of 1000 cd/m², its system gamma applied to each channel.
float linear_of_pq(float signal);
float linear_of_hlg(float signal);

}  // namespace imago::io
