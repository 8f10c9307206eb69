#include "io/raw/dng_opcodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/raw/bad_pixels.h"
#include "io/raw/read_raw.h"
#include "io/test_files.h"
#include "io/test_opcodes.h"
#include "io/test_tiff.h"

namespace imago::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<DngOpcode> parse(const TestOpcodes& list) {
  std::vector<std::string> warnings;
  auto opcodes = parse_opcodes(list.bytes(), 2, warnings);
  EXPECT_THAT(warnings, IsEmpty());
  return opcodes;
}

std::string warning_of(const std::vector<std::uint8_t>& list) {
  std::vector<std::string> warnings;
  EXPECT_THAT(parse_opcodes(list, 3, warnings), IsEmpty());
  return warnings.empty() ? "" : warnings.front();
}

TEST(DngOpcodes, AGainMapHasItsPointsRowByRow) {
  const auto opcodes = parse(TestOpcodes()
                                 .begin(9)
                                 .area(0, 1, 100, 200, 0, 1, 2, 2)
                                 .u32({2, 3})
                                 .f64({1, 0.5, 0.25, 0.125})
                                 .u32({1})
                                 .f32({1, 2, 3, 4, 5, 6}));
  ASSERT_EQ(opcodes.size(), 1u);
  const auto& map = std::get<GainMap>(opcodes[0]);
  EXPECT_EQ(map.area.left, 1);
  EXPECT_EQ(map.area.column_pitch, 2u);
  EXPECT_EQ(map.rows, 2);
  EXPECT_EQ(map.columns, 3);
  EXPECT_EQ(map.spacing_h, 0.5);
  EXPECT_EQ(map.origin_v, 0.25);
  EXPECT_EQ(map.gain(1, 2, 0), 6);
}

TEST(DngOpcodes, WarpsKeepASetForEachPlane) {
  const auto opcodes = parse(TestOpcodes()
                                 .begin(1)
                                 .u32({3})
                                 .f64({1, -0.1, 0.02, 0, 0.001, -0.001})
                                 .f64({1.0001, -0.1, 0.02, 0, 0, 0})
                                 .f64({0.9999, -0.1, 0.02, 0, 0, 0})
                                 .f64({0.5, 0.45})
                                 .begin(3)
                                 .f64({0.3, 0.1, 0, 0, -0.02, 0.5, 0.5}));
  ASSERT_EQ(opcodes.size(), 2u);
  const auto& warp = std::get<WarpRectilinear>(opcodes[0]);
  ASSERT_EQ(warp.planes.size(), 3u);
  EXPECT_THAT(warp.planes[0].radial, ElementsAre(1, -0.1, 0.02, 0));
  EXPECT_THAT(warp.planes[0].tangential, ElementsAre(0.001, -0.001));
  EXPECT_EQ(warp.planes[2].radial[0], 0.9999);
  EXPECT_EQ(warp.center_y, 0.45);
  EXPECT_EQ(std::get<FixVignetteRadial>(opcodes[1]).k[4], -0.02);
}

TEST(DngOpcodes, TheSecondKindOfWarpHasItsRangeAndMayBeReciprocal) {
  TestOpcodes list;
  list.begin(14).u32({1});
  for (int i = 0; i < 15; ++i) list.f64({i == 0 ? 1.0 : 0.01 * i});
  list.f64({0, 0, 0, 0.9, 0.5, 0.5}).u32({1});
  const auto opcodes = parse(list);
  ASSERT_EQ(opcodes.size(), 1u);
  const auto& warp = std::get<WarpRectilinear2>(opcodes[0]);
  EXPECT_EQ(warp.planes[0].radial[14], 0.14);
  EXPECT_EQ(warp.planes[0].most_radius, 0.9);
  EXPECT_TRUE(warp.reciprocal);
}

TEST(DngOpcodes, TablesPolynomialsAndTermsOfRowsAndColumns) {
  const auto opcodes = parse(TestOpcodes()
                                 .begin(7)
                                 .area(0, 0, 4, 4)
                                 .u32({3})
                                 .u16({0, 1000, 65535})
                                 .begin(8)
                                 .area(0, 0, 4, 4)
                                 .u32({2})
                                 .f64({0, 0.5, 0.5})
                                 .begin(10)
                                 .area(0, 0, 4, 4, 0, 1, 2, 1)
                                 .u32({2})
                                 .f32({0.1f, 0.2f})
                                 .begin(13)
                                 .area(0, 0, 4, 4)
                                 .u32({4})
                                 .f32({1, 2, 3, 4}));
  ASSERT_EQ(opcodes.size(), 4u);
  EXPECT_THAT(std::get<MapTable>(opcodes[0]).table, ElementsAre(0, 1000, 65535));
  EXPECT_THAT(std::get<MapPolynomial>(opcodes[1]).coefficients, ElementsAre(0, 0.5, 0.5));
  EXPECT_EQ(std::get<RowColumnTerm>(opcodes[2]).kind, RowColumnTerm::Kind::delta_per_row);
  EXPECT_THAT(std::get<RowColumnTerm>(opcodes[3]).amounts, ElementsAre(1, 2, 3, 4));
}

TEST(DngOpcodes, WhatIsDamagedOrUnknownIsSaid) {
  EXPECT_THAT(warning_of(TestOpcodes().begin(9).area(0, 0, 4, 4).u32({2, 2}).bytes()), HasSubstr("9 is damaged"));
  // a map of four billion points
  EXPECT_THAT(
      warning_of(
          TestOpcodes().begin(9).area(0, 0, 4, 4).u32({65535, 65535}).f64({1, 1, 0, 0}).u32({1}).f32({1}).bytes()),
      HasSubstr("9 is damaged"));
  EXPECT_THAT(warning_of(TestOpcodes().begin(10).area(0, 0, 4, 4).u32({1}).f32({1}).bytes()), HasSubstr("damaged"));
  EXPECT_THAT(warning_of(TestOpcodes().begin(8).area(0, 0, 4, 4, 0, 1, 0, 1).u32({0}).f64({1}).bytes()),
              HasSubstr("damaged"));
  EXPECT_THAT(warning_of(TestOpcodes().begin(77).u32({1}).bytes()), HasSubstr("OpcodeList3: correction 77 is unknown"));
  EXPECT_EQ(warning_of(TestOpcodes().begin(77, true).u32({1}).bytes()), "");
  auto cut = TestOpcodes().begin(4).u32({0, 0}).begin(4).u32({0, 0}).bytes();
  cut.resize(cut.size() - 3);
  std::vector<std::string> warnings;
  EXPECT_EQ(parse_opcodes(cut, 1, warnings).size(), 1u);
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("ends in the middle")));
}

TEST(DngOpcodes, AnyBytesAreSurvived) {
  const std::vector<std::uint8_t> list = TestOpcodes()
                                             .begin(9)
                                             .area(0, 0, 40, 40)
                                             .u32({2, 2})
                                             .f64({1, 1, 0, 0})
                                             .u32({1})
                                             .f32({1, 2, 3, 4})
                                             .begin(5)
                                             .u32({0, 1, 1, 3, 4, 1, 1, 3, 3})
                                             .bytes();
  const auto bytes = std::as_bytes(std::span(list));
  with_damaged_copies({bytes.begin(), bytes.end()}, 2000, [](std::span<const std::byte> damaged) {
    std::vector<std::uint8_t> copy;
    for (const std::byte b : damaged) copy.push_back(std::to_integer<std::uint8_t>(b));
    std::vector<std::string> warnings;
    parse_opcodes(copy, 2, warnings);
  });
}

// Codes of a smooth surface, a colour each its own level.
std::vector<std::uint16_t> smooth_mosaic(int width, int height) {
  std::vector<std::uint16_t> samples(static_cast<std::size_t>(width * height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int colour = y % 2 == 0 ? x % 2 : 1 + x % 2;
      samples[static_cast<std::size_t>(y * width + x)] =
          static_cast<std::uint16_t>(1000 + 3000 * colour + 8 * x + 4 * y);
    }
  }
  return samples;
}

TEST(BadPixels, ThoseOfTheListsAreFilledByTheirOwnColour) {
  constexpr int width = 64, height = 48;
  const auto good = smooth_mosaic(width, height);
  auto samples = good;
  const std::vector<std::pair<int, int>> points = {{10, 10}, {11, 10}, {31, 20}, {0, 0}, {63, 47}};
  TestOpcodes list;
  list.begin(5).u32({0, static_cast<std::uint32_t>(points.size()), 1});
  for (const auto& [x, y] : points) {
    samples[static_cast<std::size_t>(y * width + x)] = 65000;
    list.u32({static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(x)});
  }
  list.u32({30, 40, 33, 42});  // an area of 3 × 2
  for (int y = 30; y < 33; ++y) {
    for (int x = 40; x < 42; ++x) samples[static_cast<std::size_t>(y * width + x)] = 65000;
  }
  samples[20 * width + 50] = 77;  // dead, by its code
  list.begin(4).u32({77, 0});
  const RawImage raw = read_raw(
      test_dng(width, height, 1, samples).shorts(50717, {16383}).undefined(51008, list.bytes()).file(), "x.dng");
  EXPECT_THAT(raw.opcodes[0], IsEmpty());
  for (std::size_t i = 0; i < good.size(); ++i) {
    // In the picture's inside the surface is flat enough that opposite neighbours give it exactly; at corners it is
    // continued from one side.
    const bool corner = i == 0 || i == good.size() - 1;
    EXPECT_NEAR(raw.samples[i], good[i], corner ? 40 : 12) << i % width << ' ' << i / width;
  }
}

TEST(BadPixels, AListThatNamesMostOfThePictureIsLeftAside) {
  const auto samples = smooth_mosaic(64, 48);
  const RawImage raw = read_raw(
      test_dng(64, 48, 1, samples).undefined(51008, TestOpcodes().begin(5).u32({0, 0, 1, 0, 0, 48, 40}).bytes()).file(),
      "x.dng");
  EXPECT_TRUE(std::equal(samples.begin(), samples.end(), raw.samples.begin(), raw.samples.end()));
  EXPECT_THAT(raw.warnings, ElementsAre(HasSubstr("bad pixels")));
}

}  // namespace
}  // namespace imago::io
