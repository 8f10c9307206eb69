#include "develop/auto_adjust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "develop/synthetic_photo.h"

namespace imago::develop {
namespace {

Photo scaled(float gain) {
  Photo photo = synthetic_photo(320, 200);
  for (float& value : std::span(photo.source.pixels.data(), photo.source.pixels.size())) value *= gain;
  return photo;
}

Photo flat(Rgb v) {
  Photo photo = synthetic_photo(64, 48);
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 64; ++x)
      std::copy_n(std::initializer_list<float>{v.r, v.g, v.b}.begin(), 3, photo.source.at(x, y));
  }
  return photo;
}

TEST(AutoTone, PercentilesOfAKnownPicture) {
  const ToneStatistics statistics = tone_statistics(flat({0.25f, 0.25f, 0.25f}), {});
  EXPECT_EQ(statistics.total, 64u * 48u);
  EXPECT_NEAR(statistics.percentile(0.5), -2, 0.13);  // a bin
  EXPECT_NEAR(statistics.mean_stops(0.02, 0.98), -2, 0.13);
}

TEST(AutoTone, BrightensDarkPicturesAndDarkensBrightOnes) {
  EXPECT_GT(auto_tone(scaled(0.1f), {}).exposure.ev, auto_tone(scaled(1), {}).exposure.ev + 1);
  EXPECT_LT(auto_tone(scaled(8), {}).exposure.ev, auto_tone(scaled(1), {}).exposure.ev - 1);
}

TEST(AutoTone, AskingTwiceGivesTheSameAndLeavesTheRestAlone) {
  Settings settings;
  settings.saturation.vibrance = 12;
  const Photo photo = scaled(0.3f);
  const Settings once = auto_tone(photo, settings), twice = auto_tone(photo, once);
  EXPECT_EQ(once.exposure.ev, twice.exposure.ev);
  EXPECT_EQ(once.tone.highlights, twice.tone.highlights);
  EXPECT_EQ(once.saturation.vibrance, 12);
}

TEST(AutoTone, StaysInRangeForAnyLight) {
  for (const float light : {0.0f, 1e-6f, 1.0f, 1e5f, -1.0f, std::nanf("")}) {
    const Settings s = auto_tone(flat({light, light, light}), {});
    EXPECT_TRUE(std::abs(s.exposure.ev) <= 3);
    for (const float value : {s.tone.contrast, s.tone.highlights, s.tone.shadows, s.tone.whites, s.tone.blacks})
      EXPECT_TRUE(std::abs(value) <= 100);
  }
}

TEST(WhiteBalancePicker, ThePlaceThatIsPickedBecomesGrey) {
  const Rgb cast = {0.3f, 0.22f, 0.12f};
  const Photo photo = flat(cast);
  const WhiteBalanceParams p = derive_white_balance(pick_white_balance(photo, 0.5, 0.5), photo.color);
  const Rgb v = white_balance(p, cast, {});
  EXPECT_NEAR(v.r / v.g, 1, 0.01f);  // temperatures are rounded to 1 K, tint to 0.1
  EXPECT_NEAR(v.b / v.g, 1, 0.01f);
}

TEST(WhiteBalancePicker, SaysWhyNot) {
  EXPECT_THROW(pick_white_balance(flat({0, 0, 0}), 0.5, 0.5), Error);
  EXPECT_THROW(pick_white_balance(flat({1, 1, 1}), 1.5, 0.5), Error);
  EXPECT_THROW(white_balance_preset("moonlight"), Error);
  EXPECT_EQ(white_balance_preset("tungsten").temperature_k, 2850);
  EXPECT_EQ(white_balance_preset("as_shot").temperature_k, 0);
}

}  // namespace
}  // namespace imago::develop
