#include "develop/tools/primaries/primaries.h"

#include <gtest/gtest.h>

namespace imago::develop {
namespace {

TEST(Primaries, TheWorkingSpaceItselfIsOff) {
  EXPECT_EQ(derive_primaries(color::rec2020_primaries).enabled, 0u);
  EXPECT_EQ(derive_primaries(color::p3_primaries).enabled, 1u);
}

TEST(Primaries, AreThePublishedOnes) {
  // ITU-R BT.2087: linear Rec.709 of Rec.2020.
  const PrimariesParams p = derive_primaries(color::srgb_primaries);
  EXPECT_NEAR(p.red_from_green, -0.5876, 1e-4);
  EXPECT_NEAR(p.red_from_blue, -0.0728, 1e-4);
  EXPECT_NEAR(p.green_from_red, -0.1246, 1e-4);
  EXPECT_NEAR(p.green_from_blue, -0.0083, 1e-4);
  EXPECT_NEAR(p.blue_from_red, -0.0182, 1e-4);
  EXPECT_NEAR(p.blue_from_green, -0.1006, 1e-4);
}

TEST(Primaries, GreysKeepTheirBits) {
  const PrimariesParams p = derive_primaries(color::adobe_rgb_primaries);
  for (const float x : {0.0f, 1e-20f, 0.1f, 0.18f, 0.7f, 1.0f, 65504.0f}) {
    EXPECT_EQ(primaries(p, {x, x, x}, {}), (Rgb{x, x, x}));
  }
}

TEST(Primaries, MatchTheMatrix) {
  for (const color::Primaries& space : {color::srgb_primaries, color::p3_primaries, color::prophoto_primaries}) {
    const color::Vector3 expected =
        color::rgb_from_rgb(space, color::rec2020_primaries) * color::Vector3{0.7, 0.2, 0.05};
    const Rgb v = primaries(derive_primaries(space), {0.7f, 0.2f, 0.05f}, {});
    EXPECT_NEAR(v.r, expected[0], 2e-7);
    EXPECT_NEAR(v.g, expected[1], 2e-7);
    EXPECT_NEAR(v.b, expected[2], 2e-7);
  }
}

}  // namespace
}  // namespace imago::develop
