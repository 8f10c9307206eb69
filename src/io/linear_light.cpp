#include "io/linear_light.h"

#include <algorithm>
#include <vector>

namespace imago::io {

Rgb32f linear_picture(const Rgb16& signal, CicpColor::Light light) {
  std::vector<float> linear(65536);
  for (std::size_t code = 0; code < linear.size(); ++code) {
    const float s = static_cast<float>(code) / 65535.0f;
    linear[code] = light == CicpColor::Light::pq ? linear_of_pq(s) : linear_of_hlg(s);
  }
  Rgb32f picture(signal.width, signal.height);
  std::transform(signal.pixels.begin(), signal.pixels.end(), picture.pixels.begin(),
                 [&](std::uint16_t code) { return linear[code]; });
  return picture;
}

}  // namespace imago::io
