#include "develop/stages/noise/noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/parallel.h"
#include "develop/stages/source/source.h"
#include "develop/stages/test_picture.h"
#include "io/raw/raw_image.h"

namespace imago::develop {
namespace {

constexpr float grey = 0.25f;
constexpr double deviation = 0.01;  // of every sample

// A flat grey photographed by a Bayer sensor of unit gains.
Rgb32f noisy_grey(int size, unsigned seed) {
  io::RawImage raw;
  raw.width = raw.height = size;
  raw.info.width = raw.info.height = size;
  raw.active_area = raw.default_crop = {0, 0, size, size};
  raw.layout = io::RawLayout::bayer;
  raw.cfa.width = raw.cfa.height = 2;
  raw.cfa.colors = {0, 1, 3, 2};
  raw.white = {65535, 65535, 65535, 65535};
  raw.clip = raw.white;
  raw.neutral = {1, 1, 1};
  raw.samples = PixelBuffer<std::uint16_t>(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(static_cast<double>(grey) * 65535, deviation * 65535);
  for (std::uint16_t& sample : raw.samples) {
    sample = static_cast<std::uint16_t>(std::clamp(std::lround(normal(random)), 0L, 65535L));
  }
  SourcePlan plan = plan_source(raw, {});
  plan.working_from_camera = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  return develop_source(std::move(raw), plan);
}

NoiseModel model_of_grey() {
  const io::RawNoise noise{0, deviation * deviation};
  return *noise_from_profile(std::span(&noise, 1), {1, 1, 1}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
}

struct Deviations {
  double y, u, v;
};

Deviations deviations_of(const Rgb32f& picture) {
  Deviations sums{};
  for (std::size_t i = 0; i < picture.pixels.size(); i += 3) {
    const auto d = [&](std::size_t c) { return static_cast<double>(picture.pixels[i + c] - grey); };
    sums.y += std::pow((d(0) + 2 * d(1) + d(2)) / 4, 2);
    sums.u += std::pow(d(0) - d(1), 2);
    sums.v += std::pow(d(2) - d(1), 2);
  }
  const double count = static_cast<double>(picture.pixels.size()) / 3;
  return {std::sqrt(sums.y / count), std::sqrt(sums.u / count), std::sqrt(sums.v / count)};
}

NoisePlan plan_of(const Noise& settings, const Rgb32f& picture, const NoiseModel& model, double level = 1) {
  return plan_noise(settings, model, picture.width, picture.height, level);
}

TEST(Noise, AmountZeroDoesNothingAndCostsNothing) {
  const NoisePlan plan = plan_of({}, Rgb32f(8, 8), {});
  EXPECT_TRUE(plan.is_identity());
  EXPECT_EQ(key(plan, 42), 42u);
}

TEST(Noise, AModelOfAProfileIsCarriedThroughGainsAndMatrix) {
  // Y = G / 2 + (R + B) / 4 of channels with gains 2, 1, 1.5: variances add with the squares of their weights.
  const std::array<io::RawNoise, 3> noise{{{1e-4, 1e-6}, {2e-4, 2e-6}, {3e-4, 3e-6}}};
  const NoiseModel model = *noise_from_profile(noise, {2, 1, 1.5f}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  EXPECT_NEAR(model.scale[0], (2 * 1e-4 + 4 * 2e-4 + 1.5 * 3e-4) / 16, 1e-10);
  EXPECT_NEAR(model.offset[1], 4 * 1e-6 + 2e-6, 1e-12);
  EXPECT_NEAR(model.offset[2], 2e-6 + 2.25 * 3e-6, 1e-12);
  EXPECT_FALSE(noise_from_profile({}, {1, 1, 1}, {}));
}

TEST(Noise, AFlatPictureTellsItsNoise) {
  const NoiseModel fitted = fit_noise(noisy_grey(512, 1)), known = model_of_grey();
  for (std::size_t plane = 0; plane < 3; ++plane) {
    const float variance = fitted.scale[plane] * grey + fitted.offset[plane];
    EXPECT_NEAR(variance / known.offset[plane], 1, 0.1) << plane;  // the share of a tenth of 1024 blocks
  }
}

// plane_sigmas is what the demosaic really leaves: at amount 100 little of the noise survives, and what the
// thresholds take is noise, so twice the picture's noise is not mistaken for it.
TEST(Noise, NoiseOfTheModelGoesAndTheMeanStays) {
  const Rgb32f noisy = noisy_grey(256, 2);
  const Rgb32f clean = reduce_noise(plan_of({.luminance = 100, .color = 100}, noisy, model_of_grey()), noisy);
  const Deviations before = deviations_of(noisy), after = deviations_of(clean);
  EXPECT_LT(after.y, 0.1 * before.y);
  EXPECT_LT(after.u, 0.2 * before.u);
  EXPECT_LT(after.v, 0.2 * before.v);
  double mean = 0;
  for (const float value : clean.pixels) mean += static_cast<double>(value - grey);
  EXPECT_LT(std::abs(mean / static_cast<double>(clean.pixels.size())), 1e-4);
}

TEST(Noise, ColorAloneKeepsLuminance) {
  const Rgb32f noisy = noisy_grey(128, 3);
  const Rgb32f clean = reduce_noise(plan_of({.color = 60}, noisy, model_of_grey()), noisy);
  const auto luminance = [](const Rgb32f& p, std::size_t i) {
    return 0.25f * p.pixels[i] + 0.5f * p.pixels[i + 1] + 0.25f * p.pixels[i + 2];
  };
  for (std::size_t i = 0; i < clean.pixels.size(); i += 3) {
    ASSERT_NEAR(luminance(clean, i), luminance(noisy, i), 1e-6f);  // sums of a few rounded terms below 1
  }
  EXPECT_LT(deviations_of(clean).u, deviations_of(noisy).u / 2);
}

TEST(Noise, AStrongEdgeStays) {
  Rgb32f picture(64, 64);
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) std::fill_n(picture.at(x, y), 3, x < 32 ? 0.05f : 0.8f);
  }
  const Rgb32f clean = reduce_noise(plan_of({.luminance = 50, .color = 50}, picture, model_of_grey()), picture);
  for (int x = 0; x < 64; ++x) EXPECT_NEAR(clean.at(x, 30)[1], picture.at(x, 30)[1], 0.02f) << x;
}

TEST(Noise, AGreyPictureStaysGrey) {
  Rgb32f picture = noise_picture(70, 50, 4);
  for (std::size_t i = 0; i < picture.pixels.size(); i += 3) {
    picture.pixels[i + 1] = picture.pixels[i + 2] = picture.pixels[i];
  }
  const Rgb32f clean = reduce_noise(plan_of({.luminance = 80, .color = 80}, picture, {}), picture);
  for (std::size_t i = 0; i < clean.pixels.size(); i += 3) {
    ASSERT_EQ(clean.pixels[i], clean.pixels[i + 1]);
    ASSERT_EQ(clean.pixels[i], clean.pixels[i + 2]);
  }
}

TEST(Noise, FlipsCommuteWhereEveryLevelHalvesTheFrame) {
  const Rgb32f picture = noise_picture(96, 64, 5);
  Rgb32f flipped(96, 64);
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 96; ++x) std::copy_n(picture.at(95 - x, y), 3, flipped.at(x, y));
  }
  const NoisePlan plan = plan_of({.luminance = 60, .color = 60}, picture, {.scale = {0.01f, 0.01f, 0.01f}});
  const Rgb32f a = reduce_noise(plan, picture), b = reduce_noise(plan, flipped);
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 96; ++x) {
      for (int c = 0; c < 3; ++c) ASSERT_NEAR(a.at(x, y)[c], b.at(95 - x, y)[c], 1e-5f);
    }
  }
}

TEST(Noise, APreviewStartsAtACoarserOctave) {
  const NrParams full = nr_params({.luminance = 40, .color = 40}, {}, 1);
  const NrParams half = nr_params({.luminance = 40, .color = 40}, {}, 0.5);
  for (std::size_t k = 0; k + 1 < noise_levels; ++k) {
    EXPECT_FLOAT_EQ(half.luminance[k], full.luminance[k + 1]);
    EXPECT_FLOAT_EQ(half.color[k], full.color[k + 1]);
  }
}

TEST(Noise, OddValuesSpreadNoFurtherThanThemselves) {
  Rgb32f picture = noise_picture(40, 33, 6);
  picture.at(9, 9)[1] = std::nanf("");
  picture.at(30, 20)[2] = std::numeric_limits<float>::infinity();
  const Rgb32f clean = reduce_noise(plan_of({.luminance = 50, .color = 50}, picture, {}), picture);
  int odd = 0;
  for (const float value : clean.pixels) odd += std::isfinite(value) ? 0 : 1;
  EXPECT_EQ(odd, 2);
}

TEST(Noise, ThreadsChangeNothingAndEverySizeWorks) {
  const int threads = thread_count();
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {2, 3}, {33, 65}, {131, 97}}) {
    const Rgb32f picture = noise_picture(width, height, 7);
    const NoisePlan plan = plan_of({.luminance = 50, .color = 50}, picture, {.scale = {0.01f, 0.01f, 0.01f}});
    set_thread_count(1);
    const Rgb32f one = reduce_noise(plan, picture);
    set_thread_count(4);
    EXPECT_TRUE(same_bits(reduce_noise(plan, picture), one)) << width << "x" << height;
  }
  set_thread_count(threads);
}

}  // namespace
}  // namespace imago::develop
