#include "io/avif/avif_read.h"

#include <avif/avif.h>

#include <memory>

#include "base/error.h"
#include "io/cicp.h"
#include "io/exif_orientation.h"
#include "io/linear_light.h"
#include "io/picture_limits.h"

namespace imago::io {
namespace {

int orientation_of(const avifImage& image) {
  const int turns = (image.transformFlags & AVIF_TRANSFORM_IROT) != 0 ? image.irot.angle : 0;
  ContainerMirror mirror = ContainerMirror::none;
  if ((image.transformFlags & AVIF_TRANSFORM_IMIR) != 0) {
#if AVIF_VERSION >= 1000000
    const bool left_right = image.imir.axis == 1;
#else
    const bool left_right = image.imir.mode == 1;
#endif
    mirror = left_right ? ContainerMirror::left_right : ContainerMirror::top_bottom;
  }
  return orientation_of_container(turns, mirror);
}

class Decoder {
 public:
  Decoder(std::span<const std::byte> bytes, const std::string& name)
      : name_(name), decoder_(avifDecoderCreate(), avifDecoderDestroy) {
    if (!decoder_) throw Error(ErrorKind::memory, name_ + ": not enough memory to decode AVIF");
    decoder_->strictFlags = AVIF_STRICT_DISABLED;  // many writers leave out a box or two
    decoder_->imageSizeLimit =
        static_cast<std::uint32_t>(most_picture_pixels > 268435456 ? 268435456 : most_picture_pixels);
    check(avifDecoderSetIOMemory(decoder_.get(), reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
    check(avifDecoderParse(decoder_.get()));
    check_picture_size(decoder_->image->width, decoder_->image->height, most_picture_pixels, name_);
  }

  PictureInfo info() const {
    const avifImage& image = *decoder_->image;
    PictureInfo info;
    info.width = static_cast<int>(image.width);
    info.height = static_cast<int>(image.height);
    info.bits = light() != CicpColor::Light::encoded ? 32 : image.depth <= 8 ? 8 : 16;
    info.gray = image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400;
    info.alpha = decoder_->alphaPresent != 0;
    info.orientation = orientation_of(image);
    if (image.icc.size > 0) {
      const auto* first = reinterpret_cast<const std::byte*>(image.icc.data);
      info.icc.assign(first, first + image.icc.size);
    } else {
      CicpColor color = cicp();
      info.icc = std::move(color.icc);
      if (!color.warning.empty()) info.warnings.push_back(color.warning);
    }
    if (decoder_->imageCount > 1) info.warnings.emplace_back("an animation: its first picture is used");
    return info;
  }

  CicpColor::Light light() const { return decoder_->image->icc.size > 0 ? CicpColor::Light::encoded : cicp().light; }

  void decode() { check(avifDecoderNextImage(decoder_.get())); }

  template <typename Sample>
  Image<Sample, 3> pixels() const {
    const avifImage& image = *decoder_->image;
    Image<Sample, 3> out(static_cast<int>(image.width), static_cast<int>(image.height));
    avifRGBImage rgb;
    avifRGBImageSetDefaults(&rgb, &image);
    rgb.format = AVIF_RGB_FORMAT_RGB;
    rgb.depth = 8 * sizeof(Sample);
    rgb.ignoreAlpha = AVIF_TRUE;
    rgb.pixels = reinterpret_cast<std::uint8_t*>(out.pixels.data());
    rgb.rowBytes = static_cast<std::uint32_t>(out.row_samples() * sizeof(Sample));
    check(avifImageYUVToRGB(&image, &rgb));
    return out;
  }

 private:
  CicpColor cicp() const {
    return color_of_cicp(decoder_->image->colorPrimaries, decoder_->image->transferCharacteristics);
  }

  void check(avifResult result) const {
    if (result == AVIF_RESULT_OK) return;
    if (result == AVIF_RESULT_TRUNCATED_DATA)
      throw Error(ErrorKind::input, name_ + ": truncated AVIF: the file ends before the picture does");
    if (result == AVIF_RESULT_NO_CODEC_AVAILABLE)
      throw Error(ErrorKind::input, name_ + ": libavif has no AV1 decoder here: install dav1d or aom");
    throw Error(ErrorKind::input, name_ + ": damaged AVIF: " + avifResultToString(result));
  }

  const std::string& name_;
  std::unique_ptr<avifDecoder, decltype(&avifDecoderDestroy)> decoder_;
};

}  // namespace

PictureInfo probe_avif(std::span<const std::byte> bytes, const std::string& name) {
  return Decoder(bytes, name).info();
}

Picture read_avif(std::span<const std::byte> bytes, const std::string& name) {
  Decoder decoder(bytes, name);
  Picture picture;
  picture.info = decoder.info();
  decoder.decode();
  switch (picture.info.bits) {
    case 8: picture.rgb8 = decoder.pixels<std::uint8_t>(); break;
    case 16: picture.rgb16 = decoder.pixels<std::uint16_t>(); break;
    default: picture.rgb32f = linear_picture(decoder.pixels<std::uint16_t>(), decoder.light()); break;
  }
  return picture;
}

}  // namespace imago::io
