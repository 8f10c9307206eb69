#include "develop/scopes.h"

#include <algorithm>

namespace imago::develop {
namespace {

// In 65536ths; the weights of luma sum to 65536.
int luma_of(int red, int green, int blue) { return (13933 * red + 46871 * green + 4732 * blue + 32768) >> 16; }

// (blue - luma) / 1.8556 + 128 and (red - luma) / 1.5748 + 128, rounded.
int difference(int channel, int luma, int factor) {
  return std::clamp(((channel - luma) * factor + (128 << 16) + 32768) >> 16, 0, 255);
}

}  // namespace

void add_rows(Scopes& scopes, std::span<const std::uint8_t> rgb, int width) {
  if (width <= 0) return;
  const std::size_t row_samples = 3 * static_cast<std::size_t>(width);
  for (std::size_t start = 0; start + row_samples <= rgb.size(); start += row_samples) {
    for (int x = 0; x < width; ++x) {
      const std::uint8_t* pixel = rgb.data() + start + 3 * static_cast<std::size_t>(x);
      const int red = pixel[0], green = pixel[1], blue = pixel[2];
      const int luma = luma_of(red, green, blue);
      ++scopes.red[pixel[0]];
      ++scopes.green[pixel[1]];
      ++scopes.blue[pixel[2]];
      ++scopes.luma[static_cast<std::size_t>(luma)];
      const auto column = static_cast<std::size_t>(static_cast<std::int64_t>(x) * Scopes::columns / width);
      ++scopes.waveform[column * Scopes::levels + static_cast<std::size_t>(luma)];
      const auto cb = static_cast<std::size_t>(difference(blue, luma, 35318));
      const auto cr = static_cast<std::size_t>(difference(red, luma, 41615));
      ++scopes.vectorscope[cr * Scopes::levels + cb];
      scopes.black += red == 0 && green == 0 && blue == 0 ? 1 : 0;
      scopes.clipped += red == 255 || green == 255 || blue == 255 ? 1 : 0;
      ++scopes.pixels;
    }
  }
}

}  // namespace imago::develop
