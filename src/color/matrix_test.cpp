#include "color/matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace imago::color {
namespace {

constexpr Vector3 lindbloom_d50{0.96422, 1, 0.82521};
constexpr Vector3 lindbloom_d65{0.95047, 1, 1.08883};

void expect_near(const Matrix3& actual, const Matrix3& expected, double tolerance) {
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(actual.m[i], expected.m[i], tolerance) << "element " << i;
}

TEST(Matrix, InverseUndoesItself) {
  constexpr Matrix3 m{{1, 2, 3, 0, 1, 4, 5, 6, 0}};
  static_assert(inverse(m) == Matrix3{{-24, 18, 5, 20, -15, -4, -5, 4, 1}});
  expect_near(inverse(m) * m, Matrix3{}, 1e-14);
}

TEST(Matrix, SingularAndNonFiniteMatricesAreNotInvertible) {
  EXPECT_TRUE(is_invertible(Matrix3{}));
  EXPECT_TRUE(is_invertible(1e-8 * Matrix3{}));
  EXPECT_FALSE(is_invertible(Matrix3{{}}));
  EXPECT_FALSE(is_invertible(Matrix3{{1, 2, 3, 2, 4, 6, 0, 1, 5}}));
  EXPECT_FALSE(is_invertible(diagonal({1, std::numeric_limits<double>::quiet_NaN(), 1})));
  EXPECT_FALSE(is_invertible(diagonal({1, std::numeric_limits<double>::infinity(), 1})));
}

// IEC 61966-2-1 prints four digits.
TEST(RgbSpace, SrgbIsTheStandardsMatrix) {
  expect_near(xyz_from_rgb(srgb_primaries), {{0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505}},
              5e-5);
}

// ITU-R BT.2020 table 4: luminance weights to four digits; the matrix from BT.2407 to six.
TEST(RgbSpace, Rec2020HasItsStandardLuminanceWeights) {
  expect_near(xyz_from_working, {{0.636958, 0.144617, 0.168881, 0.262700, 0.677998, 0.059302, 0, 0.028073, 1.060985}},
              1e-6);
  expect_near(working_from_xyz * xyz_from_working, Matrix3{}, 1e-15);
}

// BT.2087, annex: Rec.2020 from Rec.709, four digits.
TEST(RgbSpace, Rec2020FromSrgbIsTheStandardsMatrix) {
  expect_near(rgb_from_rgb(rec2020_primaries, srgb_primaries),
              {{0.6274, 0.3293, 0.0433, 0.0691, 0.9195, 0.0114, 0.0164, 0.0880, 0.8956}}, 5e-5);
}

// The DNG reference's ProPhoto matrices (another digit of the white: 2e-5).
TEST(RgbSpace, ProPhotoIsTheDngReferencesMatrix) {
  const Matrix3 xyz{{0.7976749, 0.1351917, 0.0313534, 0.2880402, 0.7118741, 0.0000857, 0, 0, 0.8252100}};
  expect_near(xyz_from_rgb({prophoto_primaries.red, prophoto_primaries.green, prophoto_primaries.blue,
                            xy_from_xyz(lindbloom_d50)}),
              xyz, 1e-6);
  expect_near(xyz_from_rgb(prophoto_primaries), xyz, 2e-4);
}

TEST(RgbSpace, WhiteStaysWhiteBetweenAllSpaces) {
  const Primaries spaces[] = {srgb_primaries, p3_primaries, rec2020_primaries, adobe_rgb_primaries, prophoto_primaries};
  for (const Primaries& to : spaces) {
    for (const Primaries& from : spaces) {
      const Vector3 white = rgb_from_rgb(to, from) * Vector3{1, 1, 1};
      for (const double value : white) EXPECT_NEAR(value, 1, 1e-14);
      expect_near(rgb_from_rgb(to, from) * rgb_from_rgb(from, to), Matrix3{}, 1e-14);
    }
  }
}

// brucelindbloom.com prints seven digits.
TEST(Adaptation, BradfordFromD65ToD50IsLindblooms) {
  expect_near(adapt(bradford, lindbloom_d50, lindbloom_d65),
              {{1.0478112, 0.0228866, -0.0501270, 0.0295424, 0.9904844, -0.0170491, -0.0092345, 0.0150436, 0.7521316}},
              1e-7);
}

// colour-science 0.4.7, matrix_chromatic_adaptation_VonKries(D65, D50, "CAT16").
TEST(Adaptation, Cat16FromD65ToD50AgreesWithColourScience) {
  expect_near(
      adapt(cat16, lindbloom_d50, lindbloom_d65),
      {{1.0108226167888745, 0.040599054105288725, -0.034105991462956106, 0.0054138768715095995, 0.9935956309382087,
        0.0011559577819564002, 0.0002508483156828469, -0.011480159744547632, 0.7682115077155668}},
      1e-12);
}

TEST(Chromaticity, WhitesHaveTheirXyz) {
  EXPECT_NEAR(xyz_from_xy(d65)[0], 0.95046, 1e-5);
  EXPECT_NEAR(xyz_from_xy(d65)[2], 1.08906, 1e-5);
  EXPECT_NEAR(xyz_from_xy(d50)[0], 0.96430, 1e-5);
  EXPECT_NEAR(xyz_from_xy(d50)[2], 0.82510, 1e-5);
  EXPECT_EQ(xy_from_xyz({0, 0, 0}), d50);
}

}  // namespace
}  // namespace imago::color
