#include "io/heif/heif_read.h"

#include <libheif/heif.h>

#include <cstring>
#include <memory>

#include "base/error.h"
#include "io/cicp.h"
#include "io/linear_light.h"
#include "io/picture_limits.h"

namespace imago::io {
namespace {

class Decoder {
 public:
  Decoder(std::span<const std::byte> bytes, const std::string& name)
      : name_(name),
        context_(heif_context_alloc(), heif_context_free),
        handle_(nullptr, heif_image_handle_release),
        image_(nullptr, heif_image_release) {
    if (!context_) throw Error(ErrorKind::memory, name_ + ": not enough memory to decode HEIF");
    check(heif_context_read_from_memory_without_copy(context_.get(), bytes.data(), bytes.size(), nullptr));
    heif_image_handle* handle = nullptr;
    check(heif_context_get_primary_image_handle(context_.get(), &handle));
    handle_.reset(handle);
    check_picture_size(static_cast<std::uint64_t>(std::max(width(), 0)),
                       static_cast<std::uint64_t>(std::max(height(), 0)), most_picture_pixels, name_);
    read_color();
  }

  PictureInfo info() const {
    PictureInfo info;
    info.width = width();
    info.height = height();
    info.bits = color_.light != CicpColor::Light::encoded                       ? 32
                : heif_image_handle_get_luma_bits_per_pixel(handle_.get()) <= 8 ? 8
                                                                                : 16;
    info.alpha = heif_image_handle_has_alpha_channel(handle_.get()) != 0;
    info.icc = color_.icc;
    if (!color_.warning.empty()) info.warnings.push_back(color_.warning);
    return info;
  }
  CicpColor::Light light() const { return color_.light; }

  template <typename Sample>
  Image<Sample, 3> pixels() {
    constexpr bool wide = sizeof(Sample) == 2;
    heif_image* image = nullptr;
    check(heif_decode_image(handle_.get(), &image, heif_colorspace_RGB,
                            wide ? heif_chroma_interleaved_RRGGBB_LE : heif_chroma_interleaved_RGB, nullptr));
    image_.reset(image);
    int stride = 0;
    const std::uint8_t* plane = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride);
    const int columns = heif_image_get_width(image, heif_channel_interleaved);
    const int rows = heif_image_get_height(image, heif_channel_interleaved);
    if (plane == nullptr || columns != width() || rows != height() ||
        static_cast<std::size_t>(stride) < static_cast<std::size_t>(columns) * 3 * sizeof(Sample)) {
      throw Error(ErrorKind::input, name_ + ": damaged HEIF: it does not decode to a picture");
    }
    Image<Sample, 3> out(columns, rows);
    for (int y = 0; y < rows; ++y) {
      std::memcpy(out.row(y), plane + static_cast<std::size_t>(y) * static_cast<std::size_t>(stride),
                  out.row_samples() * sizeof(Sample));
    }
    const int bits = heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved);
    if constexpr (wide) stretch(out, bits);
    return out;
  }

 private:
  int width() const { return heif_image_handle_get_width(handle_.get()); }
  int height() const { return heif_image_handle_get_height(handle_.get()); }

  // To the whole range of 16 bits.
  static void stretch(Rgb16& image, int bits) {
    if (bits < 8 || bits >= 16) return;
    const std::uint32_t most = (1u << bits) - 1;
    for (std::uint16_t& v : image.pixels) {
      v = static_cast<std::uint16_t>((std::min<std::uint32_t>(v, most) * 65535u + most / 2) / most);
    }
  }

  void read_color() {
    const std::size_t size = heif_image_handle_get_raw_color_profile_size(handle_.get());
    if (size > 0 && size <= (std::size_t{64} << 20)) {
      color_.icc.resize(size);
      check(heif_image_handle_get_raw_color_profile(handle_.get(), color_.icc.data()));
      return;
    }
    heif_color_profile_nclx* nclx = nullptr;
    if (heif_image_handle_get_nclx_color_profile(handle_.get(), &nclx).code != heif_error_Ok || nclx == nullptr) return;
    color_ = color_of_cicp(static_cast<int>(nclx->color_primaries), static_cast<int>(nclx->transfer_characteristics));
    heif_nclx_color_profile_free(nclx);
  }

  void check(const heif_error& error) const {
    if (error.code == heif_error_Ok) return;
    if (error.code == heif_error_Unsupported_filetype || error.code == heif_error_Unsupported_feature ||
        error.code == heif_error_Decoder_plugin_error) {
      throw Error(ErrorKind::input, name_ + ": HEIF that libheif cannot decode here (" + error.message +
                                        "): install its decoder, libheif-plugin-libde265, or convert the file");
    }
    throw Error(ErrorKind::input, name_ + ": damaged HEIF: " + error.message);
  }

  const std::string& name_;
  std::unique_ptr<heif_context, decltype(&heif_context_free)> context_;
  std::unique_ptr<heif_image_handle, decltype(&heif_image_handle_release)> handle_;
  std::unique_ptr<heif_image, decltype(&heif_image_release)> image_;
  CicpColor color_;
};

}  // namespace

PictureInfo probe_heif(std::span<const std::byte> bytes, const std::string& name) {
  return Decoder(bytes, name).info();
}

Picture read_heif(std::span<const std::byte> bytes, const std::string& name) {
  Decoder decoder(bytes, name);
  Picture picture;
  picture.info = decoder.info();
  switch (picture.info.bits) {
    case 8: picture.rgb8 = decoder.pixels<std::uint8_t>(); break;
    case 16: picture.rgb16 = decoder.pixels<std::uint16_t>(); break;
    default: picture.rgb32f = linear_picture(decoder.pixels<std::uint16_t>(), decoder.light()); break;
  }
  return picture;
}

}  // namespace imago::io
