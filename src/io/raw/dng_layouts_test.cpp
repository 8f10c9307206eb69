// DNGs of the rarer kinds: JPEG XL, monochrome, floating point.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#ifdef IMAGO_READS_JXL
#include <jxl/encode.h>

#include <memory>
#endif

#include "base/error.h"
#include "io/raw/read_raw.h"
#include "io/test_files.h"
#include "io/test_tiff.h"

namespace imago::io {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::uint16_t> counting(std::size_t count) {
  std::vector<std::uint16_t> samples(count);
  for (std::size_t i = 0; i < count; ++i) samples[i] = static_cast<std::uint16_t>(600 + i * 37 % 15000);
  return samples;
}

#ifdef IMAGO_READS_JXL
// Lossless, 16 bits.
std::vector<std::uint8_t> jxl_tile(const std::vector<std::uint16_t>& samples, int width, int height, int channels) {
  const std::unique_ptr<JxlEncoder, decltype(&JxlEncoderDestroy)> encoder(JxlEncoderCreate(nullptr), JxlEncoderDestroy);
  JxlBasicInfo info;
  JxlEncoderInitBasicInfo(&info);
  info.xsize = static_cast<std::uint32_t>(width);
  info.ysize = static_cast<std::uint32_t>(height);
  info.bits_per_sample = 16;
  info.num_color_channels = static_cast<std::uint32_t>(channels);
  info.uses_original_profile = JXL_TRUE;
  JxlEncoderSetBasicInfo(encoder.get(), &info);
  JxlColorEncoding encoding;
  JxlColorEncodingSetToLinearSRGB(&encoding, channels == 1 ? JXL_TRUE : JXL_FALSE);
  JxlEncoderSetColorEncoding(encoder.get(), &encoding);
  JxlEncoderFrameSettings* frame = JxlEncoderFrameSettingsCreate(encoder.get(), nullptr);
  JxlEncoderSetFrameLossless(frame, JXL_TRUE);
  const JxlPixelFormat format{static_cast<std::uint32_t>(channels), JXL_TYPE_UINT16, JXL_NATIVE_ENDIAN, 0};
  JxlEncoderAddImageFrame(frame, &format, samples.data(), samples.size() * 2);
  JxlEncoderCloseInput(encoder.get());
  std::vector<std::uint8_t> bytes(1 << 20);
  std::uint8_t* next = bytes.data();
  std::size_t left = bytes.size();
  EXPECT_EQ(JxlEncoderProcessOutput(encoder.get(), &next, &left), JXL_ENC_SUCCESS);
  bytes.resize(bytes.size() - left);
  return bytes;
}

// The picture in tiles of 32 × 32, those at the edges filled up with zeros.
TestTiff jxl_dng(const std::vector<std::uint16_t>& samples, int width, int height, int channels) {
  constexpr int side = 32;
  std::vector<std::vector<std::uint8_t>> tiles;
  for (int top = 0; top < height; top += side) {
    for (int left = 0; left < width; left += side) {
      std::vector<std::uint16_t> tile(static_cast<std::size_t>(side * side * channels));
      for (int y = 0; y < side && top + y < height; ++y) {
        for (int i = 0; i < side * channels && left * channels + i < width * channels; ++i) {
          tile[static_cast<std::size_t>(y * side * channels + i)] =
              samples[static_cast<std::size_t>((top + y) * width * channels + left * channels + i)];
        }
      }
      tiles.push_back(jxl_tile(tile, side, side, channels));
    }
  }
  return test_dng(width, height, channels, {})
      .shorts(259, {52546})
      .longs(322, {side})
      .longs(323, {side})
      .shorts(50717, std::vector<int>(static_cast<std::size_t>(channels), 16383))
      .pieces(tiles, true);
}

TEST(JxlDng, AMosaicsTilesAreDecoded) {
  const auto samples = counting(77 * 51);
  const RawImage raw = read_raw(jxl_dng(samples, 77, 51, 1).file(), "own.dng");
  ASSERT_EQ(raw.layout, RawLayout::bayer);
  ASSERT_EQ(raw.width, 77);
  EXPECT_TRUE(std::equal(samples.begin(), samples.end(), raw.samples.begin(), raw.samples.end()));
  EXPECT_EQ(raw.white[0], 16383);
  EXPECT_EQ(raw.neutral_source, NeutralSource::as_shot_neutral);
  EXPECT_EQ(raw.cfa.color(1, 1), 2);
}

TEST(JxlDng, ALinearPictureHasThreeSamplesAPixel) {
  const auto samples = counting(77 * 51 * 3);
  const RawImage raw = read_raw(jxl_dng(samples, 77, 51, 3).file(), "own.dng");
  ASSERT_EQ(raw.layout, RawLayout::linear);
  EXPECT_TRUE(std::equal(samples.begin(), samples.end(), raw.samples.begin(), raw.samples.end()));
}

TEST(JxlDng, FieldsSortedByColourAreWovenTogetherAndLinearised) {
  constexpr int width = 77, height = 51;
  const auto samples = counting(width * height);
  // Even columns first, even rows first: four pictures side by side.
  std::vector<std::uint16_t> sorted(samples.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int column = x % 2 == 0 ? x / 2 : (width + 1) / 2 + x / 2;
      const int row = y % 2 == 0 ? y / 2 : (height + 1) / 2 + y / 2;
      sorted[static_cast<std::size_t>(row * width + column)] = samples[static_cast<std::size_t>(y * width + x)];
    }
  }
  std::vector<int> half;
  for (int i = 0; i < 16000; ++i) half.push_back(i / 2);
  const RawImage raw = read_raw(
      jxl_dng(sorted, width, height, 1).longs(50975, {2}).longs(52547, {2}).shorts(50712, half).file(), "own.dng");
  for (std::size_t i = 0; i < samples.size(); ++i) ASSERT_EQ(raw.samples[i], samples[i] / 2) << i;
}

TEST(JxlDng, DamageAndTruncationAreErrors) {
  const auto samples = counting(77 * 51);
  const std::vector<std::byte> file = jxl_dng(samples, 77, 51, 1).file();
  with_damaged_copies(file, 100, [&](std::span<const std::byte> damaged) {
    try {
      read_raw(damaged, "damaged.dng");
      EXPECT_EQ(damaged.size(), file.size()) << "a truncated file was taken for a picture";
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind == ErrorKind::input || error.kind == ErrorKind::memory) << error.what();
      EXPECT_THAT(error.what(), testing::StartsWith("damaged.dng: "));
    }
  });
}
#endif

TEST(MonochromeDng, HasNoColoursAndNoWhiteBalance) {
  const auto samples = counting(64 * 48);
  TestTiff tiff = test_dng(64, 48, 1, samples);
  const RawImage raw = read_raw(tiff.shorts(262, {34892}).shorts(50717, {16383}).file(), "mono.dng");
  EXPECT_EQ(raw.layout, RawLayout::monochrome);
  EXPECT_EQ(raw.neutral_source, NeutralSource::unit);
  EXPECT_TRUE(std::equal(samples.begin(), samples.end(), raw.samples.begin(), raw.samples.end()));
}

TEST(FloatDng, KeepsWhatLiesAboveItsWhite) {
  constexpr int width = 64, height = 48;
  std::vector<std::uint8_t> strip;
  std::vector<float> samples;
  for (int i = 0; i < width * height * 3; ++i) {
    samples.push_back(static_cast<float>(i % 500) / 100);  // up to 5
    const auto bits = std::bit_cast<std::uint32_t>(samples.back());
    for (int b = 0; b < 4; ++b) strip.push_back(static_cast<std::uint8_t>(bits >> (8 * b)));
  }
  const RawImage raw = read_raw(
      test_dng(width, height, 3, {}).shorts(258, {32, 32, 32}).shorts(339, {3, 3, 3}).pieces({strip}, false).file(),
      "hdr.dng");
  ASSERT_EQ(raw.layout, RawLayout::linear);
  ASSERT_EQ(raw.float_samples.size(), samples.size());
  EXPECT_TRUE(std::equal(samples.begin(), samples.end(), raw.float_samples.begin(), raw.float_samples.end()));
  EXPECT_EQ(raw.white[0], 1);
}

TEST(LinearisedDng, CodesGoThroughTheTable) {
  const auto samples = counting(64 * 48);
  std::vector<int> half;
  for (int i = 0; i < 16000; ++i) half.push_back(i / 2);
  const RawImage raw = read_raw(test_dng(64, 48, 1, samples).shorts(50712, half).shorts(50717, {8000}).file(), "x.dng");
  for (std::size_t i = 0; i < samples.size(); ++i) ASSERT_EQ(raw.samples[i], samples[i] / 2) << i;
}

TEST(OddDng, PixelsThatAreNotSquareAndCropsOfOddSizesArrive) {
  const auto samples = counting(65 * 49);
  const RawImage raw = read_raw(test_dng(65, 49, 1, samples)
                                    .rationals(50718, {1, 2}, false)
                                    .longs(50829, {3, 1, 48, 64})
                                    .longs(50719, {5, 7})
                                    .longs(50720, {51, 33})
                                    .file(),
                                "odd.dng");
  EXPECT_EQ(raw.active_area, (Rect{1, 3, 63, 45}));
  EXPECT_EQ(raw.default_crop, (Rect{5, 7, 51, 33}));
  EXPECT_EQ(raw.pixel_aspect, 0.5);
  EXPECT_EQ(raw.cfa.color(1, 3), 0);
}

}  // namespace
}  // namespace imago::io
