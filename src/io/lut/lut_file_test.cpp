#include "io/lut/lut_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "io/picture_writer.h"

namespace imago::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string message_of(std::string_view text) {
  try {
    parse_cube(text, "a.cube");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

constexpr std::string_view small_cube =
    "TITLE \"Warm\"\nLUT_3D_SIZE 2\n"
    "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 0.5\n";

TEST(Cube, ReadsACube) {
  const color::Lut lut = parse_cube(small_cube, "a.cube");
  EXPECT_EQ(lut.title, "Warm");
  EXPECT_EQ(lut.cube_size, 2);
  ASSERT_EQ(lut.cube.size(), 24u);
  EXPECT_EQ(lut.cube[3], 1);  // red is fastest
  EXPECT_EQ(lut.cube[23], 0.5f);
  EXPECT_TRUE(lut.curves.empty());
}

TEST(Cube, TakesCommentsWindowsLinesTabsExponentsDomainsAndUnknownKeywords) {
  const color::Lut lut = parse_cube(
      "\xEF\xBB\xBF# a comment\r\n\r\nLUT_1D_SIZE\t2\r\nDOMAIN_MIN -0.5 0 0\r\nDOMAIN_MAX 2 1 "
      "1\r\nLUT_IN_VIDEO_RANGE\r\n"
      "\t+0 1e-3 1e-60\r\n# between\r\n1.5 -2.5E-1 1\r\n",
      "a.cube");
  EXPECT_THAT(lut.curves, ElementsAre(0, 1e-3f, 0, 1.5f, -0.25f, 1));
  EXPECT_THAT(lut.curve_min, ElementsAre(-0.5f, 0, 0));
  EXPECT_THAT(lut.curve_max, ElementsAre(2, 1, 1));
}

TEST(Cube, TakesCurvesInFrontOfACube) {
  const color::Lut lut = parse_cube(
      "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 4\nLUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 1\n0 0 0\n1 1 1\n"
      "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n",
      "a.cube");
  EXPECT_EQ(lut.curves.size(), 6u);
  EXPECT_EQ(lut.cube.size(), 24u);
  EXPECT_EQ(lut.curve_max[1], 4);
  EXPECT_EQ(lut.cube_max[1], 1);
}

TEST(Cube, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(message_of(""), HasSubstr("no LUT_1D_SIZE"));
  EXPECT_THAT(message_of("LUT_3D_SIZE 1\n"), HasSubstr("a.cube:1: a size of 1 is outside 2..256"));
  EXPECT_THAT(message_of("LUT_3D_SIZE 257\n"), HasSubstr("outside"));
  EXPECT_THAT(message_of("LUT_3D_SIZE 2.5\n"), HasSubstr("outside"));
  EXPECT_THAT(message_of("0 0 0\n"), HasSubstr("before LUT_1D_SIZE"));
  EXPECT_THAT(message_of("LUT_1D_SIZE 2\n0 0 0\n"), HasSubstr("1 entries where its size asks for 2"));
  EXPECT_THAT(message_of("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n1 1 1\n"), HasSubstr("a.cube:4: more entries"));
  EXPECT_THAT(message_of("LUT_1D_SIZE 2\n0 0\n1 1 1\n"), HasSubstr("a.cube:2: entry: '' is no number"));
  EXPECT_THAT(message_of("LUT_1D_SIZE 2\n0 0 inf\n1 1 1\n"), HasSubstr("'inf' is no number"));
  EXPECT_THAT(message_of("LUT_1D_SIZE 2\nDOMAIN_MIN 1 1 1\n0 0 0\n1 1 1\n"), HasSubstr("domain is empty"));
}

TEST(Cube, NoLineOfAFileCanBreakIt) {
  const std::string whole(small_cube);
  for (std::size_t length = 0; length < whole.size() - 3; ++length) {
    EXPECT_NE(message_of(whole.substr(0, length)), "") << length;
  }
}

TEST(Hald, ReadsAPicture) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "imago_hald_test.png";
  const auto picture = open_picture(file, 8, 8, {.format = FileFormat::png, .samples = SampleType::u8});
  std::vector<std::uint8_t> rows;
  for (int i = 0; i < 64; ++i) {
    for (const int level : {i % 4, i / 4 % 4, i / 16}) rows.push_back(static_cast<std::uint8_t>(level * 85));
  }
  picture->write_rows(std::as_bytes(std::span(rows)));
  picture->finish();
  const color::Lut lut = read_lut(file);
  std::filesystem::remove(file);
  EXPECT_EQ(lut.cube_size, 4);
  ASSERT_EQ(lut.cube.size(), 192u);
  EXPECT_EQ(lut.cube[3], 85 / 255.0f);
  EXPECT_EQ(lut.cube[191], 1);
}

TEST(Hald, APictureOfAnotherSizeIsNamed) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "imago_no_hald_test.png";
  const auto picture = open_picture(file, 8, 7, {.format = FileFormat::png, .samples = SampleType::u8});
  const std::vector<std::uint8_t> rows(8 * 7 * 3);
  picture->write_rows(std::as_bytes(std::span(rows)));
  picture->finish();
  std::string message;
  try {
    read_lut(file);
  } catch (const Error& error) {
    message = error.what();
  }
  std::filesystem::remove(file);
  EXPECT_THAT(message, HasSubstr("8 x 7 pixels are no HaldCLUT"));
}

}  // namespace
}  // namespace imago::io
