#include "develop/tools/grain/grain.h"

#include <gtest/gtest.h>

#include <cmath>

namespace imago::develop {
namespace {

constexpr Rgb grey = {0.2f, 0.2f, 0.2f};

Pixel at(int x, int y) { return {.x = static_cast<std::uint32_t>(x), .y = static_cast<std::uint32_t>(y)}; }

struct Spread {
  double mean, deviation;
};
Spread spread_of(const GrainParams& p) {
  double sum = 0, squares = 0;
  constexpr int size = 256;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const double stops = std::log2(static_cast<double>(grain(p, grey, at(x, y)).g) / 0.2);
      sum += stops;
      squares += stops * stops;
    }
  }
  const double mean = sum / (size * size);
  return {mean, std::sqrt(squares / (size * size) - mean * mean)};
}

TEST(Grain, IsOffAtZero) {
  EXPECT_EQ(derive_grain({.size = 80}, 1).enabled, 0u);
  EXPECT_EQ(derive_grain({.amount = 1}, 1).enabled, 1u);
}

TEST(Grain, KeepsColourBlackAndWhite) {
  const GrainParams p = derive_grain({.amount = 100}, 1);
  const Rgb v = grain(p, {0.3f, 0.15f, 0.075f}, at(12, 7));
  EXPECT_NE(v.r, 0.3f);
  EXPECT_NEAR(v.r / v.g, 2, 1e-6f);
  EXPECT_NEAR(v.g / v.b, 2, 1e-6f);
  EXPECT_EQ(grain(p, {0, 0, 0}, at(12, 7)), (Rgb{0, 0, 0}));
  EXPECT_NEAR(grain(p, {1, 1, 1}, at(12, 7)).g, 1, 1e-6f);  // 1 - Y is a rounding error
}

TEST(Grain, HasNoMeanAndGrowsWithAmount) {
  const Spread half = spread_of(derive_grain({.amount = 50}, 1)), full = spread_of(derive_grain({.amount = 100}, 1));
  EXPECT_NEAR(full.mean, 0, 0.02);
  EXPECT_NEAR(full.deviation / half.deviation, 2, 1e-3);
  EXPECT_GT(full.deviation, 0.07);
}

TEST(Grain, ASmallerPictureHasTheSameGrainsFainter) {
  // At a third of the size, pixel (x, y) has its centre where the full picture's pixel (3 x + 1, 3 y + 1) has it.
  const GrainParams full = derive_grain({.amount = 100, .size = 100}, 1);
  const GrainParams third = derive_grain({.amount = 100, .size = 100}, 3);
  EXPECT_LT(third.amount, full.amount);
  for (int i = 0; i < 50; ++i) {
    const float large = std::log2(grain(full, grey, at(3 * i + 1, 3 * (2 * i + 5) + 1)).g / 0.2f);
    const float small = std::log2(grain(third, grey, at(i, 2 * i + 5)).g / 0.2f);
    // Steps are rounded to 2^-16 grains: 250 half pixels are 0.003 grains, of a slope up to 3.
    EXPECT_NEAR(small, large * third.amount / full.amount, 0.01f);
  }
}

}  // namespace
}  // namespace imago::develop
