#include "develop/stages/detail/detail.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "develop/stages/detail/detail_pixel.h"
#include "develop/stages/planes/log_luminance.h"
#include "develop/stages/test_picture.h"

namespace imago::develop {
namespace {

constexpr double diagonal = 900;

Rgb32f run(const Sharpen& sharpen, const Presence& presence, const Rgb32f& scene, double level = 1) {
  const DetailPlan plan = plan_detail(sharpen, presence, scene.width, scene.height, level, diagonal);
  const Plane base = base_layer(plan_planes(scene.width, scene.height, diagonal), scene);
  return apply_detail(plan, scene, &base);
}

// Left half dark, right half bright, columns alike.
Rgb32f edge_picture(float dark, float bright) {
  Rgb32f picture(60, 40);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 60; ++x) std::fill_n(picture.at(x, y), 3, x < 30 ? dark : bright);
  }
  return picture;
}

TEST(Detail, DefaultsAreTheIdentity) {
  const DetailPlan plan = plan_detail({}, {}, 10, 10, 1, diagonal);
  EXPECT_TRUE(plan.is_identity());
  EXPECT_EQ(key(plan, 9), 9u);
  EXPECT_FALSE(plan.needs_base());
}

TEST(Detail, AFlatPictureKeepsItsValue) {
  Rgb32f picture(50, 40);
  std::fill(picture.pixels.begin(), picture.pixels.end(), 0.2f);
  const Rgb32f out = run({.amount = 150, .masking = 50}, {.texture = 100, .clarity = 100}, picture);
  for (const float value : out.pixels) ASSERT_NEAR(value, 0.2f, 1e-6f);  // a blur's taps sum to 1 within 1 ulp each
}

TEST(Detail, SharpeningIsAnUnsharpMaskOfStops) {
  const Rgb32f picture = edge_picture(0.1f, 0.2f);
  const Rgb32f out = run({.amount = 100, .radius_px = 1, .detail = 100}, {}, picture);
  // One stop across a Gaussian edge of deviation 1, sampled: L - blur at the pixels beside it.
  double sum = 0, outside = 0;
  for (int i = -3; i <= 3; ++i) sum += std::exp(-0.5 * i * i);
  for (int i = 1; i <= 3; ++i) outside += std::exp(-0.5 * i * i) / sum;
  EXPECT_NEAR(std::log2(out.at(30, 20)[0] / 0.2f), 1.5 * outside, 1e-5);
  EXPECT_NEAR(std::log2(out.at(29, 20)[0] / 0.1f), -1.5 * outside, 1e-5);
  EXPECT_NEAR(out.at(10, 20)[0], 0.1f, 1e-7f);  // a blur of equal values is off by an ulp
}

TEST(Detail, LowDetailHoldsHalosBack) {
  const Rgb32f picture = edge_picture(0.1f, 0.2f);
  const Rgb32f out = run({.amount = 150, .radius_px = 2, .detail = 0}, {}, picture);
  for (int x = 0; x < 60; ++x) {
    EXPECT_LE(std::log2(out.at(x, 20)[0] / 0.2f), 0.0201f);  // the slack
    EXPECT_GE(std::log2(out.at(x, 20)[0] / 0.1f), -0.0201f);
  }
}

TEST(Detail, MaskingLeavesFaintTextureAlone) {
  Rgb32f picture = edge_picture(0.05f, 0.4f);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 20; ++x) {
      for (int c = 0; c < 3; ++c) picture.at(x, y)[c] *= (x + y) % 2 == 0 ? 1.01f : 0.99f;
    }
  }
  const Rgb32f out = run({.amount = 100, .detail = 100, .masking = 100}, {}, picture);
  EXPECT_NEAR(out.at(8, 20)[0], picture.at(8, 20)[0], 1e-5f);
  EXPECT_GT(out.at(30, 20)[0], 0.42f);
}

TEST(Detail, ClarityAndTextureRaiseAndLowerLocalContrast) {
  Rgb32f picture(80, 60);
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 80; ++x) {
      std::fill_n(picture.at(x, y), 3, 0.18f * std::exp2(0.15f * std::sin(static_cast<float>(x) * 1.5f)));
    }
  }
  const auto contrast = [](const Rgb32f& p) {
    float low = 1, high = 0;
    for (int x = 20; x < 60; ++x) low = std::min(low, p.at(x, 30)[0]), high = std::max(high, p.at(x, 30)[0]);
    return std::log2(high / low);
  };
  const float before = contrast(picture);
  EXPECT_GT(contrast(run({}, {.clarity = 100}, picture)), 1.4f * before);
  EXPECT_LT(contrast(run({}, {.clarity = -100}, picture)), 0.6f * before);
  EXPECT_GT(contrast(run({}, {.texture = 100}, picture)), 1.3f * before);
  EXPECT_LT(contrast(run({}, {.texture = -100}, picture)), 0.7f * before);
}

TEST(Detail, HueAndSaturationStay) {
  Rgb32f picture = noise_picture(50, 40, 1);
  const Rgb32f out = run({.amount = 100}, {.texture = 60, .clarity = 60}, picture);
  for (std::size_t i = 0; i < out.pixels.size(); i += 3) {
    ASSERT_NEAR(out.pixels[i] * picture.pixels[i + 1], out.pixels[i + 1] * picture.pixels[i], 4e-6f);
  }
}

TEST(Detail, ExposureCommutes) {
  const Rgb32f picture = edge_picture(0.1f, 0.3f);
  Rgb32f brighter = copy_of(picture);
  for (float& value : brighter.pixels) value *= 2;
  const Rgb32f a = run({.amount = 80}, {.texture = 50}, picture), b = run({.amount = 80}, {.texture = 50}, brighter);
  for (std::size_t i = 0; i < a.pixels.size(); ++i) ASSERT_NEAR(2 * a.pixels[i], b.pixels[i], 1e-5f);
}

TEST(Detail, QuarterTurnsOfSharpeningCommute) {
  const Rgb32f picture = scene_picture(70, 50, 2);
  Rgb32f turned(50, 70);
  for (int y = 0; y < 50; ++y) {
    for (int x = 0; x < 70; ++x) std::copy_n(picture.at(x, y), 3, turned.at(49 - y, x));
  }
  const Sharpen sharpen{.amount = 120, .radius_px = 1.7f, .masking = 40};
  const Rgb32f a = run(sharpen, {}, picture), b = run(sharpen, {}, turned);
  for (int y = 0; y < 50; ++y) {
    for (int x = 0; x < 70; ++x) ASSERT_NEAR(a.at(x, y)[1], b.at(49 - y, x)[1], 1e-5f * (1 + a.at(x, y)[1]));
  }
}

TEST(Detail, OddValuesSpreadNoFurther) {
  Rgb32f picture = scene_picture(40, 30, 3);
  picture.at(7, 7)[0] = std::nanf("");
  picture.at(20, 20)[1] = std::numeric_limits<float>::infinity();
  const Rgb32f out = run({.amount = 150, .radius_px = 3}, {.texture = 100, .clarity = 100}, picture);
  int odd = 0;
  for (const float value : out.pixels) odd += std::isfinite(value) ? 0 : 1;
  EXPECT_EQ(odd, 2);
}

TEST(Detail, ThreadsChangeNothingAndEverySizeWorks) {
  const int threads = thread_count();
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {2, 3}, {33, 65}, {131, 97}}) {
    const Rgb32f picture = noise_picture(width, height, 7);
    set_thread_count(1);
    const Rgb32f one = run({.amount = 90, .radius_px = 3}, {.texture = 30, .clarity = 30}, picture);
    set_thread_count(4);
    EXPECT_TRUE(same_bits(run({.amount = 90, .radius_px = 3}, {.texture = 30, .clarity = 30}, picture), one));
  }
  set_thread_count(threads);
}

}  // namespace
}  // namespace imago::develop
