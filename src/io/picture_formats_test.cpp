// WebP, JPEG XL, AVIF and HEIF as inputs: files made here by the codecs' own encoders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "base/error.h"
#include "color/icc.h"
#include "io/cicp.h"
#include "io/exif_orientation.h"
#include "io/image_file.h"
#include "io/picture_reader.h"
#include "io/test_files.h"
#include "io/test_tiff.h"

#ifdef IMAGO_READS_AVIF
#include <avif/avif.h>
#endif
#ifdef IMAGO_READS_HEIF
#include <libheif/heif.h>
#endif
#ifdef IMAGO_READS_JXL
#include <jxl/encode.h>

#include "io/jxl/jxl_read.h"
#endif
#ifdef IMAGO_READS_WEBP
#include <webp/encode.h>
#include <webp/mux.h>
#endif

namespace imago::io {
namespace {

using testing::HasSubstr;

std::vector<std::byte> copy_of(const void* data, std::size_t size) {
  const auto* first = static_cast<const std::byte*>(data);
  return {first, first + size};
}

// Smooth, every channel its own slope, 0 … 1.
double value_at(int x, int y, int c, int width, int height) {
  return c == 0 ? 0.1 + 0.8 * x / width : c == 1 ? 0.1 + 0.8 * y / height : 0.3 + 0.3 * (x + y) / (width + height);
}

template <typename Image>
Image ramp(int width, int height, double scale) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c)
        image.at(x, y)[c] = static_cast<typename Image::Sample>(value_at(x, y, c, width, height) * scale + 0.5);
    }
  }
  return image;
}

// Largest difference, in parts of the whole range.
template <typename Image>
double difference(const Image& image, double scale) {
  double most = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        most = std::max(most, std::abs(static_cast<double>(image.at(x, y)[c]) / scale -
                                       value_at(x, y, c, image.width, image.height)));
      }
    }
  }
  return most;
}

void expect_damage_is_an_error(const std::vector<std::byte>& file) {
  with_damaged_copies(file, 200, [&](std::span<const std::byte> damaged) {
    try {
      const PictureInfo info = probe_picture(damaged, "damaged");
      if (static_cast<std::int64_t>(info.width) * info.height < 1000000) read_picture(damaged, "damaged");
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind == ErrorKind::input || error.kind == ErrorKind::memory) << error.what();
      EXPECT_THAT(error.what(), HasSubstr("damaged"));
    }
  });
}

std::vector<std::byte> exif_with_orientation(int orientation) { return TestTiff().shorts(274, {orientation}).file(); }

#ifdef IMAGO_READS_WEBP
std::vector<std::byte> webp(const Rgb8& image, const std::vector<std::byte>& icc, const std::vector<std::byte>& exif) {
  std::uint8_t* encoded = nullptr;
  const std::size_t size =
      WebPEncodeLosslessRGB(image.pixels.data(), image.width, image.height, image.width * 3, &encoded);
  const WebPData picture{encoded, size};
  WebPMux* mux = WebPMuxCreate(&picture, 1);
  const WebPData profile{reinterpret_cast<const std::uint8_t*>(icc.data()), icc.size()};
  const WebPData metadata{reinterpret_cast<const std::uint8_t*>(exif.data()), exif.size()};
  if (!icc.empty()) WebPMuxSetChunk(mux, "ICCP", &profile, 1);
  if (!exif.empty()) WebPMuxSetChunk(mux, "EXIF", &metadata, 1);
  WebPData whole{nullptr, 0};
  WebPMuxAssemble(mux, &whole);
  auto bytes = copy_of(whole.bytes, whole.size);
  WebPDataClear(&whole);
  WebPMuxDelete(mux);
  WebPFree(encoded);
  return bytes;
}

TEST(Webp, ALosslessPictureIsExactWithItsProfileAndOrientation) {
  const Rgb8 image = ramp<Rgb8>(61, 43, 255);
  const auto icc = color::icc_profile(color::p3_primaries, color::Transfer::srgb, "Display P3");
  const Picture read = read_picture(webp(image, icc, exif_with_orientation(6)), "a.webp");
  EXPECT_TRUE(std::equal(image.pixels.begin(), image.pixels.end(), read.rgb8.pixels.begin(), read.rgb8.pixels.end()));
  EXPECT_EQ(read.info.icc, icc);
  EXPECT_EQ(read.info.orientation, 6);
  EXPECT_EQ(read.info.bits, 8);
}

TEST(Webp, DamageIsAnError) { expect_damage_is_an_error(webp(ramp<Rgb8>(61, 43, 255), {}, exif_with_orientation(3))); }
#endif

#ifdef IMAGO_READS_JXL
struct JxlOptions {
  int channels = 3;
  int bits = 8;
  bool is_float = false;
  int orientation = 1;
  bool p3 = false;
};

std::vector<std::byte> jxl(int width, int height, const void* samples, std::size_t size, const JxlOptions& options) {
  const std::unique_ptr<JxlEncoder, decltype(&JxlEncoderDestroy)> encoder(JxlEncoderCreate(nullptr), JxlEncoderDestroy);
  JxlBasicInfo info;
  JxlEncoderInitBasicInfo(&info);
  info.xsize = static_cast<std::uint32_t>(width);
  info.ysize = static_cast<std::uint32_t>(height);
  info.bits_per_sample = static_cast<std::uint32_t>(options.bits);
  info.exponent_bits_per_sample = options.is_float ? 8 : 0;
  info.num_color_channels = static_cast<std::uint32_t>(options.channels);
  info.orientation = static_cast<JxlOrientation>(options.orientation);
  info.uses_original_profile = JXL_TRUE;
  JxlEncoderSetBasicInfo(encoder.get(), &info);
  JxlColorEncoding encoding;
  JxlColorEncodingSetToSRGB(&encoding, options.channels == 1 ? JXL_TRUE : JXL_FALSE);
  if (options.p3) encoding.primaries = JXL_PRIMARIES_P3;
  JxlEncoderSetColorEncoding(encoder.get(), &encoding);
  JxlEncoderFrameSettings* frame = JxlEncoderFrameSettingsCreate(encoder.get(), nullptr);
  JxlEncoderSetFrameLossless(frame, JXL_TRUE);
  const JxlPixelFormat format{static_cast<std::uint32_t>(options.channels),
                              options.is_float    ? JXL_TYPE_FLOAT
                              : options.bits <= 8 ? JXL_TYPE_UINT8
                                                  : JXL_TYPE_UINT16,
                              JXL_NATIVE_ENDIAN, 0};
  EXPECT_EQ(JxlEncoderAddImageFrame(frame, &format, samples, size), JXL_ENC_SUCCESS);
  JxlEncoderCloseInput(encoder.get());
  std::vector<std::byte> bytes(1 << 20);
  auto* next = reinterpret_cast<std::uint8_t*>(bytes.data());
  std::size_t left = bytes.size();
  EXPECT_EQ(JxlEncoderProcessOutput(encoder.get(), &next, &left), JXL_ENC_SUCCESS);
  bytes.resize(bytes.size() - left);
  return bytes;
}

TEST(Jxl, EightSixteenAndFloatBitsAreExact) {
  const Rgb8 eight = ramp<Rgb8>(61, 43, 255);
  const Picture a = read_picture(jxl(61, 43, eight.pixels.data(), eight.pixels.size(), {.orientation = 5}), "a.jxl");
  EXPECT_TRUE(std::equal(eight.pixels.begin(), eight.pixels.end(), a.rgb8.pixels.begin(), a.rgb8.pixels.end()));
  EXPECT_EQ(a.info.orientation, 5);
  const Rgb16 wide = ramp<Rgb16>(61, 43, 65535);
  const Picture b =
      read_picture(jxl(61, 43, wide.pixels.data(), wide.pixels.size() * 2, {.bits = 16, .p3 = true}), "b.jxl");
  EXPECT_TRUE(std::equal(wide.pixels.begin(), wide.pixels.end(), b.rgb16.pixels.begin(), b.rgb16.pixels.end()));
  EXPECT_FALSE(b.info.icc.empty());
  Rgb32f real(61, 43);
  for (std::size_t i = 0; i < real.pixels.size(); ++i) real.pixels[i] = static_cast<float>(wide.pixels[i]) / 20000.0f;
  const Picture c =
      read_picture(jxl(61, 43, real.pixels.data(), real.pixels.size() * 4, {.bits = 32, .is_float = true}), "c.jxl");
  EXPECT_TRUE(std::equal(real.pixels.begin(), real.pixels.end(), c.rgb32f.pixels.begin(), c.rgb32f.pixels.end()));
}

TEST(Jxl, SamplesOfTilesKeepTheirBits) {
  for (const int bits : {10, 12, 14, 16}) {
    std::vector<std::uint16_t> codes(64 * 32), stretched;
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint16_t>(i * 31 % (1u << bits));
    const std::uint32_t most = (1u << bits) - 1;
    for (const std::uint16_t code : codes)
      stretched.push_back(static_cast<std::uint16_t>((code * 65535u + most / 2) / most));
    const JxlSamples samples = decode_jxl_samples(
        jxl(64, 32, stretched.data(), stretched.size() * 2, {.channels = 1, .bits = bits}), 4096, "tile");
    EXPECT_EQ(samples.bits, bits);
    EXPECT_EQ(samples.channels, 1);
    EXPECT_EQ(samples.codes, codes) << bits;
  }
}

TEST(Jxl, DamageIsAnError) {
  const Rgb8 eight = ramp<Rgb8>(61, 43, 255);
  expect_damage_is_an_error(jxl(61, 43, eight.pixels.data(), eight.pixels.size(), {}));
}
#endif

#ifdef IMAGO_READS_AVIF
struct AvifOptions {
  int depth = 8;
  int primaries = 1, transfer = 13;
  int turns = 0;
  bool mirrored = false;
};

// Empty where libavif has no encoder.
std::vector<std::byte> avif(const Rgb16& image, const AvifOptions& options) {
  const std::unique_ptr<avifImage, decltype(&avifImageDestroy)> yuv(
      avifImageCreate(static_cast<std::uint32_t>(image.width), static_cast<std::uint32_t>(image.height),
                      static_cast<std::uint32_t>(options.depth), AVIF_PIXEL_FORMAT_YUV444),
      avifImageDestroy);
  yuv->colorPrimaries = static_cast<avifColorPrimaries>(options.primaries);
  yuv->transferCharacteristics = static_cast<avifTransferCharacteristics>(options.transfer);
  yuv->matrixCoefficients = AVIF_MATRIX_COEFFICIENTS_BT601;
  if (options.turns != 0) {
    yuv->transformFlags |= AVIF_TRANSFORM_IROT;
    yuv->irot.angle = static_cast<std::uint8_t>(options.turns);
  }
  if (options.mirrored) {
    yuv->transformFlags |= AVIF_TRANSFORM_IMIR;
#if AVIF_VERSION >= 1000000
    yuv->imir.axis = 0;
#else
    yuv->imir.mode = 0;
#endif
  }
  avifRGBImage rgb;
  avifRGBImageSetDefaults(&rgb, yuv.get());
  rgb.format = AVIF_RGB_FORMAT_RGB;
  rgb.depth = 16;
  rgb.pixels = reinterpret_cast<std::uint8_t*>(const_cast<std::uint16_t*>(image.pixels.data()));
  rgb.rowBytes = static_cast<std::uint32_t>(image.row_samples() * 2);
  EXPECT_EQ(avifImageRGBToYUV(yuv.get(), &rgb), AVIF_RESULT_OK);
  const std::unique_ptr<avifEncoder, decltype(&avifEncoderDestroy)> encoder(avifEncoderCreate(), avifEncoderDestroy);
  encoder->minQuantizer = encoder->maxQuantizer = 4;
  encoder->speed = 10;
  avifRWData out = AVIF_DATA_EMPTY;
  std::vector<std::byte> bytes;
  if (avifEncoderWrite(encoder.get(), yuv.get(), &out) == AVIF_RESULT_OK) bytes = copy_of(out.data, out.size);
  avifRWDataFree(&out);
  return bytes;
}

TEST(Avif, EightAndTenBitsComeNearTheirPicture) {
  const Rgb16 image = ramp<Rgb16>(64, 48, 65535);
  const auto eight = avif(image, {});
  if (eight.empty()) GTEST_SKIP() << "SKIPPED: libavif has no encoder here";
  const Picture a = read_picture(eight, "a.avif");
  EXPECT_EQ(a.info.bits, 8);
  EXPECT_TRUE(a.info.icc.empty());           // sRGB by its code points
  EXPECT_LT(difference(a.rgb8, 255), 0.03);  // lossy
  const Picture b = read_picture(avif(image, {.depth = 10, .primaries = 12}), "b.avif");
  EXPECT_EQ(b.info.bits, 16);
  EXPECT_EQ(b.info.icc, color::icc_profile(color::p3_primaries, color::Transfer::srgb, "Display P3"));
  EXPECT_LT(difference(b.rgb16, 65535), 0.02);
}

TEST(Avif, TurnsOfTheContainerAreAnOrientation) {
  const Rgb16 image = ramp<Rgb16>(64, 48, 65535);
  const auto turned = avif(image, {.turns = 1});
  if (turned.empty()) GTEST_SKIP() << "SKIPPED: libavif has no encoder here";
  EXPECT_EQ(read_picture(turned, "a.avif").info.orientation, 8);
  EXPECT_EQ(probe_picture(avif(image, {.turns = 3, .mirrored = true}), "b.avif").orientation, 7);
}

TEST(Avif, PqBecomesLinearLightWithPaperAtOne) {
  Rgb16 image(32, 32);
  // 203 cd/m² is 0.58069 in PQ
  std::fill(image.pixels.begin(), image.pixels.end(), static_cast<std::uint16_t>(std::lround(0.58069 * 65535)));
  const auto file = avif(image, {.depth = 10, .primaries = 9, .transfer = 16});
  if (file.empty()) GTEST_SKIP() << "SKIPPED: libavif has no encoder here";
  const Picture picture = read_picture(file, "a.avif");
  ASSERT_EQ(picture.info.bits, 32);
  EXPECT_NEAR(picture.rgb32f.at(16, 16)[1], 1, 0.02);  // 10 bits, lossy
  EXPECT_EQ(picture.info.icc, color::icc_profile(color::rec2020_primaries, color::Transfer::linear, "BT.2020"));
}

TEST(Avif, DamageIsAnError) {
  const auto file = avif(ramp<Rgb16>(64, 48, 65535), {});
  if (file.empty()) GTEST_SKIP() << "SKIPPED: libavif has no encoder here";
  expect_damage_is_an_error(file);
}
#endif

#ifdef IMAGO_READS_HEIF
// Empty where libheif has no encoder for HEVC.
std::vector<std::byte> heic(const Rgb8& image) {
  const std::unique_ptr<heif_context, decltype(&heif_context_free)> context(heif_context_alloc(), heif_context_free);
  heif_encoder* encoder = nullptr;
  if (heif_context_get_encoder_for_format(context.get(), heif_compression_HEVC, &encoder).code != heif_error_Ok)
    return {};
  heif_encoder_set_lossy_quality(encoder, 95);
  heif_image* picture = nullptr;
  heif_image_create(image.width, image.height, heif_colorspace_RGB, heif_chroma_interleaved_RGB, &picture);
  heif_image_add_plane(picture, heif_channel_interleaved, image.width, image.height, 8);
  int stride = 0;
  std::uint8_t* plane = heif_image_get_plane(picture, heif_channel_interleaved, &stride);
  for (int y = 0; y < image.height; ++y) std::copy_n(image.row(y), image.row_samples(), plane + y * stride);
  heif_image_handle* handle = nullptr;
  heif_context_encode_image(context.get(), picture, encoder, nullptr, &handle);
  std::vector<std::byte> bytes;
  heif_writer writer{};
  writer.writer_api_version = 1;
  writer.write = [](heif_context*, const void* data, std::size_t size, void* to) {
    *static_cast<std::vector<std::byte>*>(to) = copy_of(data, size);
    return heif_error{heif_error_Ok, heif_suberror_Unspecified, ""};
  };
  heif_context_write(context.get(), &writer, &bytes);
  heif_image_handle_release(handle);
  heif_image_release(picture);
  heif_encoder_release(encoder);
  return bytes;
}

TEST(Heif, APictureOfAPhoneComesNearItsOriginal) {
  const auto file = heic(ramp<Rgb8>(128, 96, 255));
  if (file.empty()) GTEST_SKIP() << "SKIPPED: libheif has no HEVC encoder here";
  const Picture picture = read_picture(file, "a.heic");
  EXPECT_EQ(picture.info.width, 128);
  EXPECT_EQ(picture.info.bits, 8);
  EXPECT_LT(difference(picture.rgb8, 255), 0.03);  // lossy, colour at half size
  EXPECT_EQ(probe_picture(file, "a.heic").height, 96);
}

TEST(Heif, DamageIsAnError) {
  const auto file = heic(ramp<Rgb8>(128, 96, 255));
  if (file.empty()) GTEST_SKIP() << "SKIPPED: libheif has no HEVC encoder here";
  expect_damage_is_an_error(file);
}
#endif

TEST(Cicp, SignalsOfHdrDisplaysHaveTheirPublishedLight) {
  // SMPTE ST 2084: 0.508078 is 100 cd/m², 0.751827 is 1000; ITU-R BT.2100 HLG: 0.75 is a scene light of 0.2650.
  EXPECT_NEAR(linear_of_pq(0.508078f) * 203, 100, 0.01);
  EXPECT_NEAR(linear_of_pq(0.751827f) * 203, 1000, 0.1);
  EXPECT_NEAR(linear_of_pq(1) * 203, 10000, 0.1);
  EXPECT_EQ(linear_of_pq(0), 0);
  EXPECT_NEAR(linear_of_hlg(0.75f) * 203, 1000 * std::pow(0.26496, 1.2), 0.1);  // 203 cd/m²
  EXPECT_NEAR(linear_of_hlg(1) * 203, 1000, 0.1);
}

TEST(Orientation, OfAContainerIsItsTurnsThenItsMirror) {
  using enum ContainerMirror;
  const int expected[3][4] = {{1, 8, 3, 6}, {2, 7, 4, 5}, {4, 5, 2, 7}};
  for (int turns = 0; turns < 4; ++turns) {
    EXPECT_EQ(orientation_of_container(turns, none), expected[0][turns]);
    EXPECT_EQ(orientation_of_container(turns, left_right), expected[1][turns]);
    EXPECT_EQ(orientation_of_container(turns, top_bottom), expected[2][turns]);
  }
  EXPECT_EQ(exif_orientation(exif_with_orientation(7)), 7);
  EXPECT_EQ(exif_orientation(exif_with_orientation(9)), 1);
  EXPECT_EQ(exif_orientation({}), 1);
}

}  // namespace
}  // namespace imago::io
