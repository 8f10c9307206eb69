#include "develop/tools/profile_tone/profile_tone.h"

#include <gtest/gtest.h>

#include <cmath>

namespace imago::develop {
namespace {

struct Tone {
  std::vector<float> table = std::vector<float>(3);
  ProfileToneParams params;
  explicit Tone(const std::vector<std::array<float, 2>>& points) : params(derive_profile_tone(points, table)) {}
  Rgb operator()(Rgb v) const { return profile_tone(params, v, {.curve_table = table.data()}); }
};

// sRGB's encoding, as a curve of 200 points: steep at black like those of real profiles.
std::vector<std::array<float, 2>> encoding() {
  std::vector<std::array<float, 2>> points;
  for (int i = 0; i <= 200; ++i) {
    const double x = std::pow(i / 200.0, 2.5);
    points.push_back({static_cast<float>(x), static_cast<float>(std::pow(x, 1 / 2.2))});
  }
  return points;
}

TEST(ProfileTone, FewerThanTwoPointsAreOff) {
  std::vector<float> table;
  EXPECT_EQ(derive_profile_tone({}, table).enabled, 0u);
  EXPECT_EQ(derive_profile_tone({{0, 0}}, table).enabled, 0u);
  EXPECT_TRUE(table.empty());
}

TEST(ProfileTone, GreysFollowTheCurve) {
  const Tone tone(encoding());
  for (const float x : {0.0f, 0.002f, 0.01f, 0.18f, 0.5f, 1.0f}) {
    const Rgb out = tone({x, x, x});
    EXPECT_NEAR(out.r, std::pow(x, 1 / 2.2f), 1e-3f) << x;  // cubic between 200 points, 4096 samples
    EXPECT_EQ(out.r, out.g);
    EXPECT_EQ(out.r, out.b);
  }
  EXPECT_EQ(tone({7, 7, 7}).g, 1);
  EXPECT_EQ(tone({-1, -1, -1}).g, 0);
}

TEST(ProfileTone, HueOfProPhotoIsKept) {
  const Tone tone(encoding());
  const Rgb in = working_from_prophoto({0.4f, 0.2f, 0.1f});
  const Rgb out = prophoto_from_working(tone(in));
  EXPECT_NEAR(out.r, std::pow(0.4f, 1 / 2.2f), 1e-3f);
  EXPECT_NEAR(out.b, std::pow(0.1f, 1 / 2.2f), 1e-3f);
  // a third of the way between the two
  EXPECT_NEAR((out.g - out.b) / (out.r - out.b), 1.0 / 3, 1e-4);
}

}  // namespace
}  // namespace imago::develop
