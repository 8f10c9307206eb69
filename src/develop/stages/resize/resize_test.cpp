#include "develop/stages/resize/resize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "base/parallel.h"
#include "develop/stages/test_picture.h"

namespace imago::develop {
namespace {

Rgb32f resized(const Rgb32f& source, int width, int height, bool is_draft = false) {
  return run_resize(plan_resize(source.width, source.height, width, height, is_draft), copy_of(source));
}

Rgb32f constant(int width, int height, float value) {
  Rgb32f picture(width, height);
  std::fill(picture.pixels.begin(), picture.pixels.end(), value);
  return picture;
}

TEST(Resize, EqualSizesCopyNothing) {
  Rgb32f source = noise_picture(9, 5, 1);
  const float* pixels = source.pixels.data();
  const ResizePlan plan = plan_resize(9, 5, 9, 5);
  EXPECT_EQ(run_resize(plan, std::move(source)).pixels.data(), pixels);
  EXPECT_EQ(key(plan, 7), 7u);
}

TEST(Resize, WeightsSumToOneExactlyAndStayInside) {
  for (const ResampleFilter filter :
       {ResampleFilter::mitchell, ResampleFilter::catmull_rom, ResampleFilter::triangle, ResampleFilter::box}) {
    for (const auto& [from, to] : {std::pair{6000, 2560}, {2560, 6000}, {1, 7}, {7, 1}, {3, 2}, {2, 3}, {5000, 3}}) {
      const ResampleTaps taps = resample_taps(from, to, filter);
      for (int i = 0; i < to; ++i) {
        double sum = 0;
        for (int k = 0; k < taps.tap_count; ++k)
          sum += static_cast<double>(taps.weights[static_cast<std::size_t>(i * taps.tap_count + k)]);
        ASSERT_EQ(sum, 1.0) << from << " -> " << to << " at " << i;
        ASSERT_GE(taps.start[static_cast<std::size_t>(i)], 0);
        ASSERT_LE(taps.start[static_cast<std::size_t>(i)] + taps.tap_count, from);
      }
    }
  }
}

// By hand from the published cubics.
TEST(Resize, WeightsAreThoseOfMitchellAndCatmullRom) {
  const auto weights_at = [](const ResampleTaps& taps, int i) {
    std::vector<float> found;
    for (int k = 0; k < taps.tap_count; ++k) {
      const float w = taps.weights[static_cast<std::size_t>(i * taps.tap_count + k)];
      if (w != 0) found.push_back(w);
    }
    return found;
  };
  const float half[] = {-0.0073785f, -0.0117188f, 0.1280382f,  0.3910590f,
                        0.3910590f,  0.1280382f,  -0.0117188f, -0.0073785f};
  EXPECT_THAT(weights_at(resample_taps(64, 32, ResampleFilter::mitchell), 16),
              testing::Pointwise(testing::FloatNear(1e-6f), half));
  const float quarter[] = {-0.0703125f, 0.8671875f, 0.2265625f, -0.0234375f};
  EXPECT_THAT(weights_at(resample_taps(32, 64, ResampleFilter::catmull_rom), 33),
              testing::Pointwise(testing::FloatNear(1e-6f), quarter));
}

TEST(Resize, AConstantStaysExactForPowersOfTwoAndWithinFourUlpElse) {
  for (const auto& [width, height] : {std::pair{23, 11}, {100, 80}, {1, 1}, {64, 3}}) {
    for (const float value : {1.0f, 0.25f, 0.0f}) {
      for (const float out : resized(constant(64, 40, value), width, height).pixels) ASSERT_EQ(out, value);
    }
    for (const float out : resized(constant(64, 40, 0.7f), width, height).pixels) ASSERT_NEAR(out, 0.7f, 2.4e-7f);
  }
}

// The centre of mass of a resized spot lies where the spot lies: no shift.
TEST(Resize, NothingMoves) {
  constexpr int size = 240;
  Rgb32f source(size, size);
  const double cx = 101.3, cy = 133.8;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const double dx = x + 0.5 - cx, dy = y + 0.5 - cy;
      for (int c = 0; c < 3; ++c) source.at(x, y)[c] = static_cast<float>(std::exp(-(dx * dx + dy * dy) / 200));
    }
  }
  for (const int to : {120, 103, 60, 480, 333}) {
    for (const bool is_draft : {false, true}) {
      const Rgb32f out = resized(source, to, to, is_draft);
      double sum = 0, x_sum = 0, y_sum = 0;
      for (int y = 0; y < to; ++y) {
        for (int x = 0; x < to; ++x) {
          const double v = static_cast<double>(out.at(x, y)[0]);
          sum += v;
          x_sum += v * (x + 0.5);
          y_sum += v * (y + 0.5);
        }
      }
      // In output pixels. Mitchell and Catmull-Rom keep first moments up to what their stretched samples miss.
      EXPECT_NEAR(x_sum / sum, cx * to / size, 1e-3) << to << (is_draft ? " draft" : "");
      EXPECT_NEAR(y_sum / sum, cy * to / size, 1e-3) << to << (is_draft ? " draft" : "");
    }
  }
}

TEST(Resize, HalfSizeInDraftIsTheMeanOfFour) {
  const Rgb32f source = noise_picture(32, 20, 2);
  const Rgb32f out = resized(source, 16, 10, true);
  for (int y = 0; y < 10; ++y) {
    for (int x = 0; x < 16; ++x) {
      for (int c = 0; c < 3; ++c) {
        const float mean = (source.at(2 * x, 2 * y)[c] + source.at(2 * x + 1, 2 * y)[c] +
                            source.at(2 * x, 2 * y + 1)[c] + source.at(2 * x + 1, 2 * y + 1)[c]) /
                           4;
        ASSERT_NEAR(out.at(x, y)[c], mean, 1e-6f);
      }
    }
  }
}

// A grating finer than the output can show must fade to its mean.
TEST(Resize, WhatIsTooFineFadesInsteadOfAliasing) {
  constexpr int size = 1000, to = 400;
  for (const double cycles_per_output_px : {0.65, 0.8, 0.95, 1.1, 1.2}) {
    Rgb32f source(size, 16);
    const double frequency = cycles_per_output_px * to / size;
    for (int y = 0; y < 16; ++y) {
      for (int x = 0; x < size; ++x) {
        for (int c = 0; c < 3; ++c) {
          source.at(x, y)[c] = static_cast<float>(0.5 + 0.5 * std::cos(2 * std::numbers::pi * frequency * (x + 0.5)));
        }
      }
    }
    const Rgb32f out = resized(source, to, 16);
    double squares = 0;
    for (int x = 20; x < to - 20; ++x) squares += std::pow(static_cast<double>(out.at(x, 5)[0]) - 0.5, 2);
    const double rms = std::sqrt(squares / (to - 40)) / (0.5 / std::numbers::sqrt2);
    // Mitchell's response: 0.26 at 0.65 cycles, below 0.02 from 0.95 on.
    const double bound = cycles_per_output_px < 0.7 ? 0.30 : cycles_per_output_px < 0.9 ? 0.12 : 0.03;
    EXPECT_LT(rms, bound) << cycles_per_output_px;
  }
}

TEST(Resize, MatchesADirectDoubleSum) {
  const Rgb32f source = noise_picture(61, 47, 3);
  for (const auto& [width, height] : {std::pair{23, 31}, {90, 13}, {7, 100}}) {
    const ResizePlan plan = plan_resize(61, 47, width, height);
    const Rgb32f out = run_resize(plan, copy_of(source));
    const auto weight = [](const ResampleTaps& taps, int i, int k) {
      return static_cast<double>(taps.weights[static_cast<std::size_t>(i * taps.tap_count + k)]);
    };
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        double sum = 0;
        for (int j = 0; j < plan.rows.tap_count; ++j) {
          for (int i = 0; i < plan.columns.tap_count; ++i) {
            sum += weight(plan.rows, y, j) * weight(plan.columns, x, i) *
                   static_cast<double>(source.at(plan.columns.start[static_cast<std::size_t>(x)] + i,
                                                 plan.rows.start[static_cast<std::size_t>(y)] + j)[1]);
          }
        }
        ASSERT_NEAR(static_cast<double>(out.at(x, y)[1]), sum, 4e-7);
      }
    }
  }
}

TEST(Resize, FlipsCommuteWithinRounding) {
  const Rgb32f source = noise_picture(50, 34, 4);
  Rgb32f flipped(50, 34);
  for (int y = 0; y < 34; ++y) {
    for (int x = 0; x < 50; ++x) std::copy_n(source.at(49 - x, y), 3, flipped.at(x, y));
  }
  const Rgb32f a = resized(source, 21, 15), b = resized(flipped, 21, 15);
  for (int y = 0; y < 15; ++y) {
    // Not bit for bit: the order of sums turns round.
    for (int x = 0; x < 21; ++x) ASSERT_NEAR(a.at(x, y)[0], b.at(20 - x, y)[0], 5e-7f);
  }
}

TEST(Resize, ThreadsAndBandsChangeNothing) {
  const Rgb32f source = noise_picture(200, 333, 5);
  const ResizePlan plan = plan_resize(200, 333, 77, 140);
  const int threads = thread_count();
  set_thread_count(1);
  const Rgb32f whole = run_resize(plan, copy_of(source));
  set_thread_count(3);
  EXPECT_TRUE(same_bits(run_resize(plan, copy_of(source)), whole));
  set_thread_count(threads);
  for (const int band : {1, 9, 140}) {
    Rgb32f pieces(77, 140);
    for (int y = 0; y < 140; y += band) {
      resample_rows(source, plan.columns, plan.rows, {y, std::min(y + band, 140)}, pieces.row(y));
    }
    EXPECT_TRUE(same_bits(pieces, whole)) << band;
  }
}

}  // namespace
}  // namespace imago::develop
