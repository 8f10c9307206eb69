// Bytes as the ICC profile of a picture, and pixels through it.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>

#include "base/error.h"
#include "color/icc.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const imago::color::WorkingFromPicture convert(std::as_bytes(std::span(data, size)));
    const std::array<std::uint8_t, 12> codes{0, 0, 0, 255, 255, 255, 1, 128, 200, 250, 3, 90};
    const std::array<float, 12> floats{0,
                                       0,
                                       0,
                                       1,
                                       1,
                                       1,
                                       std::numeric_limits<float>::quiet_NaN(),
                                       2,
                                       -1,
                                       0.5f,
                                       std::numeric_limits<float>::infinity(),
                                       0.1f};
    std::array<float, 12> out{};
    convert.convert(codes.data(), out.data(), 4);
    convert.convert(floats.data(), out.data(), 4);
    for (const float v : out) {
      if (!std::isfinite(v)) std::abort();
    }
  } catch (const imago::Error&) {
  }
  return 0;
}
