// Bytes as a .cube file, and its colours on some pixels.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "develop/tools/lut/lut.h"
#include "io/lut/lut_file.h"

using namespace imago;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const color::Lut table = io::parse_cube({reinterpret_cast<const char*>(data), size}, "fuzz");
    for (std::int32_t space = 0; space < static_cast<std::int32_t>(std::size(develop::lut_spaces)); ++space) {
      const develop::LutParams params = develop::derive_lut({.space = space}, &table);
      const std::vector<float> values = develop::lut_table(params, &table);
      const develop::Pixel at{.lut_table = values.data()};
      for (const color::Rgb v : {color::Rgb{0.2f, 0.1f, 0.7f}, {-0.1f, 3, 0.5f}, {0, 0, 0}, {1, 1, 1}}) {
        const color::Rgb out = develop::lut(params, v, at);
        if (!std::isfinite(out.r) || !std::isfinite(out.g) || !std::isfinite(out.b)) std::abort();
      }
    }
  } catch (const Error&) {
  }
  return 0;
}
