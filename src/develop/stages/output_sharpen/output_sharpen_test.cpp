#include "develop/stages/output_sharpen/output_sharpen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace imago::develop {
namespace {

std::vector<float> sharpened(const std::vector<float>& rgb, int width, int height, const OutputSharpenPlan& plan,
                             int strip) {
  std::vector<float> out;
  OutputSharpen stage(plan, width, height, [&](RowRange rows, const float* part) {
    EXPECT_EQ(static_cast<std::size_t>(rows.begin) * static_cast<std::size_t>(width) * 3, out.size());
    out.insert(out.end(), part, part + rows.count() * width * 3);
  });
  for (int y = 0; y < height; y += strip) {
    const int end = std::min(y + strip, height);
    stage.take({y, end}, rgb.data() + y * width * 3);
  }
  return out;
}

std::vector<float> picture(int width, int height) {
  std::vector<float> rgb;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float v =
          static_cast<float>(0.5 + 0.3 * std::sin(x * 0.9) * std::cos(y * 0.7) + (x > width / 2 ? 0.15 : 0));
      rgb.insert(rgb.end(), {v, v * 0.8f, v * 0.5f});
    }
  }
  return rgb;
}

const OutputSharpenPlan every_plan[] = {plan_output_sharpen(SharpenFor::screen, SharpenAmount::low, 72),
                                        plan_output_sharpen(SharpenFor::glossy, SharpenAmount::standard, 300),
                                        plan_output_sharpen(SharpenFor::matte, SharpenAmount::high, 600)};

TEST(OutputSharpen, HowRowsArriveAndWhoComputesThemChangesNothing) {
  constexpr int width = 37, height = 53;
  const auto rgb = picture(width, height);
  const int threads = thread_count();
  for (const auto& plan : every_plan) {
    const auto whole = sharpened(rgb, width, height, plan, height);
    ASSERT_EQ(whole.size(), rgb.size());
    for (const int strip : {1, 2, 7, 52}) EXPECT_EQ(sharpened(rgb, width, height, plan, strip), whole) << strip;
    set_thread_count(1);
    EXPECT_EQ(sharpened(rgb, width, height, plan, 16), whole);
    set_thread_count(threads);
  }
}

TEST(OutputSharpen, FlatAreasKeepTheirBitsAndNoiseBelowTheThresholdNearlyStays) {
  std::vector<float> flat(40 * 30 * 3, 0.4f);
  for (const auto& plan : every_plan) {
    const auto out = sharpened(flat, 40, 30, plan, 30);
    for (const float v : out) ASSERT_NEAR(v, 0.4f, 1e-6f);
    auto noisy = flat;
    for (std::size_t i = 0; i < noisy.size(); i += 6) noisy[i] = noisy[i + 1] = noisy[i + 2] = 0.4f + 0.5f / 255;
    const auto sharper = sharpened(noisy, 40, 30, plan, 30);
    for (std::size_t i = 0; i < noisy.size(); ++i) ASSERT_NEAR(sharper[i], noisy[i], 0.1f / 255);  // a tenth of a code
  }
}

TEST(OutputSharpen, AnEdgeGetsSteeperAndOvershootsNoMoreThanPlanned) {
  constexpr int width = 40, height = 9;
  std::vector<float> rgb;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto v = static_cast<float>(0.3 + 0.4 / (1 + std::exp((20 - x) * 1.2)));
      rgb.insert(rgb.end(), {v, v, v});
    }
  }
  for (const auto& plan : every_plan) {
    const auto out = sharpened(rgb, width, height, plan, height);
    const float* row = out.data() + 4 * width * 3;
    const float* before = rgb.data() + 4 * width * 3;
    EXPECT_GT(row[22 * 3] - row[18 * 3], before[22 * 3] - before[18 * 3]);
    EXPECT_GE(*std::min_element(out.begin(), out.end()), 0.3f - plan.overshoot - 1e-5f);
    EXPECT_LE(*std::max_element(out.begin(), out.end()), 0.7f + plan.overshoot + 1e-5f);
  }
}

TEST(OutputSharpen, TinyPicturesWork) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 5}, {5, 1}, {2, 2}}) {
    for (const auto& plan : every_plan) {
      const auto rgb = picture(width, height);
      EXPECT_EQ(sharpened(rgb, width, height, plan, 1).size(), rgb.size());
    }
  }
}

}  // namespace
}  // namespace imago::develop
