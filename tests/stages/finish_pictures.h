// What finish has to cope with, for the tests of its mirror.
#pragma once

#include <limits>
#include <vector>

#include "develop/stages/test_picture.h"

namespace imago::develop {

struct FinishPictures {
  Rgb32f scene;
  Plane base;
  std::vector<std::uint32_t> masks;  // two words a pixel
};

// Twelve stops, saturated and muted colours, colours beyond the working space and values that are no light at all.
inline FinishPictures finish_pictures(int width, int height) {
  FinishPictures out{scene_picture(width, height, 7), Plane(width, height), {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      float* pixel = out.scene.at(x, y);
      const auto index = static_cast<std::uint64_t>(y * width + x);
      const float saturation = 2.2f * random_unit(index * 3 + 1);
      const float grey = (pixel[0] + pixel[1] + pixel[2]) / 3;
      for (int c = 0; c < 3; ++c) pixel[c] = grey + saturation * 2 * (pixel[c] - grey);
      *out.base.at(x, y) = std::log2(std::max(grey, 1e-4f)) + random_unit(index * 3 + 2);
      out.masks.push_back(static_cast<std::uint32_t>(mix64(index)));
      out.masks.push_back(static_cast<std::uint32_t>(mix64(index) >> 32));
    }
  }
  constexpr float inf = std::numeric_limits<float>::infinity();
  const float odd[] = {0, -0.0f, 1e-40f, 0.18f, 1, -1, 65504, 1e30f, -1e30f, inf, -inf, std::nanf("")};
  for (int i = 0; i < std::min(width * height, 12 * 12); ++i) {
    float* pixel = out.scene.pixels.data() + 3 * i;
    pixel[0] = odd[i % 12];
    pixel[1] = odd[i / 12];
    pixel[2] = 0.2f;
  }
  return out;
}

}  // namespace imago::develop
