#include "color/icc.h"

#include <gtest/gtest.h>
#include <lcms2.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace imago::color {
namespace {

struct Space {
  const char* name;
  Primaries primaries;
  Transfer transfer;
};
const Space spaces[] = {{"sRGB", srgb_primaries, Transfer::srgb},
                        {"Display P3", p3_primaries, Transfer::srgb},
                        {"Adobe RGB compatible", adobe_rgb_primaries, Transfer::adobe_rgb},
                        {"ProPhoto RGB", prophoto_primaries, Transfer::prophoto},
                        {"Rec.2020", rec2020_primaries, Transfer::rec709},
                        {"Rec.2020 linear", rec2020_primaries, Transfer::linear}};

Vector3 exact_working(const Space& space, const Vector3& encoded) {
  Vector3 linear{};
  for (std::size_t i = 0; i < 3; ++i) linear[i] = decode(space.transfer, encoded[i]);
  return rgb_from_rgb(rec2020_primaries, space.primaries) * linear;
}

const std::vector<Vector3> probes = {{1, 1, 1}, {0, 0, 0}, {0.5, 0.5, 0.5}, {1, 0, 0},
                                     {0, 1, 0}, {0, 0, 1}, {0.2, 0.4, 0.8}, {0.02, 0.01, 0.03}};

TEST(Icc, ProfilesAreTheSameBytesEveryTimeAndNameThemselves) {
  for (const Space& space : spaces) {
    const std::vector<std::byte> bytes = icc_profile(space.primaries, space.transfer, space.name);
    EXPECT_EQ(bytes, icc_profile(space.primaries, space.transfer, space.name));
    EXPECT_LT(bytes.size(), 1000u) << space.name;
    EXPECT_EQ(std::memcmp(bytes.data() + 36, "acsp", 4), 0);
    EXPECT_EQ(WorkingFromPicture(bytes).description(), space.name);
    EXPECT_EQ(WorkingFromPicture(bytes).warning(), "");
  }
}

// s15Fixed16 colorants are rounded to 1.5e-5.
TEST(Icc, PicturesWithOurProfilesComeBackToTheWorkingSpace) {
  for (const Space& space : spaces) {
    const WorkingFromPicture convert(icc_profile(space.primaries, space.transfer, space.name));
    for (const Vector3& probe : probes) {
      const Vector3 exact = exact_working(space, probe);
      const float floats[3] = {static_cast<float>(probe[0]), static_cast<float>(probe[1]),
                               static_cast<float>(probe[2])};
      float out[3] = {};
      convert.convert(floats, out, 1);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(out[i]), exact[i], 8e-5) << space.name;
      std::uint16_t codes[3] = {};
      for (std::size_t i = 0; i < 3; ++i) codes[i] = static_cast<std::uint16_t>(std::lround(probe[i] * 65535));
      convert.convert(codes, out, 1);
      const Vector3 of_codes = exact_working(space, {codes[0] / 65535.0, codes[1] / 65535.0, codes[2] / 65535.0});
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(out[i]), of_codes[i], 8e-5) << space.name;
    }
  }
}

TEST(Icc, WithoutAProfilePicturesAreSrgbAndFloatsAreLinear) {
  const WorkingFromPicture convert({});
  EXPECT_EQ(convert.description(), "sRGB");
  EXPECT_EQ(convert.warning(), "");
  for (int code = 0; code < 256; ++code) {
    const std::uint8_t rgb[3] = {static_cast<std::uint8_t>(code), 128, 17};
    float out[3] = {};
    convert.convert(rgb, out, 1);
    const Vector3 exact = exact_working(spaces[0], {code / 255.0, 128 / 255.0, 17 / 255.0});
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(out[i]), exact[i], 2e-7);
  }
  const float linear[6] = {0.25f, 0.25f, 0.25f, std::numeric_limits<float>::quiet_NaN(), 1, 4};
  float out[6] = {};
  convert.convert(linear, out, 2);
  EXPECT_NEAR(out[0], 0.25f, 1e-6f);
  EXPECT_NEAR(out[2], 0.25f, 1e-6f);
  EXPECT_TRUE(std::isfinite(out[3]) && std::isfinite(out[4]) && out[5] > 3);
}

TEST(Icc, DamagedAndForeignProfilesAreReportedAndTakenForSrgb) {
  const std::vector<std::byte> garbage(500, std::byte{7});
  const WorkingFromPicture damaged(garbage);
  EXPECT_NE(damaged.warning().find("damaged"), std::string::npos);
  EXPECT_EQ(damaged.description(), "sRGB");
  std::vector<std::byte> cut = icc_profile(srgb_primaries, Transfer::srgb, "cut");
  cut.resize(200);
  const WorkingFromPicture truncated(cut);
  const std::uint8_t white[3] = {255, 255, 255};
  float out[3] = {};
  truncated.convert(white, out, 1);
  EXPECT_NEAR(out[1], 1.0f, 1e-6f);
  EXPECT_FALSE(truncated.warning().empty());
}

std::vector<std::byte> saved(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  std::vector<std::byte> bytes(size);
  cmsSaveProfileToMem(profile, bytes.data(), &size);
  cmsCloseProfile(profile);
  return bytes;
}

TEST(Icc, GrayProfilesKeepNeutralsNeutral) {
  cmsToneCurve* curve = cmsBuildGamma(nullptr, 2.2);
  const std::vector<std::byte> bytes = saved(cmsCreateGrayProfile(cmsD50_xyY(), curve));
  cmsFreeToneCurve(curve);
  const WorkingFromPicture convert(bytes);
  EXPECT_EQ(convert.warning(), "");
  const std::uint8_t rgb[3] = {100, 100, 100};
  float out[3] = {};
  convert.convert(rgb, out, 1);
  for (const float value : out) EXPECT_NEAR(value, std::pow(100 / 255.0, 2.2), 1e-5);
}

// An RGB profile whose AToB0 holds gamma curves and the matrix of ProPhoto: goes through Little CMS.
TEST(Icc, TableProfilesAgreeWithTheMatrixTheyHold) {
  cmsHPROFILE profile = cmsCreateProfilePlaceholder(nullptr);
  cmsSetProfileVersion(profile, 4.3);
  cmsSetDeviceClass(profile, cmsSigInputClass);
  cmsSetColorSpace(profile, cmsSigRgbData);
  cmsSetPCS(profile, cmsSigXYZData);
  const Matrix3 pcs =
      (32768.0 / 65535) * (adapt(bradford, icc_d50, xyz_from_xy(d50)) * xyz_from_rgb(prophoto_primaries));
  cmsToneCurve* gamma = cmsBuildGamma(nullptr, 1.8);
  cmsToneCurve* straight = cmsBuildGamma(nullptr, 1.0);
  cmsToneCurve* gammas[3] = {gamma, gamma, gamma};
  cmsToneCurve* straights[3] = {straight, straight, straight};
  cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, 3, 3);
  cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nullptr, 3, gammas));
  cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocMatrix(nullptr, 3, 3, pcs.m.data(), nullptr));
  cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nullptr, 3, straights));
  ASSERT_TRUE(cmsWriteTag(profile, cmsSigAToB0Tag, pipeline));
  cmsPipelineFree(pipeline);
  cmsFreeToneCurve(gamma);
  cmsFreeToneCurve(straight);
  const WorkingFromPicture convert(saved(profile));
  EXPECT_EQ(convert.warning(), "");
  for (const Vector3& probe : probes) {
    Vector3 linear{};
    for (std::size_t i = 0; i < 3; ++i) linear[i] = std::pow(probe[i], 1.8);
    const Vector3 exact = rgb_from_rgb(rec2020_primaries, prophoto_primaries) * linear;
    std::vector<float> in;
    for (int copy = 0; copy < 1500; ++copy) {  // more than one block
      for (const double value : probe) in.push_back(static_cast<float>(value));
    }
    std::vector<float> out(in.size());
    convert.convert(in.data(), out.data(), 1500);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(static_cast<double>(out[i]), exact[i], 2e-4);
      EXPECT_EQ(out[i], out[1499 * 3 + i]);
    }
  }
}

}  // namespace
}  // namespace imago::color
