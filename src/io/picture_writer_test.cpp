// WebP, AVIF, JPEG XL, linear DNG and large TIFF as outputs: what went in comes back, profile and metadata with it.
#include "io/picture_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/atomic_file.h"
#include "base/error.h"
#include "color/icc.h"
#include "io/byte_source.h"
#include "io/metadata/exiv2_guard.h"
#include "io/picture_reader.h"
#include "io/raw/read_raw.h"
#include "io/test_files.h"
#include "io/test_tiff.h"
#include "io/tiff_tags.h"

namespace imago::io {
namespace {

using testing::HasSubstr;

template <typename Image>
Image waves(int width, int height, double scale) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double values[3] = {0.5 + 0.4 * std::sin(x * 0.11), 0.5 + 0.4 * std::cos(y * 0.07), 0.1 + 0.8 * x / width};
      for (int c = 0; c < 3; ++c) image.at(x, y)[c] = static_cast<typename Image::Sample>(values[c] * scale);
    }
  }
  return image;
}

template <typename Image>
std::vector<std::byte> encode(const Image& image, const PictureOptions& options) {
  std::vector<std::byte> bytes;
  const auto writer = open_picture(bytes, image.width, image.height, options);
  for (int y = 0; y < image.height; y += 7) {  // strips that do not divide the height
    const int rows = std::min(7, image.height - y);
    write_samples<typename Image::Sample>(
        *writer, std::span(image.row(y), static_cast<std::size_t>(rows) * image.row_samples()));
  }
  writer->finish();
  return bytes;
}

template <typename Image>
double mean_difference(const Image& a, const Image& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    sum += std::abs(static_cast<double>(a.pixels[i]) - static_cast<double>(b.pixels[i]));
  return sum / static_cast<double>(a.pixels.size());
}

template <typename Image>
bool equal(const Image& a, const Image& b) {
  return a.width == b.width && a.height == b.height && std::equal(a.pixels.begin(), a.pixels.end(), b.pixels.begin());
}

const FileFormat with_quality[] = {FileFormat::webp, FileFormat::avif, FileFormat::jxl};

PictureOptions options_of(FileFormat format, SampleType samples = SampleType::u8) {
  PictureOptions options;
  options.format = format;
  options.samples = samples;
  return options;
}

TEST(PictureWriter, WithoutLossEightBitsComeBackExactly) {
  const auto image = waves<Rgb8>(83, 61, 255);
  for (const FileFormat format : with_quality) {
    if (!can_write(format)) continue;
    PictureOptions options = options_of(format);
    options.lossless = true;
    EXPECT_TRUE(equal(read_picture(encode(image, options), "test").rgb8, image)) << extension_of(format);
  }
}

TEST(PictureWriter, WithoutLossJpegXlGivesSixteenBitsAndFloatsBackExactly) {
  if (!can_write(FileFormat::jxl)) GTEST_SKIP() << "SKIPPED: built without libjxl";
  PictureOptions options = options_of(FileFormat::jxl, SampleType::u16);
  options.lossless = true;
  const auto image = waves<Rgb16>(83, 61, 65535);
  EXPECT_TRUE(equal(read_picture(encode(image, options), "test").rgb16, image));
  options.samples = SampleType::f32;
  const auto floats = waves<Rgb32f>(83, 61, 1);
  EXPECT_TRUE(equal(read_picture(encode(floats, options), "test").rgb32f, floats));
}

TEST(PictureWriter, AvifKeepsTenAndTwelveBits) {
  if (!can_write(FileFormat::avif)) GTEST_SKIP() << "SKIPPED: built without libavif";
  const auto image = waves<Rgb16>(83, 61, 65535);
  for (const int bits : {10, 12}) {
    PictureOptions options = options_of(FileFormat::avif, SampleType::u16);
    options.bits = bits;
    options.lossless = true;
    const Picture back = read_picture(encode(image, options), "test");
    ASSERT_EQ(back.info.bits, 16);
    const double half_step = 0.5 * 65535 / ((1 << bits) - 1);
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
      ASSERT_NEAR(back.rgb16.pixels[i], image.pixels[i], half_step + 1) << bits;
  }
}

TEST(PictureWriter, LowerQualityMakesSmallerFilesAndLargerErrors) {
  const auto image = waves<Rgb8>(163, 119, 255);
  for (const FileFormat format : with_quality) {
    if (!can_write(format)) continue;
    std::size_t smaller = 0;
    double worse = 1e9;
    for (const int quality : {20, 60, 95}) {
      PictureOptions options = options_of(format);
      options.quality = quality;
      const auto bytes = encode(image, options);
      const double difference = mean_difference(read_picture(bytes, "test").rgb8, image);
      EXPECT_GT(bytes.size(), smaller) << extension_of(format) << quality;
      EXPECT_LT(difference, worse) << extension_of(format) << quality;
      smaller = bytes.size();
      worse = difference;
    }
    EXPECT_LT(worse, 1.5) << extension_of(format);  // at quality 95; WebP, which halves its chroma: 1.25
  }
}

std::vector<std::byte> text_bytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// JPEG XL with loss keeps a profile's meaning, not its bytes.
void expect_same_space(const std::vector<std::byte>& icc, const std::vector<std::byte>& expected) {
  ASSERT_FALSE(icc.empty());
  const float colour[3] = {0.8f, 0.3f, 0.1f};
  float working[3], expected_working[3];
  color::WorkingFromPicture(icc).convert(colour, working, 1);
  color::WorkingFromPicture(expected).convert(colour, expected_working, 1);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(working[c], expected_working[c], 2e-4);  // 16-bit colorants
}

// Through a third library, from a file as other programs would.
TEST(PictureWriter, ProfileAndMetadataComeBackFromEveryFormat) {
  const TemporaryFolder folder;
  const auto image = waves<Rgb8>(64, 48, 255);
  for (const FileFormat format :
       {FileFormat::jpeg, FileFormat::png, FileFormat::tiff, FileFormat::webp, FileFormat::avif, FileFormat::jxl}) {
    if (!can_write(format)) continue;
    PictureOptions options = options_of(format);
    options.icc = color::icc_profile(color::p3_primaries, color::Transfer::srgb, "Display P3");
    options.exif = TestTiff().text(271, "Maker").shorts(274, {1}).file();
    options.xmp = text_bytes(
        R"(<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">)"
        R"(<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>)");
    const auto bytes = encode(image, options);
    expect_same_space(probe_picture(bytes, "test").icc, options.icc);

    const auto path = folder.path / ("a" + std::string(extension_of(format)));
    write_file_atomically(path, bytes);
    prepare_exiv2();
    const auto file = Exiv2::ImageFactory::open(path.string());
    file->readMetadata();
    EXPECT_EQ(file->exifData()["Exif.Image.Make"].toString(), "Maker") << extension_of(format);
    EXPECT_EQ(file->xmpData()["Xmp.xmp.Rating"].toString(), "4") << extension_of(format);
  }
}

TEST(PictureWriter, IptcRecordsComeBackFromJpegAndTiff) {
  const TemporaryFolder folder;
  const auto image = waves<Rgb8>(64, 48, 255);
  prepare_exiv2();
  Exiv2::IptcData iptc;
  iptc["Iptc.Application2.Caption"] = "A caption of odd length";
  const auto blob = Exiv2::IptcParser::encode(iptc);
  for (const FileFormat format : {FileFormat::jpeg, FileFormat::tiff}) {
    PictureOptions options = options_of(format);
    options.iptc = bytes_of(blob);
    const auto path = folder.path / ("a" + std::string(extension_of(format)));
    write_file_atomically(path, encode(image, options));
    const auto file = Exiv2::ImageFactory::open(path.string());
    file->readMetadata();
    EXPECT_EQ(file->iptcData()["Iptc.Application2.Caption"].toString(), "A caption of odd length") << path;
  }
}

TEST(PictureWriter, ExifOfATiffKeepsItsPlaceSoThatMakerNotesStayTrue) {
  const auto exif = TestTiff().text(271, "Maker").shorts(274, {1}).file();
  PictureOptions options = options_of(FileFormat::tiff);
  options.exif = exif;
  const auto bytes = encode(waves<Rgb8>(16, 9, 255), options);
  ASSERT_GT(bytes.size(), exif.size());
  EXPECT_TRUE(std::equal(exif.begin() + 8, exif.end(), bytes.begin() + 8));
}

TEST(PictureWriter, AHugeTiffIsTiled) {
  constexpr int width = 10007, height = 10001;  // just over 100 MP, no multiple of a tile
  PictureOptions options = options_of(FileFormat::tiff);
  options.channels = 1;
  options.compression = 0;
  std::vector<std::byte> bytes;
  const auto writer = open_picture(bytes, width, height, options);
  std::vector<std::byte> row(width);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) row[static_cast<std::size_t>(x)] = static_cast<std::byte>(x / 64 + 7 * (y / 64));
    writer->write_rows(row);
  }
  writer->finish();
  ByteSource source{std::span<const std::byte>(bytes)};
  const auto tags = TiffTags::parse(source);
  ASSERT_TRUE(tags);
  const TiffIfd& ifd = tags->ifds().front();
  EXPECT_EQ(tags->integer(ifd, 322), 512u);
  const auto offsets = tags->numbers(ifd, 324);
  ASSERT_EQ(offsets.size(), 20u * 20u);
  const auto at = [&](int x, int y) {
    const auto tile = static_cast<std::size_t>(y / 512 * 20 + x / 512);
    return std::to_integer<int>(
        bytes[static_cast<std::size_t>(offsets[tile]) + static_cast<std::size_t>(y % 512 * 512 + x % 512)]);
  };
  for (const auto& [x, y] : {std::pair{0, 0}, {10006, 10000}, {511, 512}, {512, 511}, {5000, 9999}})
    EXPECT_EQ(at(x, y), (x / 64 + 7 * (y / 64)) & 255) << x << "," << y;
}

TEST(PictureWriter, ALinearDngOpensAsARawOfItsOwnColourSpace) {
  const auto image = waves<Rgb16>(96, 64, 60000);
  PictureOptions options = options_of(FileFormat::dng, SampleType::u16);
  options.baseline_exposure_ev = 1;
  const RawImage raw = read_raw(encode(image, options), "linear.dng");
  EXPECT_EQ(raw.layout, RawLayout::linear);
  EXPECT_EQ(raw.baseline_exposure_ev, 1);
  EXPECT_EQ(raw.neutral, (std::array<double, 3>{1, 1, 1}));
  ASSERT_EQ(raw.calibrations.size(), 1u);
  EXPECT_EQ(raw.calibrations[0].illuminant, 21);
  const color::Matrix3 expected = color::working_from_xyz;
  for (std::size_t i = 0; i < 9; ++i)  // rationals of libtiff: six digits
    EXPECT_NEAR(raw.calibrations[0].color_matrix[i], expected.m[i], 1e-5);
  ASSERT_EQ(raw.samples.size(), image.pixels.size());
  EXPECT_TRUE(std::equal(image.pixels.begin(), image.pixels.end(), raw.samples.begin()));
}

TEST(PictureWriter, WhatAFormatCannotHoldIsRefusedWithAWayOut) {
  const auto refusal = [](int width, const PictureOptions& options) {
    std::vector<std::byte> bytes;
    try {
      open_picture(bytes, width, 1, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal(16384, options_of(FileFormat::webp)), HasSubstr("16383"));
  EXPECT_THAT(refusal(10, options_of(FileFormat::webp, SampleType::u16)), HasSubstr("png, tif, avif or jxl"));
  EXPECT_THAT(refusal(10, options_of(FileFormat::avif, SampleType::f32)), HasSubstr("tif or jxl"));
  EXPECT_THAT(refusal(10, options_of(FileFormat::avif, SampleType::u16)), HasSubstr("8, 10 or 12"));
  EXPECT_THAT(refusal(10, options_of(FileFormat::dng)), HasSubstr("16 bits"));
  PictureOptions lossless = options_of(FileFormat::jpeg);
  lossless.lossless = true;
  EXPECT_THAT(refusal(10, lossless), HasSubstr("lossless"));
}

}  // namespace
}  // namespace imago::io
