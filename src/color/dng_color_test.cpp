#include "color/dng_color.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.h"

namespace imago::color {
namespace {

// Made up, in the manner of a real camera: camera from XYZ under A and under D65.
constexpr Matrix3 color_a{{0.9716, -0.3459, -0.0521, -0.4208, 1.2135, 0.2284, -0.0561, 0.1623, 0.5872}};
constexpr Matrix3 color_d65{{0.8532, -0.3044, -0.0788, -0.4571, 1.2394, 0.2419, -0.0803, 0.1788, 0.6313}};
constexpr Matrix3 forward_a{{0.7010, 0.1690, 0.0942, 0.2802, 0.7601, -0.0403, 0.0331, -0.1921, 0.9841}};
constexpr Matrix3 forward_d65{{0.6601, 0.2007, 0.1034, 0.2401, 0.7902, -0.0303, 0.0203, -0.1105, 0.9153}};

CameraProfile two_illuminants(bool forward) {
  CameraProfile profile;
  profile.calibrations = {{.cct_kelvin = 6504, .color_matrix = color_d65},
                          {.cct_kelvin = 2856, .color_matrix = color_a}};
  if (forward) {
    profile.calibrations[0].forward_matrix = forward_d65;
    profile.calibrations[1].forward_matrix = forward_a;
  }
  return profile;
}

void expect_near(const Vector3& actual, const Vector3& expected, double tolerance) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(actual[i], expected[i], tolerance);
}

void expect_near(const Matrix3& actual, const Matrix3& expected, double tolerance) {
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(actual.m[i], expected.m[i], tolerance) << "element " << i;
}

std::string input_failure(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    return error.what();
  }
  return "no error";
}

TEST(DngColor, MatricesAreInterpolatedInReciprocalTemperatureAndClamped) {
  const CameraProfile profile = two_illuminants(false);
  const auto at = [&](double kelvin) { return camera_from_xyz(profile, xy_from_temperature({kelvin, 0})); };
  expect_near(at(2500), color_a, 1e-12);
  expect_near(at(9000), color_d65, 1e-12);
  const double kelvin = 4000;
  const double weight = (1 / kelvin - 1.0 / 2856) / (1.0 / 6504 - 1.0 / 2856);
  expect_near(at(kelvin), (1 - weight) * color_a + weight * color_d65, 1e-9);
}

TEST(DngColor, ThreeIlluminantsUseTheTwoThatBracketTheWhite) {
  CameraProfile profile = two_illuminants(false);
  const Matrix3 middle = diagonal({1.1, 1, 0.9}) * color_d65;
  profile.calibrations.push_back({.cct_kelvin = 4500, .color_matrix = middle});
  expect_near(camera_from_xyz(profile, xy_from_temperature({4500, 0})), middle, 1e-9);
  const double weight = (1.0 / 5500 - 1.0 / 4500) / (1.0 / 6504 - 1.0 / 4500);
  expect_near(camera_from_xyz(profile, xy_from_temperature({5500, 0})), (1 - weight) * middle + weight * color_d65,
              1e-9);
  expect_near(camera_from_xyz(profile, xy_from_temperature({9000, 0})), color_d65, 1e-12);
}

TEST(DngColor, WhiteIsFoundAgainFromItsNeutral) {
  const CameraProfile profile = two_illuminants(false);
  for (double kelvin = 2200; kelvin < 12000; kelvin *= 1.1) {
    for (const double tint : {-40.0, 0.0, 40.0}) {
      const Xy white = xy_from_temperature({kelvin, tint});
      const Xy found = white_from_neutral(profile, neutral_from_white(profile, white));
      EXPECT_NEAR(found.x, white.x, 2e-6);
      EXPECT_NEAR(found.y, white.y, 2e-6);
    }
  }
}

TEST(DngColor, GainsMakeTheNeutralWhiteAndTheSmallestIsOne) {
  for (const bool forward : {false, true}) {
    CameraProfile profile = two_illuminants(forward);
    profile.analog_balance = {1.1, 1, 0.95};
    profile.calibrations[0].camera_calibration = diagonal({0.98, 1, 1.03});
    profile.calibrations[1].camera_calibration = Matrix3{{0.97, 0.01, 0, 0, 1, 0, 0, 0.02, 1.01}};
    const Vector3 neutral{0.47, 1, 0.63};
    const CameraColor color = camera_color_from_neutral(profile, neutral);
    expect_near(color.gains, {1 / 0.47, 1, 1 / 0.63}, 1e-12);
    expect_near(color.working_from_balanced * Vector3{1, 1, 1}, {1, 1, 1}, forward ? 1e-12 : 1e-6);
  }
}

// Synthesises what the camera sees of a patch and develops it: without a forward matrix the patch's XYZ, adapted by
// Bradford from the light's white, must come back.
TEST(DngColor, ColorMatrixPathRestoresTheScene) {
  const CameraProfile profile = two_illuminants(false);
  for (const double kelvin : {2856.0, 4100.0, 6504.0}) {
    const Xy white = xy_from_temperature({kelvin, 0});
    const Vector3 patch{0.31, 0.22, 0.17};
    const CameraColor color = camera_color_from_white(profile, white);
    const Vector3 camera = camera_from_xyz(profile, white) * patch;
    const Vector3 neutral = camera_from_xyz(profile, white) * xyz_from_xy(white);
    const double exposure = std::max({neutral[0], neutral[1], neutral[2]});
    const Vector3 balanced = (1 / exposure) * diagonal(color.gains) * camera;
    const Vector3 expected = working_from_xyz * adapt(bradford, xyz_from_xy(d65), xyz_from_xy(white)) * patch;
    expect_near(color.working_from_balanced * balanced, expected, 1e-9);
  }
}

// The specification: rows of a forward matrix, applied to white, give D50; reference camera = balanced camera when
// calibration and analog balance are 1.
TEST(DngColor, ForwardMatrixActsOnBalancedSamples) {
  const CameraProfile profile = two_illuminants(true);
  const Xy white = xy_from_temperature({7000, 5});  // beyond D65: forward_d65 alone
  const CameraColor color = camera_color_from_white(profile, white);
  const Matrix3 xyz_d50 =
      adapt(bradford, xyz_from_xy(d50), xyz_from_xy(d65)) * xyz_from_working * color.working_from_balanced;
  expect_near(xyz_d50 * Vector3{1, 1, 1}, xyz_from_xy(d50), 1e-12);
  const Vector3 sums = forward_d65 * Vector3{1, 1, 1};
  const Vector3 wanted = xyz_from_xy(d50);
  for (int r = 0; r < 3; ++r) {
    const std::size_t row = static_cast<std::size_t>(r);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(xyz_d50(r, c), forward_d65(r, c) * wanted[row] / sums[row], 1e-12);
  }
}

TEST(DngColor, OneForwardMatrixOfTwoIsNotUsed) {
  CameraProfile profile = two_illuminants(true);
  profile.calibrations[1].forward_matrix.reset();
  const Xy white = xy_from_temperature({4000, 0});
  expect_near(camera_color_from_white(profile, white).working_from_balanced,
              camera_color_from_white(two_illuminants(false), white).working_from_balanced, 1e-12);
}

TEST(DngColor, ShiftOfWhiteBalanceEqualsDevelopingAnew) {
  for (const bool forward : {false, true}) {
    const CameraProfile profile = two_illuminants(forward);
    const CameraColor as_shot = camera_color_from_white(profile, xy_from_temperature({5200, 8}));
    const CameraColor chosen = camera_color_from_white(profile, xy_from_temperature({3300, -12}));
    const Vector3 camera{0.2, 0.35, 0.15};
    const Vector3 shifted =
        white_balance_shift(chosen, as_shot) * (as_shot.working_from_balanced * (diagonal(as_shot.gains) * camera));
    expect_near(shifted, chosen.working_from_balanced * (diagonal(chosen.gains) * camera), 1e-12);
    expect_near(white_balance_shift(as_shot, as_shot), Matrix3{}, 1e-12);
  }
}

TEST(DngColor, ACameraWithoutMatricesIsTakenForSrgb) {
  const CameraColor color = camera_color_from_neutral({}, {1, 1, 1});
  expect_near(color.working_from_balanced, rgb_from_rgb(rec2020_primaries, srgb_primaries), 1e-6);
  EXPECT_NEAR(color.white.x, d65.x, 1e-9);
  EXPECT_NEAR(color.temperature.kelvin, 6503.7, 1);
}

TEST(DngColor, BrokenMatricesAndNeutralsAreInputErrors) {
  CameraProfile profile;
  profile.calibrations = {{.color_matrix = {{1, 2, 3, 2, 4, 6, 0, 1, 5}}}};
  EXPECT_EQ(input_failure([&] {
              camera_color_from_neutral(profile, {1, 1, 1});
            }),
            "the camera's color matrix has no inverse");
  EXPECT_EQ(input_failure([] {
              camera_color_from_neutral(two_illuminants(false), {0, 1, 1});
            }),
            "the as-shot white balance is not positive");
  profile = two_illuminants(true);
  profile.calibrations[0].forward_matrix = Matrix3{{}};
  EXPECT_EQ(input_failure([&] { camera_color_from_white(profile, daylight_xy(7000)); }),
            "the camera's forward matrix has an empty row");
}

TEST(DngColor, TemperatureAndTintSurviveTheWayThroughTheGains) {
  CameraProfile single = two_illuminants(false);
  single.calibrations.pop_back();
  CameraProfile triple = two_illuminants(false);
  triple.calibrations.push_back({.cct_kelvin = 4230, .color_matrix = 0.5 * (color_a + color_d65)});
  CameraProfile balanced = two_illuminants(true);
  balanced.analog_balance = {2.1, 1, 1.4};
  balanced.calibrations[0].camera_calibration = balanced.calibrations[1].camera_calibration = diagonal({0.99, 1, 1.02});
  for (const CameraProfile& profile : {single, two_illuminants(false), two_illuminants(true), triple, balanced}) {
    for (double kelvin = 2000; kelvin <= 50000; kelvin *= 1.13) {
      for (const double tint : {-60.0, 0.0, 60.0}) {
        const Xy white = xy_from_temperature({kelvin, tint});
        if (white.x + white.y >= 1) continue;  // below 2300 K such a tint lies outside of all colours
        const CameraColor chosen = camera_color_from_white(profile, white);
        const Vector3 neutral{1 / chosen.gains[0], 1 / chosen.gains[1], 1 / chosen.gains[2]};
        const CameraColor read = camera_color_from_neutral(profile, neutral);
        // The fixed point stops at 1e-7 of a chromaticity, which at 50000 K is 1 K in 2500.
        EXPECT_NEAR(1e6 / read.temperature.kelvin, 1e6 / kelvin, 0.02) << kelvin << " K, tint " << tint;
        EXPECT_NEAR(read.temperature.tint, tint, 0.02) << kelvin << " K, tint " << tint;
        expect_near(read.gains, chosen.gains, 1e-9 * chosen.gains[2] + 1e-9);
      }
    }
  }
}

TEST(DngColor, NeutralsThatNoLightExplainsStillGiveAFiniteMatrix) {
  for (const Vector3& neutral : {Vector3{1, 0.01, 1}, Vector3{0.001, 1, 0.001}, Vector3{1, 1, 0.001}}) {
    for (const bool forward : {false, true}) {
      const CameraColor color = camera_color_from_neutral(two_illuminants(forward), neutral);
      for (const double value : color.working_from_balanced.m) EXPECT_TRUE(std::isfinite(value));
    }
  }
}

}  // namespace
}  // namespace imago::color
