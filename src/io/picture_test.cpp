#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lcms2.h>

#include <cmath>
#include <cstring>

#include "base/error.h"
#include "io/byte_source.h"
#include "io/image_file.h"
#include "io/jpeg/jpeg.h"
#include "io/metadata/metadata.h"
#include "io/picture_reader.h"
#include "io/picture_writer.h"
#include "io/png/png.h"
#include "io/test_files.h"
#include "io/tiff/tiff.h"

namespace imago::io {
namespace {

using testing::HasSubstr;

// Smooth enough for JPEG, every sample different enough for the others.
template <typename Image>
Image test_image(int width, int height, double scale) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double values[3] = {0.5 + 0.4 * std::sin(x * 0.11), 0.5 + 0.4 * std::cos(y * 0.07), 0.1 + 0.8 * x / width};
      for (int c = 0; c < Image::channels; ++c)
        image.at(x, y)[c] = static_cast<typename Image::Sample>(values[c] * scale);
    }
  }
  return image;
}

template <typename Image>
std::vector<std::byte> encode(const Image& image, PictureOptions options) {
  options.channels = Image::channels;
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
bool equal(const Image& a, const Image& b) {
  return a.width == b.width && a.height == b.height &&
         std::memcmp(a.pixels.data(), b.pixels.data(), a.pixels.size() * sizeof(typename Image::Sample)) == 0;
}

PictureOptions options_of(FileFormat format, SampleType samples, int compression = 1) {
  PictureOptions options;
  options.format = format;
  options.samples = samples;
  options.compression = compression;
  return options;
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

TEST(Picture, SixteenBitsComeBackExactlyFromPngAndTiff) {
  const auto image = test_image<Rgb16>(67, 45, 65535);
  for (const FileFormat format : {FileFormat::png, FileFormat::tiff}) {
    for (const int compression : {0, 1}) {
      const auto bytes = encode(image, options_of(format, SampleType::u16, compression));
      const Picture back = read_picture(bytes, "test");
      EXPECT_EQ(back.info.bits, 16);
      EXPECT_TRUE(equal(back.rgb16, image));
    }
  }
}

TEST(Picture, EightBitsComeBackExactlyFromPngAndTiff) {
  const auto image = test_image<Rgb8>(67, 45, 255);
  for (const FileFormat format : {FileFormat::png, FileFormat::tiff}) {
    EXPECT_TRUE(equal(read_picture(encode(image, options_of(format, SampleType::u8)), "test").rgb8, image));
  }
}

TEST(Picture, FloatsComeBackExactlyFromTiff) {
  const auto image = test_image<Rgb32f>(67, 45, 3.7);
  for (const int compression : {0, 1}) {
    EXPECT_TRUE(equal(
        read_picture(encode(image, options_of(FileFormat::tiff, SampleType::f32, compression)), "test").rgb32f, image));
  }
}

TEST(Picture, AGrayPictureComesBackAsThreeEqualChannels) {
  const auto image = test_image<Plane8>(40, 30, 255);
  for (const FileFormat format : {FileFormat::png, FileFormat::tiff, FileFormat::jpeg}) {
    PictureOptions options = options_of(format, SampleType::u8);
    options.quality = 100;
    const Picture back = read_picture(encode(image, options), "test");
    EXPECT_TRUE(back.info.gray);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
      EXPECT_NEAR(back.rgb8.pixels[3 * i], image.pixels[i], format == FileFormat::jpeg ? 2 : 0);  // JPEG: DCT rounding
      EXPECT_EQ(back.rgb8.pixels[3 * i], back.rgb8.pixels[3 * i + 2]);
    }
  }
}

double mean_difference(const Rgb8& a, const Rgb8& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) sum += std::abs(int{a.pixels[i]} - int{b.pixels[i]});
  return sum / static_cast<double>(a.pixels.size());
}

TEST(Picture, JpegStaysWithinItsQuality) {
  const auto image = test_image<Rgb8>(163, 119, 255);
  const auto bytes = encode(image, {});
  // A smooth picture at quality 92, 4:4:4: the mean error stays below one code.
  EXPECT_LT(mean_difference(read_picture(bytes, "test").rgb8, image), 1.0);
  PictureOptions progressive;
  progressive.progressive = true;
  EXPECT_TRUE(equal(read_picture(encode(image, progressive), "test").rgb8, read_picture(bytes, "test").rgb8));
}

// The luma sampling of the first frame header, as "1x1".
std::string sampling_of(const std::vector<std::byte>& jpeg) {
  for (std::size_t i = 2; i + 12 < jpeg.size(); ++i) {
    if (jpeg[i] == std::byte{0xff} && jpeg[i + 1] == std::byte{0xc0}) {
      const int factors = std::to_integer<int>(jpeg[i + 11]);
      return std::to_string(factors >> 4) + "x" + std::to_string(factors & 15);
    }
  }
  return "none";
}

TEST(Picture, JpegKeepsFullChromaFromQuality90Up) {
  const auto image = test_image<Rgb8>(64, 64, 255);
  PictureOptions options;
  options.quality = 90;
  EXPECT_EQ(sampling_of(encode(image, options)), "1x1");
  options.quality = 89;
  EXPECT_EQ(sampling_of(encode(image, options)), "2x2");
  options.sampling = ChromaSampling::full;
  EXPECT_EQ(sampling_of(encode(image, options)), "1x1");
}

std::vector<std::byte> srgb_profile() {
  const cmsHPROFILE profile = cmsCreate_sRGBProfile();
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  std::vector<std::byte> bytes(size);
  cmsSaveProfileToMem(profile, bytes.data(), &size);
  cmsCloseProfile(profile);
  return bytes;
}

TEST(Picture, ProfileAndExifAreInEveryFormat) {
  TemporaryFolder folder;
  const auto image = test_image<Rgb8>(64, 48, 255);
  const std::filesystem::path photos = sample_folder("raw");
  if (photos.empty()) GTEST_SKIP() << "SKIPPED: samples not found (raw)";
  const OutputMetadata metadata =
      metadata_for_output(photos / "gopro_Hero6_GOPR0024.dng", image.width, image.height, MetadataPolicy::all);
  ASSERT_FALSE(metadata.exif.empty());
  for (const FileFormat format : {FileFormat::jpeg, FileFormat::png, FileFormat::tiff}) {
    PictureOptions options = options_of(format, SampleType::u8);
    options.icc = srgb_profile();
    options.exif = metadata.exif;
    options.xmp = bytes_of("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>");
    const auto path = folder.path / ("test" + std::string(extension_of(format)));
    const auto bytes = encode(image, options);
    write_file_atomically(path, bytes);
    const Picture back = read_picture(path);
    EXPECT_EQ(back.info.icc, options.icc) << extension_of(format);
    EXPECT_EQ(back.info.orientation, 1);
    const RawInfo info = read_photo_info(path);
    EXPECT_EQ(info.make, "GoPro") << extension_of(format);
    EXPECT_EQ(info.model, "HERO6 Black");
    EXPECT_DOUBLE_EQ(info.iso, 100);
    EXPECT_NEAR(info.shutter_s, 0.0021978, 1e-6);
    EXPECT_EQ(info.time, "2016-01-01 23:07:27");
    ASSERT_TRUE(info.gps) << extension_of(format);
  }
}

TEST(Picture, AJpegIsReducedWhileItIsDecoded) {
  const auto image = test_image<Rgb8>(161, 99, 255);
  PictureOptions options;
  options.quality = 98;
  const auto bytes = encode(image, options);
  const Rgba8 whole = read_rgba8(bytes, "test");
  const Rgba8 half = read_rgba8(bytes, "test", 2);
  EXPECT_EQ(half.width, 81);
  EXPECT_EQ(half.height, 50);
  EXPECT_EQ(whole.at(3, 5)[3], 255);
  EXPECT_NEAR(half.at(20, 20)[0], whole.at(40, 40)[0], 6);
}

TEST(Picture, SixteenBitsRoundToTheNearestOfEight) {
  Rgb16 image(65536 / 256, 256);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<std::uint16_t>(i / 3);
  const Rgba8 packed = read_rgba8(encode(image, options_of(FileFormat::png, SampleType::u16)), "test");
  for (std::size_t i = 0; i < 65536; ++i) {
    ASSERT_EQ(packed.pixels[4 * i], static_cast<int>(std::lround(static_cast<double>(i) / 257.0))) << i;
  }
}

TEST(Picture, DamagedFilesThrowErrorsOfTheInputAndNothingElse) {
  const auto image = test_image<Rgb8>(64, 48, 255);
  for (const FileFormat format : {FileFormat::jpeg, FileFormat::png, FileFormat::tiff}) {
    const auto bytes = encode(image, options_of(format, SampleType::u8));
    int cut_files_read = 0;
    with_damaged_copies(bytes, 600, [&](std::span<const std::byte> damaged) {
      try {
        const Picture picture = read_picture(damaged, "damaged");
        if (damaged.size() < bytes.size() * 15 / 16) ++cut_files_read;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind, ErrorKind::input) << error.what();
        EXPECT_THAT(error.what(), testing::StartsWith("damaged: "));
        EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
      }
    });
    EXPECT_EQ(cut_files_read, 0) << extension_of(format);
  }
}

TEST(Picture, AFileThatClaimsAHugeSizeIsRefusedBeforeAnythingIsAllocated) {
  auto bytes = encode(test_image<Rgb8>(64, 48, 255), {});
  for (std::size_t i = 2; i + 8 < bytes.size(); ++i) {
    if (bytes[i] == std::byte{0xff} && bytes[i + 1] == std::byte{0xc0}) {
      bytes[i + 5] = bytes[i + 6] = bytes[i + 7] = bytes[i + 8] = std::byte{0xf0};
      break;
    }
  }
  try {
    read_picture(bytes, "bomb.jpg");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("bomb.jpg: 61680 x 61680 pixels are more than can be read"));
  }
}

TEST(Picture, AnUnfinishedFileLeavesNothingBehind) {
  TemporaryFolder folder;
  const auto image = test_image<Rgb8>(64, 48, 255);
  for (const FileFormat format : {FileFormat::jpeg, FileFormat::png, FileFormat::tiff}) {
    const auto writer =
        open_picture(folder.path / "out", image.width, image.height, options_of(format, SampleType::u8));
    write_samples<std::uint8_t>(*writer, std::span(image.row(0), image.row_samples()));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}

TEST(Picture, AMissingFolderIsAnOutputError) {
  try {
    open_picture("/nowhere/at/all.jpg", 10, 10, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::io);
  }
}

// A sink that fails after some bytes: its exception has to pass through the C encoders unharmed.
class FailingSink : public ByteSink {
 public:
  explicit FailingSink(std::size_t capacity) : left_(capacity) {}
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    if (bytes.size() > left_) throw Error(ErrorKind::io, "disk full");
    left_ -= bytes.size();
    size_ = std::max(size_, offset + bytes.size());
  }
  void commit() override {}

 private:
  std::size_t left_;
};

TEST(Picture, AFullDiskIsAnOutputErrorWhereverItHappens) {
  const auto image = test_image<Rgb8>(400, 300, 255);
  for (const auto open : {&open_jpeg, &open_png, &open_tiff}) {
    for (const std::size_t capacity : {0u, 100u, 1000u, 5000u, 20000u}) {
      try {
        const auto writer = open(std::make_unique<FailingSink>(capacity), image.width, image.height,
                                 PictureOptions{.quality = 100, .compression = 0});
        write_samples<std::uint8_t>(*writer, std::span(image.row(0), image.pixels.size()));
        writer->finish();
        ADD_FAILURE() << "written into " << capacity << " bytes";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind, ErrorKind::io);
        EXPECT_STREQ(error.what(), "disk full");
      }
    }
  }
}

TEST(Picture, WhatAFormatCannotHoldIsAUsageError) {
  std::vector<std::byte> bytes;
  EXPECT_THROW(open_picture(bytes, 70000, 10, {}), Error);
  EXPECT_THROW(open_picture(bytes, 10, 10, options_of(FileFormat::jpeg, SampleType::u16)), Error);
  EXPECT_THROW(open_picture(bytes, 10, 10, options_of(FileFormat::png, SampleType::f32)), Error);
  EXPECT_THROW(open_picture(bytes, 0, 10, {}), Error);
}

TEST(ImageFile, IsTakenForWhatItsBytesAre) {
  TemporaryFolder folder;
  const auto image = test_image<Rgb8>(16, 16, 255);
  const auto named = [&](const char* name, std::span<const std::byte> bytes) {
    write_file_atomically(folder.path / name, bytes);
    return sniff(folder.path / name);
  };
  EXPECT_EQ(named("a.png", encode(image, {})), InputKind::jpeg);
  EXPECT_EQ(named("a.nef", encode(image, {})), InputKind::raw);  // for a clear refusal
  EXPECT_EQ(named("b.jpg", encode(image, options_of(FileFormat::png, SampleType::u8))), InputKind::png);
  EXPECT_EQ(named("c.tif", encode(image, options_of(FileFormat::tiff, SampleType::u8))), InputKind::tiff);
  EXPECT_EQ(named("d.txt", bytes_of("hello")), InputKind::unknown);
  EXPECT_EQ(named("e.xmp", bytes_of("<x:xmpmeta xmlns:x='adobe:ns:meta/'>")), InputKind::xmp);
  EXPECT_EQ(named("f.mp4", bytes_of(std::string_view("\0\0\0\x18"
                                                     "ftypisom\0\0\0\0",
                                                     16))),
            InputKind::video);
  EXPECT_EQ(named("g", {}), InputKind::unknown);
  EXPECT_THROW(sniff(folder.path / "missing"), Error);
  EXPECT_THROW(sniff(folder.path), Error);
}

}  // namespace
}  // namespace imago::io
