#include "develop/tools/lut/lut.h"

#include <gtest/gtest.h>

#include <cmath>

namespace imago::develop {
namespace {

template <typename Entry>
color::Lut cube_of(int size, Entry&& entry) {
  color::Lut lut;
  lut.cube_size = size;
  for (int b = 0; b < size; ++b) {
    for (int g = 0; g < size; ++g) {
      for (int r = 0; r < size; ++r) {
        const float most = static_cast<float>(size - 1);
        const Rgb v =
            entry(Rgb{static_cast<float>(r) / most, static_cast<float>(g) / most, static_cast<float>(b) / most});
        lut.cube.insert(lut.cube.end(), {v.r, v.g, v.b});
      }
    }
  }
  return lut;
}

Rgb run(const color::Lut& table, Rgb v, LutSettings settings = {}) {
  const LutParams p = derive_lut(settings, &table);
  const std::vector<float> values = lut_table(p, &table);
  return lut(p, v, {.lut_table = values.data()});
}

const auto same = [](Rgb v) { return v; };

TEST(Lut, IsOffWithoutATableOrAnAmount) {
  EXPECT_EQ(derive_lut({}, nullptr).enabled, 0u);
  const color::Lut table = cube_of(2, same);
  EXPECT_EQ(derive_lut({.amount = 0}, &table).enabled, 0u);
  EXPECT_EQ(derive_lut({}, &table).enabled, 1u);
}

TEST(Lut, AnIdentityTableChangesNothingThatShows) {
  for (std::int32_t space = 0; space < static_cast<std::int32_t>(std::size(lut_spaces)); ++space) {
    for (const int size : {2, 17, 33}) {
      const color::Lut table = cube_of(size, same);
      for (const Rgb v : {Rgb{0.2f, 0.3f, 0.1f}, {0, 0, 0}, {1, 1, 1}, {0.5f, 0.45f, 0.4f}, {0.001f, 0.002f, 0.003f}}) {
        const Rgb out = run(table, v, {.space = space});
        EXPECT_NEAR(out.r, v.r, 3e-6f) << space << " " << size;
        EXPECT_NEAR(out.g, v.g, 3e-6f);
        EXPECT_NEAR(out.b, v.b, 3e-6f);
      }
    }
  }
}

TEST(Lut, TetrahedraAreExactForLinearTables) {
  const auto mix = [](Rgb v) { return Rgb{0.5f * v.r + 0.3f * v.g, 0.2f + 0.6f * v.b, 0.1f * v.r + 0.8f * v.g}; };
  const color::Lut table = cube_of(5, mix);
  for (float r = 0; r <= 1; r += 0.13f) {
    for (float g = 0; g <= 1; g += 0.17f) {
      for (float b = 0; b <= 1; b += 0.11f) {
        const Rgb out = lut_cube(table.cube.data(), 5, {r, g, b}), expected = mix({r, g, b});
        ASSERT_NEAR(out.r, expected.r, 1e-6f);
        ASSERT_NEAR(out.g, expected.g, 1e-6f);
        ASSERT_NEAR(out.b, expected.b, 1e-6f);
      }
    }
  }
}

TEST(Lut, TetrahedraByHand) {
  // Only the entry of pure red is not black: its share is the largest part minus the middle one where red leads.
  const color::Lut table = cube_of(2, [](Rgb v) { return v == Rgb{1, 0, 0} ? Rgb{1, 1, 1} : Rgb{}; });
  EXPECT_NEAR(lut_cube(table.cube.data(), 2, {0.7f, 0.4f, 0.1f}).r, 0.3f, 1e-6f);
  EXPECT_NEAR(lut_cube(table.cube.data(), 2, {0.7f, 0.1f, 0.5f}).r, 0.2f, 1e-6f);
  EXPECT_NEAR(lut_cube(table.cube.data(), 2, {0.4f, 0.7f, 0.1f}).r, 0, 1e-6f);
}

TEST(Lut, GreysStayGreyThroughATableWithGreyEntries) {
  const color::Lut table = cube_of(9, [](Rgb v) { return Rgb{v.r * v.r, v.g * v.g, v.b * v.b}; });
  for (float x = 0; x <= 1; x += 0.003f) {
    const Rgb v = run(table, {x, x, x});
    ASSERT_EQ(v.r, v.g);
    ASSERT_EQ(v.g, v.b);
  }
}

TEST(Lut, CurvesAndDomains) {
  color::Lut table;
  table.curve_size = 3;
  table.curves = {0, 0, 0, 0.25f, 0.5f, 0.75f, 1, 1, 1};
  table.curve_min = {-1, 0, 0};
  const Rgb out = run(table, {0, 0.25f, 0.25f}, {.space = static_cast<int>(LutSpace::linear)});
  const Rgb expected = [&] {  // in linear sRGB: red reads the middle, green and blue half way to it
    const LutParams p = derive_lut({.space = static_cast<int>(LutSpace::linear)}, &table);
    const Rgb in = lut_matrix(p.to_space, {0, 0.25f, 0.25f});
    return lut_matrix(p.from_space, {0.25f + 0.75f * unit(in.r), in.g, 1.5f * in.b});
  }();
  EXPECT_NEAR(out.r, expected.r, 1e-5f);
  EXPECT_NEAR(out.g, expected.g, 1e-5f);
  EXPECT_NEAR(out.b, expected.b, 1e-5f);
}

TEST(Lut, HalfTheAmountIsHalfWay) {
  const color::Lut table = cube_of(2, [](Rgb) { return Rgb{1, 1, 1}; });
  EXPECT_NEAR(run(table, {0.2f, 0.2f, 0.2f}, {.amount = 50}).g, 0.6f, 1e-5f);
}

}  // namespace
}  // namespace imago::develop
