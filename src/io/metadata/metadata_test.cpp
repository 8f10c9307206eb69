#include "io/metadata/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "io/byte_source.h"
#include "io/metadata/exiv2_guard.h"
#include "io/picture_writer.h"
#include "io/test_files.h"

namespace imago::io {
namespace {

Exiv2::ExifData decoded(const std::vector<std::byte>& blob) {
  prepare_exiv2();
  Exiv2::ExifData exif;
  Exiv2::ExifParser::decode(exif, reinterpret_cast<const Exiv2::byte*>(blob.data()),
                            static_cast<std::uint32_t>(blob.size()));
  return exif;
}

bool has(const Exiv2::ExifData& exif, const char* key) { return exif.findKey(Exiv2::ExifKey(key)) != exif.end(); }

TEST(Metadata, WhatDescribesTheRawContainerStaysBehind) {
  const auto samples = sample_folder("raw");
  if (samples.empty()) GTEST_SKIP() << "SKIPPED: samples not found (raw)";
  const auto out = metadata_for_output(samples / "gopro_Hero6_GOPR0024.dng", 3000, 2000, MetadataPolicy::all);
  const Exiv2::ExifData exif = decoded(out.exif);
  EXPECT_EQ(exif.findKey(Exiv2::ExifKey("Exif.Image.Orientation"))->toString(), "1");
  EXPECT_EQ(exif.findKey(Exiv2::ExifKey("Exif.Photo.PixelXDimension"))->toString(), "3000");
  EXPECT_EQ(exif.findKey(Exiv2::ExifKey("Exif.Photo.PixelYDimension"))->toString(), "2000");
  EXPECT_TRUE(has(exif, "Exif.Image.Make"));
  EXPECT_TRUE(has(exif, "Exif.Photo.ExposureTime"));
  EXPECT_TRUE(has(exif, "Exif.GPSInfo.GPSLatitude"));
  for (const Exiv2::Exifdatum& datum : exif) {
    EXPECT_FALSE(datum.groupName() == "Image" && datum.tag() >= 50706 && datum.tag() < 52600) << datum.key();
    EXPECT_NE(datum.key(), "Exif.Image.ImageWidth");
    EXPECT_NE(datum.key(), "Exif.Image.Compression");
    EXPECT_NE(datum.groupName().substr(0, 8), "SubImage");
  }
}

TEST(Metadata, PoliciesLeaveOutWhatTheySay) {
  const auto samples = sample_folder("raw");
  if (samples.empty()) GTEST_SKIP() << "SKIPPED: samples not found (raw)";
  const auto source = samples / "gopro_Hero8.dng";
  EXPECT_FALSE(
      has(decoded(metadata_for_output(source, 10, 10, MetadataPolicy::all_but_gps).exif), "Exif.GPSInfo.GPSLatitude"));
  EXPECT_TRUE(
      has(decoded(metadata_for_output(source, 10, 10, MetadataPolicy::all_but_gps).exif), "Exif.Photo.FNumber"));
  EXPECT_FALSE(
      has(decoded(metadata_for_output(source, 10, 10, MetadataPolicy::copyright_only).exif), "Exif.Image.Make"));
  EXPECT_FALSE(has(decoded(metadata_for_output(source, 10, 10, MetadataPolicy::none).exif), "Exif.Image.Make"));
  EXPECT_TRUE(has(decoded(metadata_for_output(source, 10, 10, MetadataPolicy::none).exif), "Exif.Image.Orientation"));
}

TEST(Metadata, EverySampleGivesBlobsThatFitIntoAMarker) {
  const auto samples = sample_folder("raw");
  if (samples.empty()) GTEST_SKIP() << "SKIPPED: samples not found (raw)";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(samples)) {
    if (!entry.is_regular_file()) continue;
    const auto out = metadata_for_output(entry.path(), 100, 100, MetadataPolicy::all);
    EXPECT_FALSE(out.exif.empty()) << entry.path();
    EXPECT_LT(out.exif.size(), 65500u) << entry.path();
    EXPECT_LT(out.xmp.size(), 65500u) << entry.path();
    EXPECT_EQ(decoded(out.exif).findKey(Exiv2::ExifKey("Exif.Image.Orientation"))->toString(), "1") << entry.path();
  }
}

TEST(Metadata, ACr3KeepsItsExposureAndLens) {
  const auto samples = sample_folder("raw/broken");
  if (samples.empty()) GTEST_SKIP() << "SKIPPED: samples not found (raw/broken)";
  const auto exif =
      decoded(metadata_for_output(samples / "exiv2_Canon-R6-pruned.CR3", 100, 100, MetadataPolicy::all).exif);
  EXPECT_TRUE(has(exif, "Exif.Photo.ISOSpeedRatings"));
  EXPECT_TRUE(has(exif, "Exif.Photo.LensModel"));
}

TEST(Metadata, AFileWithoutAnyGivesTheMinimum) {
  TemporaryFolder folder;
  write_file_atomically(folder.path / "a.txt", std::string_view("hello"));
  const auto out = metadata_for_output(folder.path / "a.txt", 12, 34, MetadataPolicy::all);
  EXPECT_EQ(out.warnings.size(), 1u);
  EXPECT_EQ(decoded(out.exif).findKey(Exiv2::ExifKey("Exif.Photo.PixelXDimension"))->toString(), "12");
}

TEST(Metadata, PhotoSpherePropertiesAreRead) {
  const auto samples = sample_folder("pano");
  if (samples.empty()) GTEST_SKIP() << "SKIPPED: samples not found (pano)";
  const auto pano = read_gpano(samples / "psv_snow.jpg");
  ASSERT_TRUE(pano);
  EXPECT_EQ(pano->projection, "equirectangular");
  EXPECT_EQ(pano->full_width, 4542);
  EXPECT_EQ(pano->full_height, 2271);
  EXPECT_EQ(pano->crop_top, 347);
  EXPECT_EQ(pano->crop_height, 1545);
  EXPECT_DOUBLE_EQ(pano->heading_degrees.value(), 285.0);
  EXPECT_FALSE(read_gpano(samples / "vrview_petra.jpg"));
}

}  // namespace
}  // namespace imago::io
