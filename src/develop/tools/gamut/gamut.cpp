#include "develop/tools/gamut/gamut.h"

namespace imago::develop {
namespace {

// Long, medium and short cone responses of linear sRGB (Ottosson), rows scaled to sum to 1.
constexpr color::Matrix3 cones_from_srgb{{0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451,
                                          0.1073969566, 0.0883024619, 0.2817188376, 0.6299787005}};

color::Matrix3 with_unit_rows(color::Matrix3 m) {
  for (int row = 0; row < 3; ++row) {
    const double sum = m(row, 0) + m(row, 1) + m(row, 2);
    for (int column = 0; column < 3; ++column) m(row, column) /= sum;
  }
  return m;
}

bool same_primaries(const color::Primaries& a, const color::Primaries& b) {
  return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

}  // namespace

GamutParams derive_gamut(const color::Primaries& output) {
  if (same_primaries(output, color::rec2020_primaries) || same_primaries(output, color::prophoto_primaries)) return {};
  const color::Matrix3 cones = with_unit_rows(cones_from_srgb * color::rgb_from_rgb(color::srgb_primaries, output));
  const color::Matrix3 rgb = color::inverse(cones);
  const auto in = [&](int row, int column) { return static_cast<float>(cones(row, column)); };
  const auto out = [&](int row, int column) { return static_cast<float>(rgb(row, column)); };
  return {.enabled = 1,
          .long_from_green = in(0, 1),
          .long_from_blue = in(0, 2),
          .medium_from_red = in(1, 0),
          .medium_from_blue = in(1, 2),
          .short_from_red = in(2, 0),
          .short_from_green = in(2, 1),
          .red_from_medium = out(0, 1),
          .red_from_short = out(0, 2),
          .green_from_long = out(1, 0),
          .green_from_short = out(1, 2),
          .blue_from_long = out(2, 0),
          .blue_from_medium = out(2, 1)};
}

}  // namespace imago::develop
