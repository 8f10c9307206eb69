#include "develop/synthetic_photo.h"

#include <cmath>

#include "base/hash.h"

namespace imago::develop {

Photo synthetic_photo(int width, int height) {
  Photo photo;
  photo.name = "synthetic";
  photo.key = 1;
  photo.source = Rgb32f(width, height);
  for (int y = 0; y < height; ++y) {
    float* row = photo.source.row(y);
    for (int x = 0; x < width; ++x) {
      const double hue = 6.2831853 * x / width;
      const double light = std::exp2(2.0 - 12.0 * y / height);
      for (int k = 0; k < 3; ++k) {
        const std::uint64_t bits = mix64(static_cast<std::uint64_t>((y * width + x) * 3 + k));
        const double grain = 0.9 + 0.2 * static_cast<double>(bits >> 40) * 0x1p-24;
        const bool burnt = std::hypot(4 * x - width, 4 * y - height) < width / 6.0;
        const double colour = 1 + 0.8 * std::cos(hue + 2.0943951 * k);
        row[3 * x + k] = static_cast<float>(burnt ? 40 : light * colour * grain);
      }
    }
  }
  return photo;
}

}  // namespace imago::develop
