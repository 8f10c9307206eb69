// Counts over a finished 8-bit picture: histogram, clipping, waveform, vectorscope.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace imago::develop {

struct Scopes {
  static constexpr int levels = 256;
  static constexpr int columns = 256;
  std::array<std::uint32_t, levels> red{}, green{}, blue{};
  std::array<std::uint32_t, levels> luma{};  // 0.2126 R + 0.7152 G + 0.0722 B of the codes, rounded
  std::uint64_t pixels = 0;
  std::uint64_t black = 0;    // all channels 0
  std::uint64_t clipped = 0;  // a channel at 255
  // waveform[column * levels + luma]: the picture's width in 256 columns.
  std::vector<std::uint32_t> waveform = std::vector<std::uint32_t>(std::size_t{columns} * levels);
  // vectorscope[cr * levels + cb], BT.709's colour differences of the codes with 128 as zero.
  std::vector<std::uint32_t> vectorscope = std::vector<std::uint32_t>(std::size_t{levels} * levels);
};

// Whole rows, interleaved RGB, `width` pixels each. Integers: the order of rows changes nothing.
void add_rows(Scopes& scopes, std::span<const std::uint8_t> rgb, int width);

}  // namespace imago::develop
