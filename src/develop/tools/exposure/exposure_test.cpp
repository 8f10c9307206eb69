#include "develop/tools/exposure/exposure.h"

#include <gtest/gtest.h>

namespace imago::develop {
namespace {

TEST(Exposure, OneStopDoublesLinearLight) {
  const ExposureParams p = derive_exposure({.ev = 1});
  EXPECT_EQ(exposure(p, {0.1f, -0.2f, 3e-30f}, {}), (Rgb{0.2f, -0.4f, 6e-30f}));
}

TEST(Exposure, StopsAddUp) {
  EXPECT_EQ(derive_exposure({.ev = 2}).gain, 4.0f);
  EXPECT_EQ(derive_exposure({.ev = -3}).gain, 0.125f);
  EXPECT_NEAR(derive_exposure({.ev = 0.5f}).gain, 1.41421356f, 1e-7f);
}

TEST(Exposure, IsOffAtZero) {
  EXPECT_EQ(derive_exposure({}).enabled, 0u);
  EXPECT_EQ(derive_exposure({.ev = 0.01f}).enabled, 1u);
}

TEST(Exposure, IsDescribedForTheGpu) {
  EXPECT_EQ(wgsl_struct("exposure", exposure_params), "struct ExposureParams { enabled: u32, gain: f32, }\n");
  std::vector<std::uint32_t> words;
  const ExposureParams p = derive_exposure({.ev = 1});
  append_words(&p, exposure_params, words);
  EXPECT_EQ(words, (std::vector<std::uint32_t>{1, 0x40000000u, 0, 0}));
}

}  // namespace
}  // namespace imago::develop
