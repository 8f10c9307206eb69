#include "color/output_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lcms2.h>

#include <cmath>
#include <vector>

#include "base/error.h"
#include "color/icc.h"

namespace imago::color {
namespace {

using testing::HasSubstr;

std::vector<std::byte> saved(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  std::vector<std::byte> bytes(size);
  cmsSaveProfileToMem(profile, bytes.data(), &size);
  cmsCloseProfile(profile);
  return bytes;
}

// Rec.709's curve and the wanted one, in double.
double encoded_709(double v) {
  return v < 0.018053968510807 ? 4.5 * v : 1.09929682680944 * std::pow(v, 0.45) - 0.09929682680944;
}

TEST(OutputProfile, AMatrixProfileAgreesWithItsOwnMathematics) {
  const auto icc = icc_profile(p3_primaries, Transfer::srgb, "Display P3");
  const OutputProfile profile(icc, RenderingIntent::relative, false, "p3.icc");
  EXPECT_EQ(profile.description(), "Display P3");
  const Matrix3 p3 = rgb_from_rgb(p3_primaries, rec2020_primaries);
  for (const Vector3& linear : {Vector3{0.5, 0.5, 0.5}, Vector3{0.3, 0.2, 0.1}, Vector3{0.02, 0.03, 0.025},
                                Vector3{1, 1, 1}, Vector3{0, 0, 0}}) {
    float in[3], out[3];
    for (std::size_t c = 0; c < 3; ++c) in[c] = static_cast<float>(encoded_709(linear[c]));
    profile.convert(in, out, 1);
    const Vector3 expected = p3 * linear;
    for (std::size_t c = 0; c < 3; ++c)  // the profile's matrix holds 16-bit fractions
      EXPECT_NEAR(out[c], encode(Transfer::srgb, expected[c]), 2e-4);
  }
}

// A printer whose darkest ink is L* 20 and whose paper is L* 95, as a table profile: BToA turns L* into gray.
std::vector<std::byte> printer() {
  cmsHPROFILE profile = cmsCreateProfilePlaceholder(nullptr);
  cmsSetProfileVersion(profile, 2.1);
  cmsSetDeviceClass(profile, cmsSigOutputClass);
  cmsSetColorSpace(profile, cmsSigRgbData);
  cmsSetPCS(profile, cmsSigLabData);
  const auto table = [&](cmsTagSignature tag, bool to_device) {
    cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, 3, 3);
    cmsStage* clut = cmsStageAllocCLut16bit(nullptr, 33, 3, 3, nullptr);
    cmsStageSampleCLut16bit(
        clut,
        [](const cmsUInt16Number in[], cmsUInt16Number out[], void* forward) -> cmsInt32Number {
          // Lab of version 2: 0xff00 is L* 100, 0x8000 is neutral.
          const double black = 20.0 / 100 * 0xff00, paper = 95.0 / 100 * 0xff00;
          if (*static_cast<bool*>(forward)) {
            const double gray = std::clamp((in[0] - black) / (paper - black), 0.0, 1.0) * 65535;
            out[0] = out[1] = out[2] = static_cast<cmsUInt16Number>(gray);
          } else {
            out[0] = static_cast<cmsUInt16Number>(black + in[1] / 65535.0 * (paper - black));
            out[1] = out[2] = 0x8000;
          }
          return 1;
        },
        &to_device, 0);
    cmsPipelineInsertStage(pipeline, cmsAT_END, clut);
    cmsWriteTag(profile, tag, pipeline);
    cmsPipelineFree(pipeline);
  };
  for (const auto tag : {cmsSigBToA0Tag, cmsSigBToA1Tag, cmsSigBToA2Tag}) table(tag, true);
  for (const auto tag : {cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigAToB2Tag}) table(tag, false);
  return saved(profile);
}

float gray_of(const OutputProfile& profile, float encoded) {
  const float in[3] = {encoded, encoded, encoded};
  float out[3];
  profile.convert(in, out, 1);
  return out[1];
}

TEST(OutputProfile, BlackPointCompensationKeepsShadowsApartThatTheMediumWouldClip) {
  const auto icc = printer();
  const OutputProfile without(icc, RenderingIntent::relative, false, "printer.icc");
  const OutputProfile with(icc, RenderingIntent::relative, true, "printer.icc");
  // Y of about 0.005 and 0.02: both below the ink's L* 20 (Y 0.03).
  EXPECT_EQ(gray_of(without, 0.02f), gray_of(without, 0.08f));
  EXPECT_LT(gray_of(with, 0.02f) + 0.01f, gray_of(with, 0.08f));
  EXPECT_NEAR(gray_of(with, 0.0f), 0, 0.01);
}

TEST(OutputProfile, WhatIsNoRgbProfileIsRefused) {
  const auto refusal = [](const std::vector<std::byte>& icc) {
    try {
      const OutputProfile profile(icc, RenderingIntent::relative, true, "my.icc");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal(std::vector<std::byte>(500)), HasSubstr("my.icc: not an ICC profile"));
  EXPECT_THAT(refusal(saved(cmsCreateLab4Profile(nullptr))), HasSubstr("Lab"));
  cmsToneCurve* gamma = cmsBuildGamma(nullptr, 2.2);
  const cmsCIExyY white{0.3457, 0.3585, 1};
  EXPECT_THAT(refusal(saved(cmsCreateGrayProfile(&white, gamma))), HasSubstr("gray"));
  cmsFreeToneCurve(gamma);
}

TEST(OutputProfile, DamagedProfilesAreRefusedOrGiveFiniteColours) {
  const auto whole = printer();
  for (std::size_t at = 0; at < 600; at += 7) {
    auto damaged = whole;
    damaged[at] ^= std::byte{0x55};
    try {
      const OutputProfile profile(damaged, RenderingIntent::perceptual, true, "damaged");
      const float out = gray_of(profile, 0.5f);
      EXPECT_TRUE(out >= 0 && out <= 1);
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace imago::color
