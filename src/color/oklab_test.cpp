#include "color/oklab.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "color/oklab.wgsl.h"

namespace imago::color {
namespace {

Rgb working_from_srgb(double r, double g, double b) {
  const Vector3 v = rgb_from_rgb(rec2020_primaries, srgb_primaries) * Vector3{r, g, b};
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

// Published by the author of the space, six digits.
TEST(Oklab, SrgbPrimariesHaveTheirPublishedValues) {
  const Oklab green = oklab_from_working(working_from_srgb(0, 1, 0));
  EXPECT_NEAR(green.lightness, 0.866440f, 2e-6f);
  EXPECT_NEAR(green.a, -0.233888f, 5e-5f);
  EXPECT_NEAR(green.b, 0.179498f, 1e-4f);
  const Oklab red = oklab_from_working(working_from_srgb(1, 0, 0));
  EXPECT_NEAR(red.lightness, 0.627955f, 2e-6f);
  EXPECT_NEAR(red.a, 0.224863f, 2e-6f);
  EXPECT_NEAR(red.b, 0.125846f, 2e-6f);
}

TEST(Oklab, NeutralsHaveNoChroma) {
  for (const float v : {1e-4f, 0.18f, 1.0f, 16.0f}) {
    const Oklab lab = oklab_from_working({v, v, v});
    EXPECT_NEAR(lab.lightness, std::cbrt(v), 4e-7f * std::cbrt(v));
    EXPECT_NEAR(lab.a, 0.0f, 4e-7f * std::cbrt(v));
    EXPECT_NEAR(lab.b, 0.0f, 4e-7f * std::cbrt(v));
  }
}

TEST(Oklab, RoundTripKeepsWideAndNegativeColours) {
  for (float r = -0.2f; r <= 2.0f; r += 0.1f) {
    for (float g = -0.2f; g <= 2.0f; g += 0.1f) {
      for (float b = -0.2f; b <= 2.0f; b += 0.1f) {
        const Rgb back = working_from_oklab(oklab_from_working({r, g, b}));
        const float tolerance = 3e-6f * std::max({std::abs(r), std::abs(g), std::abs(b)});
        EXPECT_NEAR(back.r, r, tolerance);
        EXPECT_NEAR(back.g, g, tolerance);
        EXPECT_NEAR(back.b, b, tolerance);
      }
    }
  }
}

// Every literal is the float nearest to the derived matrix, and stands in both files.
TEST(Oklab, LiteralsOfBothTwinsAreTheDerivedMatrices) {
  const std::string_view text = wgsl::oklab;
  const auto expect_literals = [&](const Matrix3& matrix, std::size_t first_column) {
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = first_column; c < 3; ++c) {
        const float value = std::abs(static_cast<float>(matrix.m[r * 3 + c]));
        const std::string literal = fmt::format("{}f", value);
        EXPECT_NE(text.find(literal), std::string_view::npos) << literal;
      }
    }
  };
  expect_literals(lms_from_working, 0);
  expect_literals(inverse(lms_from_working), 0);
  expect_literals(oklab_from_root_lms, 0);
  expect_literals(inverse(oklab_from_root_lms), 1);  // the first column is 1 to eight digits
  const Rgb probe{0.3f, 0.7f, 0.1f};
  Vector3 roots = lms_from_working * Vector3{0.3f, 0.7f, 0.1f};
  for (double& value : roots) value = std::cbrt(value);
  const Vector3 exact = oklab_from_root_lms * roots;
  const Oklab lab = oklab_from_working(probe);
  EXPECT_NEAR(static_cast<double>(lab.lightness), exact[0], 3e-7);
  EXPECT_NEAR(static_cast<double>(lab.a), exact[1], 6e-7);
  EXPECT_NEAR(static_cast<double>(lab.b), exact[2], 3e-7);
}

}  // namespace
}  // namespace imago::color
