#include "io/metadata/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "io/byte_source.h"
#include "io/metadata/exiv2_guard.h"
#include "io/picture_writer.h"
#include "io/test_files.h"
#include "io/test_tiff.h"
#include "io/tiff_tags.h"

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

// A DNG as Adobe's converter writes it: the camera's note under DNGPrivateData, at the offset it had in the camera's
// file, to which its inner offsets refer.
std::vector<std::byte> converted_dng(std::size_t note_at) {
  prepare_exiv2();
  Exiv2::ExifData camera;
  camera["Exif.Image.Make"] = "Canon";
  camera["Exif.Image.Model"] = "Canon EOS 6D";
  camera["Exif.Canon.OwnerName"] = "An owner whose name is not inline";
  camera["Exif.Canon.ImageType"] = "Canon EOS 6D, of some length";
  Exiv2::Blob blob;
  Exiv2::ExifParser::encode(blob, Exiv2::littleEndian, camera);
  ByteSource source{std::as_bytes(std::span(blob))};
  const auto tags = TiffTags::parse(source);
  const TiffIfd* exif = tags->exif();
  const auto entry = std::ranges::find(exif->entries, 37500, &TiffEntry::tag);
  // Moving the note moves what its entries point to: each out-of-line offset of the one directory grows alike.
  std::vector<std::byte> note(entry->count);
  source.read(entry->offset, note);
  const auto u16 = [&](std::size_t at) {
    return std::to_integer<unsigned>(note[at]) | std::to_integer<unsigned>(note[at + 1]) << 8;
  };
  const auto u32 = [&](std::size_t at) { return u16(at) | u16(at + 2) << 16; };
  for (std::size_t i = 0; i < u16(0); ++i) {
    const std::size_t value = 2 + 12 * i + 8;
    const unsigned moved = u32(value) + static_cast<unsigned>(note_at - entry->offset);
    if (u32(value - 4) <= 4) continue;
    for (unsigned b = 0; b < 4; ++b) note[value + b] = static_cast<std::byte>(moved >> (8 * b));
  }
  std::vector<std::byte> data;
  for (const char c : std::string("Adobe\0SR2 \0\0\0\3abc\0MakN", 22)) data.push_back(static_cast<std::byte>(c));
  const std::size_t length = note.size() + 6;
  for (int shift = 24; shift >= 0; shift -= 8)
    data.push_back(static_cast<std::byte>(length >> static_cast<unsigned>(shift)));
  for (const char c : {'I', 'I'}) data.push_back(static_cast<std::byte>(c));
  for (int shift = 24; shift >= 0; shift -= 8)
    data.push_back(static_cast<std::byte>(note_at >> static_cast<unsigned>(shift)));
  data.insert(data.end(), note.begin(), note.end());
  std::vector<int> values;
  for (const std::byte b : data) values.push_back(std::to_integer<int>(b));
  return test_dng(8, 8, 1, std::vector<std::uint16_t>(64, 1000))
      .text(271, "Canon")
      .text(272, "Canon EOS 6D")
      .byte_values(50740, values)
      .file();
}

TEST(Metadata, TheMakerNoteOfAConvertedDngIsKept) {
  const TemporaryFolder folder;
  for (const std::size_t note_at : {20u, 60u, 940u, 100000u}) {
    const auto path = folder.path / "converted.dng";
    write_file_atomically(path, converted_dng(note_at));
    const auto out = metadata_for_output(path, 8, 8, MetadataPolicy::all);
    Exiv2::ExifData exif = decoded(out.exif);
    EXPECT_EQ(exif["Exif.Canon.OwnerName"].toString(), "An owner whose name is not inline") << note_at;
    EXPECT_EQ(exif["Exif.Canon.ImageType"].toString(), "Canon EOS 6D, of some length") << note_at;
    EXPECT_FALSE(
        has(decoded(metadata_for_output(path, 8, 8, MetadataPolicy::copyright_only).exif), "Exif.Canon.OwnerName"));
  }
}

TEST(Metadata, DamagedPrivateDataIsNoMakerNote) {
  const TemporaryFolder folder;
  const auto whole = converted_dng(940);
  with_damaged_copies(whole, 100, [&](std::span<const std::byte> damaged) {
    const auto path = folder.path / "damaged.dng";
    write_file_atomically(path, damaged);
    metadata_for_output(path, 8, 8, MetadataPolicy::all);
  });
}

TEST(Metadata, ArtistAndCopyrightAreWrittenUnderEveryPolicy) {
  const TemporaryFolder folder;
  const auto path = folder.path / "a.dng";
  write_file_atomically(path, test_dng(8, 8, 1, std::vector<std::uint16_t>(64, 1000)).text(315, "Old").file());
  for (const auto policy :
       {MetadataPolicy::all, MetadataPolicy::all_but_gps, MetadataPolicy::copyright_only, MetadataPolicy::none}) {
    const auto out =
        metadata_for_output(path, 8, 8, policy, true, {.artist = "Änne 写", .copyright = "© 2026 Änne", .sidecar = {}});
    Exiv2::ExifData exif = decoded(out.exif);
    EXPECT_EQ(exif["Exif.Image.Artist"].toString(), "Änne 写");
    EXPECT_EQ(exif["Exif.Image.Copyright"].toString(), "© 2026 Änne");
    const std::string xmp(reinterpret_cast<const char*>(out.xmp.data()), out.xmp.size());
    EXPECT_NE(xmp.find("Änne 写"), std::string::npos);
  }
}

TEST(Metadata, TheSidecarsRatingAndKeywordsReplaceThePhotosButEditsStayBehind) {
  const TemporaryFolder folder;
  const auto path = folder.path / "a.dng";
  write_file_atomically(path, test_dng(8, 8, 1, std::vector<std::uint16_t>(64, 1000)).file());
  const auto sidecar = folder.path / "a.dng.xmp";
  write_file_atomically(
      sidecar,
      std::string_view(
          R"(<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">)"
          R"(<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4" )"
          R"(xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" crs:Exposure2012="+1.50"/>)"
          R"(</rdf:RDF></x:xmpmeta>)"));
  const auto out =
      metadata_for_output(path, 8, 8, MetadataPolicy::all, true, {.artist = "", .copyright = "", .sidecar = sidecar});
  const std::string xmp(reinterpret_cast<const char*>(out.xmp.data()), out.xmp.size());
  EXPECT_NE(xmp.find("Rating"), std::string::npos) << xmp;
  EXPECT_EQ(xmp.find("Exposure2012"), std::string::npos);
}

}  // namespace
}  // namespace imago::io
