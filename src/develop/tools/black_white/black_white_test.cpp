#include "develop/tools/black_white/black_white.h"

#include <gtest/gtest.h>

namespace imago::develop {
namespace {

TEST(BlackWhite, IsOffUntilAskedFor) {
  EXPECT_EQ(derive_black_white({.red = 50}).enabled, 0u);
  EXPECT_EQ(derive_black_white({.enabled = 1}).enabled, 1u);
}

TEST(BlackWhite, TakesColourAndKeepsLightness) {
  EXPECT_EQ(black_white(derive_black_white({.enabled = 1}), {0.6f, 0.1f, -0.2f}, {}), (Rgb{0.6f, 0, 0}));
}

TEST(BlackWhite, ARedFilterBrightensRedAndLeavesGreyAndBlue) {
  const BlackWhiteParams p = derive_black_white({.enabled = 1, .red = 100});
  EXPECT_NEAR(black_white(p, {0.6f, 0.17492f, 0.09696f}, {}).r, 0.6f * (1 + 0.35f * 0.978f), 1e-3f);
  EXPECT_NEAR(black_white(p, {0.6f, -0.0278f, -0.198f}, {}).r, 0.6f, 1e-3f);
  EXPECT_EQ(black_white(p, {0.6f, 0, 0}, {}).r, 0.6f);
}

}  // namespace
}  // namespace imago::develop
