#include "develop/tools/tone/tone.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace imago::develop {
namespace {

constexpr float log2_grey = -2.4739312f;

TEST(Tone, IsOffAtZero) {
  EXPECT_EQ(derive_tone({}, 1).enabled, 0u);
  EXPECT_EQ(derive_tone({.highlights = 1}, 0).enabled, 1u);
}

TEST(Tone, SlidersMoveTheirOwnEnd) {
  const ToneParams open = derive_tone({.shadows = 100}, 0);
  EXPECT_FLOAT_EQ(tone_stops(open, -4.75f), 2);
  EXPECT_EQ(tone_stops(open, 0.5f), 0);
  EXPECT_EQ(tone_stops(open, 4), 0);
  EXPECT_EQ(tone_stops(open, -11), 0);  // blacks keep their depth
  const ToneParams recover = derive_tone({.highlights = -100}, 0);
  EXPECT_FLOAT_EQ(tone_stops(recover, 3.5f), -1.6f);
  EXPECT_EQ(tone_stops(recover, -0.5f), 0);
  EXPECT_EQ(tone_stops(recover, -6), 0);
}

TEST(Tone, TonesNeverSwapAtAnySetting) {
  for (const float highlights : {-100.0f, -40.0f, 0.0f, 100.0f}) {
    for (const float shadows : {-100.0f, 0.0f, 60.0f, 100.0f}) {
      const ToneParams p = derive_tone({.highlights = highlights, .shadows = shadows}, 0);
      for (float e = -14; e < 8; e += 0.01f) {
        const float slope = 1 + (tone_stops(p, e + 0.01f) - tone_stops(p, e)) / 0.01f;
        ASSERT_GE(slope, 0.2f) << highlights << " " << shadows << " at " << e;
      }
    }
  }
}

TEST(Tone, FollowsTheExposureThatThePictureGets) {
  // The base is taken before exposure: two stops up moves a dark area to mid-grey, where shadows does nothing more.
  const ToneParams p = derive_tone({.shadows = 100}, 4.75f);
  const Rgb v = tone(p, {0.1f, 0.1f, 0.1f}, {.base_log2 = log2_grey - 4.25f});
  EXPECT_EQ(v, (Rgb{0.1f, 0.1f, 0.1f}));
  const Rgb local =
      tone(derive_tone({.shadows = 100}, 0), {0.1f, 0.1f, 0.1f}, {.base_log2 = log2_grey - 4.25f, .local_ev = 4.75f});
  EXPECT_EQ(local, v);
}

TEST(Tone, ScalesAllChannelsAlike) {
  const Rgb v = tone(derive_tone({.shadows = 100}, 0), {0.01f, 0.02f, -0.04f}, {.base_log2 = log2_grey - 4.75f});
  EXPECT_NEAR(v.r, 0.04f, 1e-7f);
  EXPECT_NEAR(v.g, 0.08f, 1e-7f);
  EXPECT_NEAR(v.b, -0.16f, 1e-7f);
}

TEST(Tone, AnyBaseGivesAFiniteGain) {
  const ToneParams p = derive_tone({.highlights = -100, .shadows = 100}, 0);
  constexpr float inf = std::numeric_limits<float>::infinity();
  for (const float base : {std::nanf(""), inf, -inf, 1e30f, -1e30f}) {
    const Rgb v = tone(p, {1, 1, 1}, {.base_log2 = base});
    EXPECT_TRUE(v.r > 0.2f && v.r < 4.1f) << base;
  }
}

}  // namespace
}  // namespace imago::develop
