#include "color/transfer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace imago::color {
namespace {

struct Pair {
  Transfer transfer;
  float (*encode)(float);
  float (*decode)(float);
};
const Pair pairs[] = {{Transfer::srgb, encode_srgb, decode_srgb},
                      {Transfer::rec709, encode_rec709, decode_rec709},
                      {Transfer::prophoto, encode_prophoto, decode_prophoto},
                      {Transfer::adobe_rgb, encode_adobe_rgb, decode_adobe_rgb}};

// A sixteenth of a 16-bit step is 1e-6.
TEST(Transfer, FloatFormsFollowTheExactOnes) {
  for (const Pair& pair : pairs) {
    double worst = 0;
    for (int i = 0; i <= 100000; ++i) {
      const float x = static_cast<float>(i) / 50000.0f;
      worst = std::max(worst,
                       std::abs(static_cast<double>(pair.encode(x)) - encode(pair.transfer, static_cast<double>(x))));
      worst = std::max(worst,
                       std::abs(static_cast<double>(pair.decode(x)) - decode(pair.transfer, static_cast<double>(x))) /
                           std::max(1.0, static_cast<double>(x) * 4));
    }
    EXPECT_LT(worst, 1e-6) << static_cast<int>(pair.transfer);
  }
}

TEST(Transfer, DecodingUndoesEncoding) {
  for (const Transfer transfer :
       {Transfer::linear, Transfer::srgb, Transfer::rec709, Transfer::prophoto, Transfer::adobe_rgb}) {
    for (double x = 0; x <= 2; x += 0.001) {
      // The standard's sRGB constants leave a step of 3e-8 where the pieces meet.
      EXPECT_NEAR(decode(transfer, encode(transfer, x)), x, transfer == Transfer::srgb ? 1e-7 : 1e-12);
    }
  }
  for (const Pair& pair : pairs) {
    for (float x = 0; x <= 2; x += 0.001f) EXPECT_NEAR(pair.decode(pair.encode(x)), x, 2e-6f);
  }
}

TEST(Transfer, KnownValuesAndEnds) {
  EXPECT_NEAR(encode(Transfer::srgb, 0.18), 0.46135613, 1e-7);
  EXPECT_NEAR(decode(Transfer::srgb, 0.5), 0.21404114, 1e-8);
  EXPECT_NEAR(encode(Transfer::rec709, 0.18), 0.409, 1e-3);
  EXPECT_NEAR(encode(Transfer::prophoto, 0.18), 0.3857, 1e-4);
  EXPECT_NEAR(decode(Transfer::adobe_rgb, 0.5), std::exp2(-563.0 / 256), 1e-12);
  EXPECT_NEAR(encode(Transfer::prophoto, 1.0 / 512), 16.0 / 512, 1e-12) << "the foot meets the curve";
  for (const Pair& pair : pairs) {
    EXPECT_EQ(pair.encode(0.0f), 0.0f);
    EXPECT_EQ(pair.decode(0.0f), 0.0f);
    EXPECT_NEAR(pair.encode(1.0f), 1.0f, 2e-7f);
    EXPECT_NEAR(pair.decode(1.0f), 1.0f, 2e-7f);
  }
}

TEST(Transfer, OddValuesComeOutFinite) {
  for (const Pair& pair : pairs) {
    for (const auto& function : {pair.encode, pair.decode}) {
      EXPECT_LE(function(-0.5f), 0.0f);
      EXPECT_TRUE(std::isfinite(function(std::numeric_limits<float>::infinity())));
      const float of_nan = function(std::numeric_limits<float>::quiet_NaN());
      EXPECT_TRUE(std::isfinite(of_nan) && of_nan <= 0.01f) << of_nan;
    }
  }
}

}  // namespace
}  // namespace imago::color
