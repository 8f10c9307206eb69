#include "develop/crs_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "base/error.h"

namespace imago::develop {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

io::CrsData crs_of(std::map<std::string, std::string> values) {
  io::CrsData crs;
  crs.values = std::move(values);
  return crs;
}

// A file with attributes, elements, and a look inside.
io::CrsData read_text(const std::string& description) {
  const fs::path file = fs::temp_directory_path() / "imago_crs_test.xmp";
  std::ofstream(file) << "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
                         "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" "
                         "xmlns:tiff=\"http://ns.adobe.com/tiff/1.0/\" "
                         "xmlns:crs=\"http://ns.adobe.com/camera-raw-settings/1.0/\" "
                      << description << "</rdf:Description></rdf:RDF></x:xmpmeta>";
  io::CrsData crs = io::read_crs(file);
  fs::remove(file);
  return crs;
}

TEST(CrsImport, AttributesAndElementsBothCount) {
  const io::CrsData crs = read_text(
      "crs:Exposure2012=\"+0.50\" tiff:Orientation=\"6\"><crs:Contrast2012>-20</crs:Contrast2012>"
      "<crs:ToneCurvePV2012><rdf:Seq><rdf:li>0, 0</rdf:li><rdf:li>128, 140</rdf:li><rdf:li>255, 255</rdf:li></rdf:Seq>"
      "</crs:ToneCurvePV2012>");
  Settings settings;
  const CrsReport report = import_crs(crs, settings);
  EXPECT_EQ(settings.exposure.ev, 0.5f);
  EXPECT_EQ(settings.tone.contrast, -20);
  ASSERT_EQ(settings.curve.rgb.size(), 3u);
  EXPECT_EQ(settings.curve.rgb[1].x, 128 / 255.0f);
  EXPECT_EQ(crs.orientation, 6);
  EXPECT_THAT(report.mapped, Contains("Exposure2012 +0.50 -> exposure.ev = 0.5"));
  EXPECT_THAT(report.dropped, IsEmpty());
}

TEST(CrsImport, ALooksOwnParametersDoNotOverwriteActiveOnes) {
  const io::CrsData crs = read_text(
      "crs:Exposure2012=\"1\"><crs:Look><rdf:Description crs:Name=\"Adobe Vivid\" crs:Amount=\"1\"><crs:Parameters>"
      "<rdf:Description crs:Exposure2012=\"3\" crs:Saturation=\"50\"/></crs:Parameters></rdf:Description></crs:Look>");
  Settings settings;
  const CrsReport report = import_crs(crs, settings);
  EXPECT_EQ(settings.exposure.ev, 1);
  EXPECT_EQ(settings.saturation.saturation, 0);
  EXPECT_THAT(report.dropped, ElementsAre("Look Adobe Vivid"));
}

TEST(CrsImport, ABlackAndWhiteLookIsBlackAndWhite) {
  const io::CrsData crs = read_text(
      "crs:Exposure2012=\"0\"><crs:Look><rdf:Description crs:Name=\"B&amp;W 01\"><crs:Parameters>"
      "<rdf:Description crs:ConvertToGrayscale=\"True\"/></crs:Parameters></rdf:Description></crs:Look>");
  Settings settings;
  const CrsReport report = import_crs(crs, settings);
  EXPECT_EQ(settings.black_white.enabled, 1u);
  EXPECT_THAT(report.approximated, Contains(HasSubstr("B&W 01")));
}

TEST(CrsImport, WhatIsInThePictureAlreadyIsNotAppliedTwice) {
  Settings settings;
  const CrsReport report = import_crs(crs_of({{"AlreadyApplied", "True"}, {"Exposure2012", "2"}}), settings);
  EXPECT_EQ(settings.exposure.ev, 0);
  EXPECT_THAT(report.dropped, Contains(HasSubstr("AlreadyApplied")));
}

TEST(CrsImport, AsShotIsNeutralAndCustomIsKelvin) {
  Settings settings;
  settings.white_balance.temperature_k = 4000;
  import_crs(crs_of({{"WhiteBalance", "As Shot"}, {"Temperature", "6200"}, {"Tint", "-1"}}), settings);
  EXPECT_EQ(settings.white_balance.temperature_k, 0);
  EXPECT_EQ(settings.white_balance.tint, 0);
  import_crs(crs_of({{"WhiteBalance", "Custom"}, {"Temperature", "5200"}, {"Tint", "+12"}}), settings);
  EXPECT_EQ(settings.white_balance.temperature_k, 5200);
  EXPECT_EQ(settings.white_balance.tint, 12);
}

TEST(CrsImport, APresetChangesOnlyWhatItNames) {
  Settings settings;
  settings.exposure.ev = 1;
  settings.tone.shadows = 30;
  import_crs(crs_of({{"Contrast2012", "15"}, {"Shadows2012", "0"}}), settings);
  EXPECT_EQ(settings.exposure.ev, 1);
  EXPECT_EQ(settings.tone.contrast, 15);
  EXPECT_EQ(settings.tone.shadows, 0);
}

TEST(CrsImport, OldToneIsSaidAndNotGuessed) {
  Settings settings;
  const CrsReport report = import_crs(
      crs_of({{"ProcessVersion", "5.7"}, {"Exposure", "1"}, {"Brightness", "0"}, {"Contrast", "25"}}), settings);
  EXPECT_TRUE(settings.exposure.ev == 0 && settings.tone.contrast == 0);
  EXPECT_THAT(report.dropped, Contains(HasSubstr("5.7")));
  EXPECT_THAT(report.dropped, Contains("Exposure 1"));
}

TEST(CrsImport, ValuesOutOfRangeComeToItsEnd) {
  Settings settings;
  const CrsReport report = import_crs(crs_of({{"Exposure2012", "9"}, {"Contrast2012", "abc"}}), settings);
  EXPECT_EQ(settings.exposure.ev, 5);
  EXPECT_THAT(report.approximated, ElementsAre(HasSubstr("exposure.ev = 5")));
  EXPECT_THAT(report.dropped, ElementsAre("Contrast2012 'abc': no number"));
}

io::CrsData cropped(double angle, int orientation) {
  io::CrsData crs = crs_of({{"HasCrop", "True"},
                            {"CropLeft", "0.2"},
                            {"CropTop", "0.1"},
                            {"CropRight", "0.9"},
                            {"CropBottom", "0.8"},
                            {"CropAngle", std::to_string(angle)}});
  crs.width = 6000;
  crs.height = 4000;
  crs.orientation = orientation;
  return crs;
}

TEST(CrsImport, ACropFollowsTheCamerasOrientation) {
  Settings settings;
  import_crs(cropped(0, 1), settings);
  EXPECT_EQ(settings.geometry.crop_left, 0.2f);
  EXPECT_EQ(settings.geometry.crop_bottom, 0.8f);
  import_crs(cropped(0, 6),
             settings);  // turned clockwise for viewing: left of the upright frame is below in the stored
  EXPECT_FLOAT_EQ(settings.geometry.crop_left, 0.2f);
  EXPECT_FLOAT_EQ(settings.geometry.crop_right, 0.9f);
  EXPECT_FLOAT_EQ(settings.geometry.crop_top, 0.2f);
  EXPECT_FLOAT_EQ(settings.geometry.crop_bottom, 0.9f);
}

TEST(CrsImport, ATurnedCropIsTheRectangleAfterTurningBack) {
  // A rectangle of 3000 x 2000 about the middle, turned clockwise by 5 degrees: where its corners then lie.
  const double turn = 5 * std::numbers::pi / 180;
  const double x = 1500 * std::cos(turn) - 1000 * std::sin(turn), y = 1500 * std::sin(turn) + 1000 * std::cos(turn);
  io::CrsData crs = cropped(5, 1);
  crs.values["CropLeft"] = std::to_string(0.5 - x / 6000);
  crs.values["CropRight"] = std::to_string(0.5 + x / 6000);
  crs.values["CropTop"] = std::to_string(0.5 - y / 4000);
  crs.values["CropBottom"] = std::to_string(0.5 + y / 4000);
  Settings settings;
  const CrsReport report = import_crs(crs, settings);
  EXPECT_NEAR(settings.geometry.crop_left, 0.25f, 1e-5f);
  EXPECT_NEAR(settings.geometry.crop_right, 0.75f, 1e-5f);
  EXPECT_NEAR(settings.geometry.crop_top, 0.25f, 1e-5f);
  EXPECT_NEAR(settings.geometry.crop_bottom, 0.75f, 1e-5f);
  EXPECT_FLOAT_EQ(settings.geometry.straighten_deg, -5);
  EXPECT_EQ(report.approximated.size(), 1u);
  crs.width = 0;
  EXPECT_THAT(import_crs(crs, settings).dropped, Contains(HasSubstr("how large")));
}

TEST(CrsImport, ReadsTheSamples) {
  const char* samples = std::getenv("IMAGO_SAMPLES");
  const fs::path folder = fs::path(samples != nullptr ? samples : "../shared/samples") / "xmp";
  if (!fs::exists(folder)) GTEST_SKIP() << "SKIPPED: no sample pictures (IMAGO_SAMPLES)";
  Settings settings;
  const CrsReport canon = import_crs(io::read_crs(folder / "photoprism_canon_eos_6d.xmp"), settings);
  EXPECT_GT(canon.at_default, 40);
  EXPECT_THAT(import_crs(io::read_crs(folder / "photoprism_ladybug.xmp"), settings).dropped,
              Contains(HasSubstr("AlreadyApplied")));
  EXPECT_TRUE(io::read_crs(folder / "darktable_masks.xmp").values.empty());
  EXPECT_TRUE(io::read_crs(folder / "mei_digikam-example.xmp").values.empty());
}

}  // namespace
}  // namespace imago::develop
