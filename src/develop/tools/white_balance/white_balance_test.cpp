#include "develop/tools/white_balance/white_balance.h"

#include <gtest/gtest.h>

#include <cmath>

namespace imago::develop {
namespace {

// A camera with two illuminants, about a Canon EOS 6D.
SceneColor camera() {
  SceneColor scene;
  scene.profile->calibrations = {
      {2856, color::Matrix3{{0.7546, -0.1435, -0.0929, -0.3846, 1.1488, 0.2692, -0.0332, 0.1209, 0.6370}}, {}, {}},
      {6504, color::Matrix3{{0.7034, -0.0804, -0.1014, -0.4420, 1.2564, 0.2058, -0.0851, 0.1994, 0.5758}}, {}, {}}};
  scene.as_shot = color::camera_color_from_white(*scene.profile, color::daylight_xy(5500));
  return scene;
}

// Developed from the camera's raw samples.
color::Vector3 developed(const color::CameraColor& color, const color::Vector3& raw) {
  return color.working_from_balanced *
         color::Vector3{raw[0] * color.gains[0], raw[1] * color.gains[1], raw[2] * color.gains[2]};
}

TEST(WhiteBalance, IsOffAsShotAndWithoutColour) {
  EXPECT_EQ(derive_white_balance({}, camera()).enabled, 0u);
  EXPECT_EQ(derive_white_balance({.temperature_k = 3000}, {.profile = {}}).enabled, 0u);
  EXPECT_EQ(derive_white_balance({.tint = 1}, camera()).enabled, 1u);
}

TEST(WhiteBalance, EqualsDevelopingTheRawAnew) {
  const SceneColor scene = camera();
  const color::Vector3 raw{0.21, 0.4, 0.13};
  for (const WhiteBalance& settings : {WhiteBalance{2850, 0}, WhiteBalance{4100, 21}, WhiteBalance{7500, 10},
                                       WhiteBalance{20000, -80}, WhiteBalance{0, 30}}) {
    const color::Temperature light = chosen_temperature(settings, scene.as_shot);
    const color::Vector3 expected =
        developed(color::camera_color_from_white(*scene.profile, color::xy_from_temperature(light)), raw);
    const color::Vector3 before = developed(scene.as_shot, raw);
    const Rgb v = white_balance(
        derive_white_balance(settings, scene),
        {static_cast<float>(before[0]), static_cast<float>(before[1]), static_cast<float>(before[2])}, {});
    EXPECT_NEAR(v.r, expected[0], 5e-7);
    EXPECT_NEAR(v.g, expected[1], 5e-7);
    EXPECT_NEAR(v.b, expected[2], 5e-7);
  }
}

TEST(WhiteBalance, WhatTheCameraChoseChangesNothing) {
  const SceneColor scene = camera();
  const WhiteBalance same{static_cast<float>(scene.as_shot.temperature.kelvin),
                          static_cast<float>(scene.as_shot.temperature.tint)};
  const Rgb v = white_balance(derive_white_balance(same, scene), {0.5f, 0.25f, 0.125f}, {});
  EXPECT_NEAR(v.r, 0.5f, 1e-5f);
  EXPECT_NEAR(v.g, 0.25f, 1e-5f);
  EXPECT_NEAR(v.b, 0.125f, 1e-5f);
}

TEST(WhiteBalance, GreyUnderTheChosenLightIsGrey) {
  const SceneColor scene = camera();
  const color::Xy tungsten = color::xy_from_temperature({2850, 0});
  const color::Vector3 raw = color::neutral_from_white(*scene.profile, tungsten);
  const color::Vector3 before = developed(scene.as_shot, raw);
  EXPECT_GT(before[0], 1.5 * before[2]);  // orange as shot
  const Rgb v =
      white_balance(derive_white_balance({.temperature_k = 2850}, scene),
                    {static_cast<float>(before[0]), static_cast<float>(before[1]), static_cast<float>(before[2])}, {});
  EXPECT_NEAR(v.r / v.g, 1, 2e-6);
  EXPECT_NEAR(v.b / v.g, 1, 2e-6);
}

TEST(WhiteBalance, TintAloneIsAddedToTheCameras) {
  const SceneColor scene = camera();
  const color::Temperature light = chosen_temperature({.tint = 20}, scene.as_shot);
  EXPECT_EQ(light.kelvin, scene.as_shot.temperature.kelvin);
  EXPECT_EQ(light.tint, scene.as_shot.temperature.tint + 20);
  const Rgb v = white_balance(derive_white_balance({.tint = 20}, scene), {0.2f, 0.2f, 0.2f}, {});
  EXPECT_GT(v.r, v.g);  // to magenta
  EXPECT_GT(v.b, v.g);
}

TEST(WhiteBalance, AFinishedPictureMovesFromDaylight) {
  const Rgb warm = white_balance(derive_white_balance({.temperature_k = 9000, .tint = 10}, {}), {0.2f, 0.2f, 0.2f}, {});
  EXPECT_GT(warm.r, warm.g);
  EXPECT_LT(warm.b, warm.g);
  const Rgb same = white_balance(derive_white_balance({.temperature_k = 6500, .tint = 10}, {}), {0.2f, 0.2f, 0.2f}, {});
  EXPECT_NEAR(same.r, 0.2f, 1e-3f);
  EXPECT_NEAR(same.b, 0.2f, 1e-3f);
}

TEST(WhiteBalance, IsFiniteAndSaysHowMuchGreyMovesAtEverySetting) {
  const SceneColor scene = camera();
  for (const float kelvin : {1.0f, 2000.0f, 2500.0f, 6000.0f, 50000.0f}) {
    for (const float tint : {-150.0f, 0.0f, 150.0f}) {
      const WhiteBalanceParams p = derive_white_balance({kelvin, tint}, scene);
      const Rgb grey = white_balance(p, {1, 1, 1}, {});
      EXPECT_TRUE(std::isfinite(grey.r) && std::isfinite(grey.g) && std::isfinite(grey.b)) << kelvin << " " << tint;
      EXPECT_NEAR(std::exp2(white_balance_ev(p)), working_luminance(grey), 1e-5f * working_luminance(grey));
    }
  }
}

}  // namespace
}  // namespace imago::develop
