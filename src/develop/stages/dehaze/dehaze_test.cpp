#include "develop/stages/dehaze/dehaze.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "develop/stages/test_picture.h"

namespace imago::develop {
namespace {

constexpr double diagonal = 500;

// Colourful noise seen through haze that thickens to the right: what came through falls from 1 to 0.3.
Rgb32f hazy_picture(int width, int height, const Rgb32f& clear, const Airlight& air) {
  Rgb32f picture(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float t = 1 - 0.7f * static_cast<float>(x) / static_cast<float>(width);
      for (int c = 0; c < 3; ++c) {
        picture.at(x, y)[c] = clear.at(x, y)[c] * t + air[static_cast<std::size_t>(c)] * (1 - t);
      }
    }
  }
  return picture;
}

// A block at the right edge is nothing but airlight.
Rgb32f clear_picture(int width, int height) {
  Rgb32f picture = noise_picture(width, height, 1);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c) picture.at(x, y)[c] *= (x / 8 + y / 8) % 3 == c ? 0.02f : 0.5f;
    }
  }
  return picture;
}

Rgb32f run(float amount, const Rgb32f& picture) {
  const DehazePlan plan = plan_dehaze({.dehaze = amount}, picture.width, picture.height, diagonal);
  Rgb32f out = copy_of(picture);
  dehaze(plan, airlight_of(plan, picture), out);
  return out;
}

double distance(const Rgb32f& a, const Rgb32f& b, int x_begin) {
  double sum = 0;
  for (int y = 0; y < a.height; ++y) {
    for (int x = x_begin; x < a.width; ++x) {
      for (int c = 0; c < 3; ++c) sum += std::abs(static_cast<double>(a.at(x, y)[c] - b.at(x, y)[c]));
    }
  }
  return sum / (3.0 * a.height * (a.width - x_begin));
}

TEST(Dehaze, TheDefaultIsTheIdentity) {
  const DehazePlan plan = plan_dehaze({}, 30, 20, diagonal);
  EXPECT_TRUE(plan.is_identity());
  EXPECT_EQ(key(plan, 5), 5u);
}

TEST(Dehaze, TheAirlightIsTheColourOfTheThickestHaze) {
  const Airlight air{0.7f, 0.75f, 0.85f};
  Rgb32f picture = clear_picture(240, 160);
  for (int y = 0; y < 24; ++y) {
    for (int x = 0; x < 240; ++x) std::copy_n(air.begin(), 3, picture.at(x, y));
  }
  const Airlight found = airlight_of(plan_dehaze({.dehaze = 50}, 240, 160, diagonal), picture);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(found[c], air[c], 1e-3f);
}

TEST(Dehaze, AKnownHazeIsCleared) {
  const Airlight air{0.7f, 0.75f, 0.85f};
  Rgb32f clear = clear_picture(240, 160);
  for (int y = 0; y < 24; ++y) {
    for (int x = 0; x < 240; ++x) std::copy_n(air.begin(), 3, clear.at(x, y));
  }
  const Rgb32f hazy = hazy_picture(240, 160, clear, air);
  const Rgb32f out = run(100, hazy);
  EXPECT_LT(distance(out, clear, 120), 0.5 * distance(hazy, clear, 120));
}

TEST(Dehaze, LessThanNothingAddsHaze) {
  const Rgb32f picture = clear_picture(120, 80);
  const Rgb32f out = run(-100, picture);
  const auto spread = [](const Rgb32f& p) {
    double sum = 0, square = 0;
    for (const float v : p.pixels) sum += static_cast<double>(v), square += static_cast<double>(v * v);
    const double count = static_cast<double>(p.pixels.size());
    return square / count - sum * sum / (count * count);
  };
  EXPECT_LT(spread(out), 0.8 * spread(picture));
}

TEST(Dehaze, GreyStaysGrey) {
  Rgb32f picture = noise_picture(90, 70, 3);
  for (std::size_t i = 0; i < picture.pixels.size(); i += 3) {
    picture.pixels[i + 1] = picture.pixels[i + 2] = picture.pixels[i];
  }
  for (const float amount : {-60.0f, 60.0f}) {
    const Rgb32f out = run(amount, picture);
    for (std::size_t i = 0; i < out.pixels.size(); i += 3) {
      ASSERT_EQ(out.pixels[i], out.pixels[i + 1]);
      ASSERT_EQ(out.pixels[i], out.pixels[i + 2]);
    }
  }
}

TEST(Dehaze, OddValuesSpreadNoFurther) {
  Rgb32f picture = scene_picture(60, 50, 4);
  picture.at(9, 9)[0] = std::nanf("");
  picture.at(30, 30)[1] = std::numeric_limits<float>::infinity();
  picture.at(40, 30)[1] = -std::numeric_limits<float>::infinity();
  for (const float amount : {-100.0f, 100.0f}) {
    int odd = 0;
    for (const float value : run(amount, picture).pixels) odd += std::isfinite(value) ? 0 : 1;
    EXPECT_LE(odd, 3);
  }
}

TEST(Dehaze, ThreadsChangeNothingAndEverySizeWorks) {
  const int threads = thread_count();
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {2, 3}, {33, 65}, {131, 97}}) {
    const Rgb32f picture = noise_picture(width, height, 7);
    set_thread_count(1);
    const Rgb32f one = run(80, picture);
    set_thread_count(4);
    EXPECT_TRUE(same_bits(run(80, picture), one));
  }
  set_thread_count(threads);
}

}  // namespace
}  // namespace imago::develop
