#include "develop/tools/calibration/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/field_access.h"
#include "color/oklab.h"

namespace imago::develop {
namespace {

float hue_of(Rgb v) {
  const color::Oklab lab = color::oklab_from_working(v);
  return std::fmod(std::atan2(lab.b, lab.a) * 180 / std::numbers::pi_v<float> + 360, 360.0f);
}
float chroma_of(Rgb v) {
  const color::Oklab lab = color::oklab_from_working(v);
  return std::hypot(lab.a, lab.b);
}

constexpr Rgb reddish = {0.5f, 0.2f, 0.2f};
constexpr Rgb greenish = {0.2f, 0.5f, 0.2f};
constexpr Rgb bluish = {0.2f, 0.2f, 0.5f};

TEST(Calibration, IsOffAtZero) {
  EXPECT_EQ(derive_calibration({}).enabled, 0u);
  EXPECT_EQ(derive_calibration({.blue_hue = 1}).enabled, 1u);
}

TEST(Calibration, GreysKeepTheirBitsWhateverThePrimaries) {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    Calibration s;
    random_fields(calibration_fields, &s, seed);
    s.shadow_tint = 0;
    const CalibrationParams p = derive_calibration(s);
    for (const float x : {0.0f, 0.18f, 0.7f, 1.0f}) EXPECT_EQ(calibration(p, {x, x, x}, {}), (Rgb{x, x, x}));
  }
}

TEST(Calibration, HueSlidersTurnTowardsTheNextHue) {
  EXPECT_GT(hue_of(calibration(derive_calibration({.red_hue = 100}), reddish, {})), hue_of(reddish) + 3);
  EXPECT_LT(hue_of(calibration(derive_calibration({.red_hue = -100}), reddish, {})), hue_of(reddish));
  EXPECT_GT(hue_of(calibration(derive_calibration({.green_hue = 100}), greenish, {})), hue_of(greenish) + 3);
  EXPECT_GT(hue_of(calibration(derive_calibration({.blue_hue = 100}), bluish, {})), hue_of(bluish) + 3);
}

TEST(Calibration, SaturationSlidersMoveTheirColour) {
  EXPECT_GT(chroma_of(calibration(derive_calibration({.red_saturation = 100}), reddish, {})),
            1.1f * chroma_of(reddish));
  EXPECT_LT(chroma_of(calibration(derive_calibration({.green_saturation = -100}), greenish, {})),
            0.9f * chroma_of(greenish));
  EXPECT_GT(chroma_of(calibration(derive_calibration({.blue_saturation = 100}), bluish, {})), 1.1f * chroma_of(bluish));
}

TEST(Calibration, ShadowTintLeavesBrightTonesAlone) {
  const CalibrationParams p = derive_calibration({.shadow_tint = 100});
  const Rgb dark = calibration(p, {0.02f, 0.02f, 0.02f}, {});
  EXPECT_NEAR(dark.r, 0.02f * 1.075f, 3e-4f);
  EXPECT_NEAR(dark.g, 0.02f * 0.925f, 3e-4f);
  EXPECT_EQ(calibration(p, {0.4f, 0.4f, 0.4f}, {}), (Rgb{0.4f, 0.4f, 0.4f}));
}

}  // namespace
}  // namespace imago::develop
