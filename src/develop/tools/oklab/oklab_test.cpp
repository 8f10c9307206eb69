#include "develop/tools/oklab/oklab.h"

#include <gtest/gtest.h>

#include "color/oklab.h"

namespace imago::develop {
namespace {

constexpr Rgb colours[] = {{1, 0, 0},          {0, 1, 0}, {0, 0, 1}, {0.8f, 0.5f, 0.3f}, {0.01f, 0.02f, 0.3f},
                           {1.5f, -0.2f, 0.4f}};

TEST(OklabTools, AreTheColourSpace) {
  for (const Rgb& v : colours) {
    const color::Oklab expected = color::oklab_from_working(v);
    const Rgb lab = to_oklab({}, v, {});
    EXPECT_NEAR(lab.r, expected.lightness, 1e-6f);
    EXPECT_NEAR(lab.g, expected.a, 1e-6f);
    EXPECT_NEAR(lab.b, expected.b, 1e-6f);
  }
}

TEST(OklabTools, ComeBack) {
  for (const Rgb& v : colours) {
    const Rgb back = from_oklab({}, to_oklab({}, v, {}), {});
    EXPECT_NEAR(back.r, v.r, 3e-6f);
    EXPECT_NEAR(back.g, v.g, 3e-6f);
    EXPECT_NEAR(back.b, v.b, 3e-6f);
  }
}

TEST(OklabTools, GreysHaveNoColourAndStayGrey) {
  for (float x = 1e-6f; x < 100; x *= 1.37f) {
    const Rgb lab = to_oklab({}, {x, x, x}, {});
    ASSERT_EQ(lab.g, 0);
    ASSERT_EQ(lab.b, 0);
    const Rgb back = from_oklab({}, lab, {});
    ASSERT_EQ(back.r, back.g);
    ASSERT_EQ(back.r, back.b);
    ASSERT_NEAR(back.r, x, 1e-6f * x);
  }
}

}  // namespace
}  // namespace imago::develop
