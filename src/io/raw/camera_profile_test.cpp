#include "io/raw/camera_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "io/raw/read_raw.h"
#include "io/test_files.h"
#include "io/test_tiff.h"

namespace imago::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int dcp_magic = 0x4352;

// Two illuminants, a map of 4 × 2 × 1, a look table of 1 × 2 × 2 in sRGB steps, a tone curve.
TestTiff profile() {
  std::vector<float> map, look;
  for (int i = 0; i < 8; ++i) map.insert(map.end(), {static_cast<float>(i), 1 + 0.1f * static_cast<float>(i), 0.9f});
  for (int i = 0; i < 4; ++i) look.insert(look.end(), {-5, 1.1f, 1});
  TestTiff tiff;
  tiff.text(50708, "Imago Test")
      .rationals(50721, {0.7, -0.2, 0, -0.5, 1.3, 0.2, -0.1, 0.2, 0.6})
      .rationals(50722, {0.8, -0.2, 0, -0.5, 1.3, 0.2, -0.1, 0.2, 0.7})
      .shorts(50778, {17})
      .shorts(50779, {21})
      .text(50936, "Own look")
      .longs(50937, {4, 2, 1})
      .floats(50938, map)
      .floats(50939, map)
      .floats(50940, {0, 0, 0.2f, 0.5f, 1, 1})
      .rationals(50964, {0.7, 0.15, 0.11, 0.28, 0.7, 0.02, 0, 0.01, 0.81})
      .longs(50981, {1, 2, 2})
      .floats(50982, look)
      .longs(51108, {1})
      .rationals(51109, {0.35});
  return tiff;
}

TEST(CameraProfile, ADcpFileIsReadWhole) {
  const CameraProfileFile file = read_dcp(profile().file(dcp_magic), "a.dcp");
  EXPECT_EQ(file.camera, "Imago Test");
  ASSERT_EQ(file.calibrations.size(), 2u);
  EXPECT_EQ(file.calibrations[0].illuminant, 17);
  EXPECT_NEAR(file.calibrations[1].color_matrix[0], 0.8, 1e-6);
  EXPECT_TRUE(file.calibrations[0].forward_matrix);
  EXPECT_FALSE(file.calibrations[1].forward_matrix);
  EXPECT_EQ(file.look.name, "Own look");
  ASSERT_EQ(file.look.hue_sat.size(), 2u);
  EXPECT_EQ(file.look.hue_sat[0].cct_kelvin, 2856);
  EXPECT_EQ(file.look.hue_sat[1].map.hues, 4);
  EXPECT_EQ(file.look.hue_sat[1].map.entries[3].hue_shift_degrees, 3);
  EXPECT_TRUE(file.look.look_table.srgb_value);
  EXPECT_EQ(file.look.look_table.values, 2);
  ASSERT_EQ(file.look.tone_curve.size(), 3u);
  EXPECT_EQ(file.look.tone_curve[1][1], 0.5f);
  EXPECT_NEAR(file.exposure_offset_ev, 0.35, 1e-6);
}

TEST(CameraProfile, WhatIsNoneIsRefusedWithItsName) {
  const auto message = [](const std::vector<std::byte>& bytes) -> std::string {
    try {
      read_dcp(bytes, "a.dcp");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input);
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(profile().file(42)), "a.dcp: is no camera profile (a .dcp file begins with \"IIRC\")");
  EXPECT_EQ(message({}), "a.dcp: is no camera profile (a .dcp file begins with \"IIRC\")");
  EXPECT_EQ(message(TestTiff().text(50936, "x").file(dcp_magic)), "a.dcp: the camera profile holds no colour matrix");
  EXPECT_THAT(message(profile().longs(50937, {5, 2, 1}).file(dcp_magic)), HasSubstr("hues and saturations is damaged"));
  EXPECT_THAT(message(profile().longs(50981, {1000, 1000, 1000}).file(dcp_magic)), HasSubstr("look table is damaged"));
  EXPECT_THAT(message(profile().floats(50940, {0, 0, 0.5f, 2}).file(dcp_magic)), HasSubstr("tone curve is damaged"));
}

TEST(CameraProfile, DamagedCopiesAreErrorsOrProfiles) {
  with_damaged_copies(profile().file(dcp_magic), 600, [](std::span<const std::byte> damaged) {
    try {
      read_dcp(damaged, "a.dcp");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input);
    }
  });
}

TestTiff raw_file() {
  std::vector<std::uint16_t> samples(64 * 48);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<std::uint16_t>(500 + i % 9000);
  return test_dng(64, 48, 1, samples);
}

TEST(CameraProfile, ADngsOwnProfileComesWithTheRaw) {
  const RawImage raw = read_raw(raw_file()
                                    .longs(50937, {1, 2, 1})
                                    .floats(50938, {3, 1, 1, 5, 1.5f, 1})
                                    .rationals(50730, {0.5})
                                    .rationals(51109, {-0.2})
                                    .floats(50940, {0, 0, 0.5f, 0.7f, 1, 1})
                                    .file(),
                                "own.dng");
  EXPECT_THAT(raw.warnings, IsEmpty());
  ASSERT_EQ(raw.look.hue_sat.size(), 1u);
  EXPECT_EQ(raw.look.hue_sat[0].map.entries[1].saturation_scale, 1.5f);
  EXPECT_EQ(raw.look.tone_curve.size(), 3u);
  EXPECT_NEAR(raw.baseline_exposure_ev, 0.5, 1e-6);
  EXPECT_NEAR(raw.profile_exposure_ev, -0.2, 1e-6);
}

TEST(CameraProfile, ADamagedProfileInADngCostsOnlyItself) {
  const RawImage raw = read_raw(raw_file().longs(50937, {9, 9, 9}).floats(50938, {3, 1, 1}).file(), "own.dng");
  EXPECT_THAT(raw.warnings, ElementsAre(HasSubstr("hues and saturations is damaged")));
  EXPECT_TRUE(raw.look.hue_sat.empty());
}

TEST(CameraProfile, TakesThePlaceOfTheRawsOwnColours) {
  RawImage raw = read_raw(raw_file()
                              .text(50931, "sig")
                              .text(50932, "sig")
                              .rationals(50723, {0.98, 0, 0, 0, 1, 0, 0, 0, 1})
                              .rationals(51109, {-0.2})
                              .file(),
                          "own.dng");
  EXPECT_NEAR(raw.calibrations[0].camera_calibration[0], 0.98, 1e-6);
  use_profile(read_dcp(profile().text(50932, "sig").file(dcp_magic), "a.dcp"), raw);
  ASSERT_EQ(raw.calibrations.size(), 2u);
  EXPECT_EQ(raw.calibrations[0].camera_calibration[0], 1);  // none was stated for illuminant A
  EXPECT_NEAR(raw.calibrations[1].camera_calibration[0], 0.98, 1e-6);
  EXPECT_EQ(raw.look.name, "Own look");
  EXPECT_NEAR(raw.profile_exposure_ev, 0.35, 1e-6);
  EXPECT_THAT(raw.warnings, IsEmpty());
  use_profile(read_dcp(profile().text(50708, "Other 1").file(dcp_magic), "a.dcp"), raw);
  EXPECT_THAT(raw.warnings, ElementsAre(HasSubstr("made for Other 1")));
}

TEST(CameraProfile, TheSampleProfileFitsItsSampleRaw) {
  const std::filesystem::path raws = sample_folder("raw"), lenses = sample_folder("lens");
  if (raws.empty() || lenses.empty()) GTEST_SKIP() << "SKIPPED: samples not found (raw, lens)";
  const CameraProfileFile file = read_dcp(lenses / "Canon EOS 6D.dcp");
  EXPECT_EQ(file.look.look_table.entries.size(), 90u * 30 * 30);
  EXPECT_EQ(file.look.tone_curve.size(), 8192u);
  RawImage raw = read_raw(raws / "photoprism_canon_eos_6d.dng");
  EXPECT_EQ(raw.look.hue_sat.size(), 2u);
  EXPECT_EQ(raw.look.look_table.values, 16);
  use_profile(file, raw);
  EXPECT_THAT(raw.warnings, IsEmpty());
  EXPECT_NEAR(raw.calibrations[0].camera_calibration[0], 0.9883, 1e-6);
}

}  // namespace
}  // namespace imago::io
