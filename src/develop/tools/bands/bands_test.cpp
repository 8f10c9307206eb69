#include "develop/tools/bands/bands.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace imago::develop {
namespace {

constexpr float centres_deg[band_count] = {29, 53, 108, 142, 195, 262, 295, 330};

BandSteps steps_at(float hue_deg) {
  const float hue = hue_deg * std::numbers::pi_v<float> / 180;
  return band_steps(0.1f * std::cos(hue), 0.1f * std::sin(hue));
}

// The share of each band: the value of bands that are 1 in one place.
float share(int band, const BandSteps& steps) {
  float values[band_count] = {}, next[band_count];
  values[band] = 1;
  set_band_differences(values, next);
  return band_value(values[0], next, steps);
}

TEST(Bands, ABandIsAloneAtItsCentre) {
  for (int band = 0; band < band_count; ++band) {
    for (int other = 0; other < band_count; ++other) {
      EXPECT_NEAR(share(other, steps_at(centres_deg[band])), other == band ? 1 : 0, 1e-6f) << band << " " << other;
    }
  }
}

TEST(Bands, SharesSumToOneAndAreNeverNegative) {
  for (float hue = 0; hue < 360; hue += 0.25f) {
    const BandSteps steps = steps_at(hue);
    float sum = 0;
    int present = 0;
    for (int band = 0; band < band_count; ++band) {
      const float part = share(band, steps);
      ASSERT_GE(part, -1e-6f) << hue;
      sum += part;
      present += part > 1e-6f ? 1 : 0;
    }
    ASSERT_NEAR(sum, 1, 1e-6f) << hue;
    ASSERT_LE(present, 2) << hue;
  }
}

TEST(Bands, EqualValuesAreThatValueEverywhere) {
  float next[band_count];
  set_band_differences({0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f}, next);
  for (float hue = 0; hue < 360; hue += 1) EXPECT_EQ(band_value(0.3f, next, steps_at(hue)), 0.3f);
}

TEST(Bands, AreSmoothAllTheWayRound) {
  float next[band_count];
  const float values[band_count] = {1, -1, 1, -1, 1, -1, 1, -1};
  set_band_differences(values, next);
  float before = band_value(1, next, steps_at(0));
  for (float hue = 0.1f; hue < 720; hue += 0.1f) {
    const float value = band_value(1, next, steps_at(hue));
    ASSERT_NEAR(value, before, 0.02f) << hue;  // two bands of 24 degrees apart: 3 in 24 degrees at most
    before = value;
  }
}

TEST(Bands, GreysHaveNoColourfulness) {
  EXPECT_EQ(colourfulness(0, 0), 0);
  EXPECT_NEAR(colourfulness(0.03f, 0), 0.5f, 1e-6f);
  EXPECT_GT(colourfulness(0.1f, -0.1f), 0.95f);
}

}  // namespace
}  // namespace imago::develop
