#include "io/jxl/jxl_read.h"

#include <jxl/decode.h>
#include <jxl/version.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/error.h"
#include "io/byte_source.h"
#include "io/picture_limits.h"

namespace imago::io {
namespace {

class Decoder {
 public:
  Decoder(std::span<const std::byte> bytes, const std::string& name)
      : name_(name), bytes_(bytes), decoder_(JxlDecoderCreate(nullptr), JxlDecoderDestroy) {
    if (!decoder_) throw Error(ErrorKind::memory, name_ + ": not enough memory to decode JPEG XL");
    JxlDecoderSetKeepOrientation(decoder_.get(), JXL_TRUE);
    constexpr int events = JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE;
    JxlDecoderSubscribeEvents(decoder_.get(), events);
    JxlDecoderSetInput(decoder_.get(), reinterpret_cast<const std::uint8_t*>(bytes_.data()), bytes_.size());
    JxlDecoderCloseInput(decoder_.get());
    run_to(JXL_DEC_BASIC_INFO);
    if (JxlDecoderGetBasicInfo(decoder_.get(), &basic_) != JXL_DEC_SUCCESS) fail();
  }

  const JxlBasicInfo& basic() const { return basic_; }
  int channels() const { return basic_.num_color_channels == 1 ? 1 : 3; }
  bool is_float() const { return basic_.exponent_bits_per_sample != 0; }

  std::vector<std::byte> icc() {
    run_to(JXL_DEC_COLOR_ENCODING);
    std::size_t size = 0;
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
    if (JxlDecoderGetICCProfileSize(decoder_.get(), nullptr, JXL_COLOR_PROFILE_TARGET_DATA, &size) != JXL_DEC_SUCCESS)
      return {};
    std::vector<std::byte> profile(std::min<std::size_t>(size, std::size_t{64} << 20));
    if (JxlDecoderGetColorAsICCProfile(decoder_.get(), nullptr, JXL_COLOR_PROFILE_TARGET_DATA,
                                       reinterpret_cast<std::uint8_t*>(profile.data()),
                                       profile.size()) != JXL_DEC_SUCCESS)
      return {};
#else
    if (JxlDecoderGetICCProfileSize(decoder_.get(), JXL_COLOR_PROFILE_TARGET_DATA, &size) != JXL_DEC_SUCCESS) return {};
    std::vector<std::byte> profile(std::min<std::size_t>(size, std::size_t{64} << 20));
    if (JxlDecoderGetColorAsICCProfile(decoder_.get(), JXL_COLOR_PROFILE_TARGET_DATA,
                                       reinterpret_cast<std::uint8_t*>(profile.data()),
                                       profile.size()) != JXL_DEC_SUCCESS)
      return {};
#endif
    return profile;
  }

  // Interleaved samples of `type`; integers use the type's whole range.
  template <typename Sample>
  std::vector<Sample> pixels(JxlDataType type, int wanted_channels) {
    const JxlPixelFormat format{static_cast<std::uint32_t>(wanted_channels), type, JXL_NATIVE_ENDIAN, 0};
    std::vector<Sample> out(std::size_t{basic_.xsize} * basic_.ysize * static_cast<std::size_t>(wanted_channels));
    run_to(JXL_DEC_NEED_IMAGE_OUT_BUFFER);
    std::size_t needed = 0;
    if (JxlDecoderImageOutBufferSize(decoder_.get(), &format, &needed) != JXL_DEC_SUCCESS ||
        needed != out.size() * sizeof(Sample) ||
        JxlDecoderSetImageOutBuffer(decoder_.get(), &format, out.data(), needed) != JXL_DEC_SUCCESS) {
      fail();
    }
    run_to(JXL_DEC_FULL_IMAGE);
    return out;
  }

 private:
  void run_to(JxlDecoderStatus wanted) {
    for (;;) {
      const JxlDecoderStatus status = JxlDecoderProcessInput(decoder_.get());
      if (status == wanted) return;
      if (status == JXL_DEC_COLOR_ENCODING) continue;
      if (status == JXL_DEC_NEED_MORE_INPUT)
        throw Error(ErrorKind::input, name_ + ": truncated JPEG XL: the file ends before the picture does");
      fail();
    }
  }
  [[noreturn]] void fail() const { throw Error(ErrorKind::input, name_ + ": damaged JPEG XL"); }

  const std::string& name_;
  std::span<const std::byte> bytes_;
  std::unique_ptr<JxlDecoder, decltype(&JxlDecoderDestroy)> decoder_;
  JxlBasicInfo basic_{};
};

PictureInfo info_of(Decoder& decoder) {
  const JxlBasicInfo& basic = decoder.basic();
  PictureInfo info;
  info.width = static_cast<int>(basic.xsize);
  info.height = static_cast<int>(basic.ysize);
  info.bits = decoder.is_float() ? 32 : basic.bits_per_sample <= 8 ? 8 : 16;
  info.gray = decoder.channels() == 1;
  info.alpha = basic.alpha_bits != 0;
  info.orientation = static_cast<int>(basic.orientation);
  if (basic.have_animation != 0) info.warnings.emplace_back("an animation: its first picture is used");
  info.icc = decoder.icc();
  return info;
}

template <typename Sample>
Image<Sample, 3> image_of(const std::vector<Sample>& samples, const PictureInfo& info) {
  Image<Sample, 3> image(info.width, info.height);
  std::copy(samples.begin(), samples.end(), image.pixels.begin());
  return image;
}

void check(const Decoder& decoder, std::uint64_t file_bytes, const std::string& name) {
  // Flat pictures compress without limit in JPEG XL: the bound on the pixels alone counts.
  static_cast<void>(file_bytes);
  check_picture_size(decoder.basic().xsize, decoder.basic().ysize, most_picture_pixels, name);
}

}  // namespace

PictureInfo probe_jxl(std::span<const std::byte> bytes, const std::string& name) {
  Decoder decoder(bytes, name);
  check(decoder, bytes.size(), name);
  return info_of(decoder);
}

Picture read_jxl(std::span<const std::byte> bytes, const std::string& name) {
  Decoder decoder(bytes, name);
  check(decoder, bytes.size(), name);
  Picture picture;
  picture.info = info_of(decoder);
  switch (picture.info.bits) {
    case 8: picture.rgb8 = image_of(decoder.pixels<std::uint8_t>(JXL_TYPE_UINT8, 3), picture.info); break;
    case 16: picture.rgb16 = image_of(decoder.pixels<std::uint16_t>(JXL_TYPE_UINT16, 3), picture.info); break;
    default: picture.rgb32f = image_of(decoder.pixels<float>(JXL_TYPE_FLOAT, 3), picture.info); break;
  }
  return picture;
}

JxlSamples decode_jxl_samples(std::span<const std::byte> bytes, std::uint64_t most_pixels, const std::string& name) {
  Decoder decoder(bytes, name);
  const JxlBasicInfo& basic = decoder.basic();
  if (std::uint64_t{basic.xsize} * basic.ysize > most_pixels)
    throw Error(ErrorKind::input, name + ": damaged raw data: a JPEG XL tile is larger than the picture");
  JxlSamples samples;
  samples.width = static_cast<int>(basic.xsize);
  samples.height = static_cast<int>(basic.ysize);
  samples.channels = decoder.channels();
  samples.bits = static_cast<int>(basic.bits_per_sample);
  if (decoder.is_float()) {
    samples.floats = decoder.pixels<float>(JXL_TYPE_FLOAT, samples.channels);
    return samples;
  }
  samples.codes = decoder.pixels<std::uint16_t>(JXL_TYPE_UINT16, samples.channels);
  if (samples.bits < 16) {
    // The decoder stretches to 16 bits; back, exactly.
    const std::uint32_t most = (1u << samples.bits) - 1;
    for (std::uint16_t& code : samples.codes)
      code = static_cast<std::uint16_t>((std::uint32_t{code} * most + 32767u) / 65535u);
  }
  return samples;
}

}  // namespace imago::io
