// Pictures for the tests of stages.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/hash.h"
#include "image/image.h"

namespace imago::develop {

template <typename T, int channels>
Image<T, channels> copy_of(const Image<T, channels>& source) {
  Image<T, channels> out(source.width, source.height);
  std::copy(source.pixels.begin(), source.pixels.end(), out.pixels.begin());
  return out;
}

template <typename T, int channels>
bool same_bits(const Image<T, channels>& a, const Image<T, channels>& b) {
  return a.width == b.width && a.height == b.height &&
         std::memcmp(a.pixels.data(), b.pixels.data(), a.pixels.size() * sizeof(T)) == 0;
}

// 0 … 1, the same on every machine.
inline float random_unit(std::uint64_t seed) { return static_cast<float>(mix64(seed) >> 40) * 0x1p-24f; }

inline Rgb32f noise_picture(int width, int height, std::uint64_t seed) {
  Rgb32f picture(width, height);
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) picture.pixels[i] = random_unit(seed * 0x100000000u + i);
  return picture;
}

// Smooth areas over twelve stops, a hard edge, noise and a few odd values: what a base layer has to deal with.
inline Rgb32f scene_picture(int width, int height, std::uint64_t seed) {
  Rgb32f picture(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float u = (static_cast<float>(x) + 0.5f) / static_cast<float>(width);
      const float v = (static_cast<float>(y) + 0.5f) / static_cast<float>(height);
      const float edge = u + 0.3f * v > 0.6f ? 4.0f : 0.0f;
      const float level = std::exp2(-7.0f + 5.0f * v + edge);
      for (int c = 0; c < 3; ++c) {
        const auto index = static_cast<std::uint64_t>((y * width + x) * 3 + c);
        picture.at(x, y)[c] = level * (0.7f + 0.6f * random_unit(seed * 0x100000000u + index));
      }
    }
  }
  return picture;
}

}  // namespace imago::develop
