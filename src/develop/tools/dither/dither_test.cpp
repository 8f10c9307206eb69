#include "develop/tools/dither/dither.h"

#include <gtest/gtest.h>

#include <cmath>

namespace imago::develop {
namespace {

constexpr DitherParams on{.enabled = 1, .seed = 0};

TEST(Dither, WithoutItHalvesGoUp) {
  const float u = dither({}, 5, 9);
  EXPECT_EQ(u, 0.5f);
  EXPECT_EQ(quantise(0.5f / 255, 255, u), 1);
  EXPECT_EQ(quantise(0.4999f / 255, 255, u), 0);
  EXPECT_EQ(quantise(1, 255, u), 255);
  EXPECT_EQ(quantise(1, 65535, u), 65535);
}

TEST(Dither, TheMeanOfAnAreaIsTheValue) {
  for (const double level : {0.1, 17.25, 100.5, 200.875, 254.9}) {
    double sum = 0;
    for (std::uint32_t y = 0; y < 256; ++y) {
      for (std::uint32_t x = 0; x < 256; ++x) sum += quantise(static_cast<float>(level / 255), 255, dither(on, x, y));
    }
    // Standard error of 65536 draws: at most 0.5 / 256.
    EXPECT_NEAR(sum / 65536, level, 0.006) << level;
  }
}

TEST(Dither, ACodeStaysThatCode) {
  for (std::uint32_t i = 0; i < 100000; ++i) {
    const float u = dither(on, i, i / 7);
    ASSERT_TRUE(u >= 0 && u < 1);
    ASSERT_EQ(quantise(0, 255, u), 0);
    ASSERT_EQ(quantise(1, 255, u), 255);
    ASSERT_LE(quantise(std::nextafter(1.0f, 0.0f), 255, u), 255);
  }
}

TEST(Dither, NeighboursAndSeedsAreIndependent) {
  double along_row = 0, along_column = 0, along_seed = 0, square = 0;
  for (std::uint32_t y = 0; y < 300; ++y) {
    for (std::uint32_t x = 0; x < 300; ++x) {
      const double here = static_cast<double>(dither(on, x, y)) - 0.5;
      square += here * here;
      along_row += here * (static_cast<double>(dither(on, x + 1, y)) - 0.5);
      along_column += here * (static_cast<double>(dither(on, x, y + 1)) - 0.5);
      along_seed += here * (static_cast<double>(dither({1, 1}, x, y)) - 0.5);
    }
  }
  EXPECT_NEAR(square / 90000, 1.0 / 12, 0.001);
  // A correlation of 90000 independent pairs has a standard error of 0.0033.
  EXPECT_NEAR(along_row / square, 0, 0.014);
  EXPECT_NEAR(along_column / square, 0, 0.014);
  EXPECT_NEAR(along_seed / square, 0, 0.014);
}

}  // namespace
}  // namespace imago::develop
