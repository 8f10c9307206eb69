#include "base/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/simd.h"

namespace imago {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float largest = std::numeric_limits<float>::max();
constexpr float smallest = std::numeric_limits<float>::min();

double ulp(float value) { return std::nextafter(std::abs(value), infinity) - std::abs(value); }

// Every `step`-th positive normal float.
template <typename Body>
void sweep(std::uint32_t first, std::uint32_t last, std::uint32_t step, Body body) {
  for (std::uint32_t bits = first; bits <= last; bits += step) body(std::bit_cast<float>(bits));
}

TEST(Math, Exp2StaysWithinItsUlps) {
  double worst = 0;
  for (double x = -126; x < 127.99; x += 1e-4) {
    const float argument = static_cast<float>(x);
    const double truth = std::exp2(static_cast<double>(argument));
    worst =
        std::max(worst, std::abs(static_cast<double>(poly_exp2(argument)) - truth) / ulp(static_cast<float>(truth)));
  }
  RecordProperty("worst_ulp", std::to_string(worst));
  EXPECT_LT(worst, 1.3);
}

TEST(Math, Exp2OfWholeNumbersIsExact) {
  for (int n = -126; n < 128; ++n) EXPECT_EQ(poly_exp2(static_cast<float>(n)), std::ldexp(1.0f, n)) << n;
}

TEST(Math, Log2IsRelativelyAccurateOverAllFloatsAndBesideOne) {
  double worst = 0;
  float worst_at = 0;
  const auto look = [&](float x) {
    if (x == 1.0f) return;
    const double truth = std::log2(static_cast<double>(x));
    const double error = std::abs((static_cast<double>(poly_log2(x)) - truth) / truth);
    if (error > worst) worst = error, worst_at = x;
  };
  sweep(0x00800000u, 0x7f7fffffu, 1009, look);
  sweep(std::bit_cast<std::uint32_t>(0.99f), std::bit_cast<std::uint32_t>(1.01f), 1, look);
  RecordProperty("worst_relative", std::to_string(worst * 1e9) + "e-9");
  EXPECT_LT(worst, 1.7e-7) << "at " << worst_at;
  EXPECT_EQ(poly_log2(1.0f), 0.0f);
}

TEST(Math, Log2OfPowersOfTwoIsExact) {
  for (int n = -125; n < 128; ++n) EXPECT_EQ(poly_log2(std::ldexp(1.0f, n)), static_cast<float>(n));
}

TEST(Math, CubeRootIsAccurateOverAllFloats) {
  double worst = 0;
  sweep(0x00800000u, 0x7f7fffffu, 1009, [&](float x) {
    const double truth = std::cbrt(static_cast<double>(x));
    worst = std::max(worst, std::abs(static_cast<double>(poly_cbrt(x)) - truth) / truth);
    ASSERT_EQ(poly_cbrt(-x), -poly_cbrt(x));
  });
  RecordProperty("worst_relative", std::to_string(worst * 1e9) + "e-9");
  EXPECT_LT(worst, 1.3e-7);
}

TEST(Math, PowFollowsItsStatedError) {
  double worst = 0;
  for (const float y : {1 / 2.4f, 2.4f, 1 / 1.8f, 1.8f, 0.45f, 563 / 256.0f, 0.1f, -1.0f, 5.0f}) {
    sweep(std::bit_cast<std::uint32_t>(1e-7f), std::bit_cast<std::uint32_t>(100.0f), 4099, [&](float x) {
      const double exponent = static_cast<double>(y) * std::log2(static_cast<double>(x));
      if (std::abs(exponent) > 120) return;
      const double truth = std::exp2(exponent);
      const double bound = (2 + std::abs(exponent)) * 1.5e-7;
      worst = std::max(worst, std::abs(static_cast<double>(poly_pow(x, y)) / truth - 1) / bound);
    });
  }
  RecordProperty("worst_share_of_bound", std::to_string(worst));
  EXPECT_LT(worst, 1.0);
}

TEST(Math, SpecialValuesAreFiniteAsStated) {
  EXPECT_EQ(poly_exp2(not_a_number), 0.0f);
  EXPECT_EQ(poly_exp2(-infinity), 0.0f);
  EXPECT_EQ(poly_exp2(-126.001f), 0.0f);
  EXPECT_EQ(poly_exp2(-126.0f), smallest);
  EXPECT_NEAR(poly_exp2(infinity) / largest, 1.0f, 1e-5f);
  EXPECT_NEAR(poly_exp2(1e30f) / largest, 1.0f, 1e-5f);
  EXPECT_EQ(poly_exp2(1e-40f), 1.0f);

  for (const float x : {0.0f, -0.0f, -1.0f, -infinity, not_a_number, -not_a_number, 1e-40f, smallest}) {
    EXPECT_EQ(poly_log2(x), -126.0f) << x;
  }
  EXPECT_EQ(poly_log2(infinity), 128.0f);

  for (const float x : {0.0f, -0.0f, not_a_number, -not_a_number, 1e-40f, -1e-40f}) EXPECT_EQ(poly_cbrt(x), 0.0f) << x;
  EXPECT_NEAR(poly_cbrt(infinity) / 6.98136e12f, 1.0f, 1e-4f);
  EXPECT_NEAR(poly_cbrt(-infinity) / -6.98136e12f, 1.0f, 1e-4f);

  for (const float x : {0.0f, -0.0f, -1.0f, -infinity, not_a_number, 1e-40f}) {
    EXPECT_EQ(poly_pow(x, 2.4f), 0.0f) << x;
    EXPECT_EQ(poly_pow(x, -1.0f), 0.0f) << x;
    EXPECT_EQ(poly_pow(x, 0.0f), 0.0f) << x;
  }
  EXPECT_EQ(poly_pow(3.7f, 0.0f), 1.0f);
  EXPECT_EQ(poly_pow(1.0f, 123.0f), 1.0f);
  EXPECT_EQ(poly_pow(2.0f, not_a_number), 0.0f);
  EXPECT_EQ(poly_pow(1e-10f, 100.0f), 0.0f);
  EXPECT_TRUE(std::isfinite(poly_pow(1e10f, 100.0f)));
}

IMAGO_SIMD_CLONES void all_functions(const float* in, float* out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i * 4] = poly_exp2(in[i]);
    out[i * 4 + 1] = poly_log2(in[i]);
    out[i * 4 + 2] = poly_cbrt(in[i]);
    out[i * 4 + 3] = poly_pow(in[i], 0.4166667f);
  }
}

// The vector code of this processor against one value at a time through the baseline.
TEST(Math, VectorisedLoopsGiveTheSameBitsAsSingleCalls) {
  std::vector<float> in;
  for (std::uint32_t bits = 0; bits < 0xfff00000u; bits += 40961) in.push_back(std::bit_cast<float>(bits));
  std::vector<float> out(in.size() * 4);
  all_functions(in.data(), out.data(), in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    volatile float x = in[i];
    const float single[] = {poly_exp2(x), poly_log2(x), poly_cbrt(x), poly_pow(x, 0.4166667f)};
    for (std::size_t k = 0; k < 4; ++k) {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(single[k]), std::bit_cast<std::uint32_t>(out[i * 4 + k]))
          << in[i] << " function " << k;
    }
  }
}

}  // namespace
}  // namespace imago
