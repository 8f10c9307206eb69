#include "develop/tools/encode/encode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace imago::develop {
namespace {

TEST(Encode, SrgbIsTheStandards) {
  const EncodeParams p = derive_encode(srgb_transfer);
  EXPECT_NEAR(encode_channel(p, 0.18f), 0.46135613, 2e-7);  // IEC 61966-2-1
  EXPECT_NEAR(encode_channel(p, 0.5f), 0.73535698, 2e-7);
  EXPECT_NEAR(encode_channel(p, 0.001f), 0.01292, 1e-8);
}

TEST(Encode, OtherSpacesAreTheirStandards) {
  EXPECT_NEAR(encode_channel(derive_encode(adobe_rgb_transfer), 0.18f), std::pow(0.18, 1 / 2.19921875), 2e-7);
  EXPECT_NEAR(encode_channel(derive_encode(prophoto_transfer), 0.18f), std::pow(0.18, 1 / 1.8), 2e-7);
  EXPECT_NEAR(encode_channel(derive_encode(prophoto_transfer), 0.001f), 0.016, 1e-8);
  EXPECT_NEAR(encode_channel(derive_encode(rec2020_transfer), 0.18f), 1.0992968 * std::pow(0.18, 0.45) - 0.0992968,
              2e-7);
  EXPECT_EQ(encode_channel(derive_encode(linear_transfer), 0.18f), 0.18f);
}

TEST(Encode, BlackAndWhiteAreExact) {
  for (const Transfer& transfer :
       {srgb_transfer, adobe_rgb_transfer, prophoto_transfer, rec2020_transfer, linear_transfer}) {
    const EncodeParams p = derive_encode(transfer);
    EXPECT_EQ(encode_channel(p, 0), 0);
    EXPECT_NEAR(encode_channel(p, 1), 1, 1.2e-7);
  }
}

TEST(Encode, RisesThroughItsJoint) {
  for (const Transfer& transfer : {srgb_transfer, adobe_rgb_transfer, prophoto_transfer, rec2020_transfer}) {
    const EncodeParams p = derive_encode(transfer);
    float before = 0;
    for (float x = 1e-5f; x < 1; x *= 1.01f) {
      const float now = encode_channel(p, x);
      ASSERT_GT(now, before) << x;
      ASSERT_LT(now, before + 0.008f) << x;
      before = now;
    }
  }
}

TEST(Encode, AnyValueIsClamped) {
  const EncodeParams p = derive_encode(srgb_transfer);
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(encode_channel(p, -0.5f), 0);
  EXPECT_EQ(encode_channel(p, std::nanf("")), 0);
  EXPECT_EQ(encode_channel(p, -inf), 0);
  EXPECT_EQ(encode_channel(p, inf), encode_channel(p, 1));
  EXPECT_LE(encode_channel(p, 7), 1);
}

TEST(Encode, SrgbThereAndBackAgain) {
  for (float x = 0; x <= 1; x += 0.0007f) {
    ASSERT_NEAR(linear_from_srgb_encoded(srgb_encoded_from_linear(x)), x, 1e-6f);
  }
}

}  // namespace
}  // namespace imago::develop
