#include "color/white_point.h"

#include <gtest/gtest.h>

#include <cmath>

namespace imago::color {
namespace {

TEST(WhitePoint, TemperatureAndTintSurviveARoundTrip) {
  for (double kelvin = 2000; kelvin <= 50000; kelvin *= 1.007) {
    for (const double tint : {-150.0, -37.0, 0.0, 10.0, 150.0}) {
      const Temperature back = temperature_from_xy(xy_from_temperature({kelvin, tint}));
      EXPECT_NEAR(back.kelvin / kelvin, 1, 1e-9) << kelvin << " K, tint " << tint;
      EXPECT_NEAR(back.tint, tint, 1e-6) << kelvin << " K, tint " << tint;
    }
  }
}

// Robertson 1968 in colour-science 0.4.7: kelvin, Duv.
TEST(WhitePoint, KnownWhitesHaveTheirTemperature) {
  const Temperature daylight = temperature_from_xy(d65);
  EXPECT_NEAR(daylight.kelvin, 6503.7, 1);
  EXPECT_NEAR(daylight.tint, 3000 * 0.0032567, 0.1);
  const Temperature horizon = temperature_from_xy(d50);
  EXPECT_NEAR(horizon.kelvin, 5000.7, 1);
  EXPECT_NEAR(horizon.tint, 3000 * 0.0031877, 0.1);
  const Temperature bulb = temperature_from_xy({0.44757, 0.40745});
  EXPECT_NEAR(bulb.kelvin, 2855.8, 1);
  EXPECT_NEAR(bulb.tint, 0, 0.1);
}

TEST(WhitePoint, PositiveTintIsAGreenerWhite) {
  EXPECT_GT(xy_from_temperature({5500, 50}).y, xy_from_temperature({5500, 0}).y);
}

TEST(WhitePoint, ExtremesAreClampedAndFinite) {
  EXPECT_EQ(xy_from_temperature({1, 0}), xy_from_temperature({least_kelvin, 0}));
  EXPECT_EQ(xy_from_temperature({1e9, 0}), xy_from_temperature({most_kelvin, 0}));
  for (const Xy odd : {Xy{0.05, 0.05}, Xy{0.2, 0.25}, Xy{0.7, 0.29}, Xy{0.1, 0.8}, Xy{0.2, 0.3}}) {
    const Temperature temperature = temperature_from_xy(odd);
    EXPECT_GE(temperature.kelvin, least_kelvin * 0.99);
    EXPECT_LE(temperature.kelvin, most_kelvin * 1.01);
    EXPECT_TRUE(std::isfinite(temperature.tint));
  }
}

// CIE 15: 6504 K is D65, 5003 K D50.
TEST(WhitePoint, DaylightLocusPassesTheStandardIlluminants) {
  EXPECT_NEAR(daylight_xy(6504).x, 0.312714056883, 1e-9);
  EXPECT_NEAR(daylight_xy(6504).y, 0.329119099137, 1e-9);
  EXPECT_NEAR(daylight_xy(5003).x, 0.345653048909, 1e-9);
}

}  // namespace
}  // namespace imago::color
