#include <array>
#include <bit>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <utility>

#include <png.h>

#include "base/error.h"
#include "io/picture_limits.h"
#include "io/png/png.h"
#include "io/tiff_tags.h"

namespace imago::io {
namespace {

class PngReader {
 public:
  PngReader(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, &PngReader::on_error, &PngReader::on_warning);
    info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
    if (info_ == nullptr || !read_header()) {
      png_destroy_read_struct(&png_, &info_, nullptr);
      fail();
    }
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  PictureInfo info() {
    const png_uint_32 width = png_get_image_width(png_, info_), height = png_get_image_height(png_, info_);
    check_picture_size(width, height, bytes_.size(), name_);
    const int color = png_get_color_type(png_, info_);
    PictureInfo info;
    info.width = static_cast<int>(width);
    info.height = static_cast<int>(height);
    info.bits = png_get_bit_depth(png_, info_) == 16 ? 16 : 8;
    info.gray = (color & PNG_COLOR_MASK_COLOR) == 0;
    info.alpha = (color & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png_, info_, PNG_INFO_tRNS) != 0;
    png_bytep profile = nullptr;
    png_charp profile_name = nullptr;
    png_uint_32 length = 0;
    int compression = 0;
    if (png_get_iCCP(png_, info_, &profile_name, &compression, &profile, &length) == PNG_INFO_iCCP) {
      const auto* first = reinterpret_cast<const std::byte*>(profile);
      info.icc.assign(first, first + length);
    }
    png_bytep exif = nullptr;
    if (png_get_eXIf_1(png_, info_, &length, &exif) == PNG_INFO_eXIf) {
      ByteSource source(std::as_bytes(std::span(exif, length)));
      if (const auto tags = TiffTags::parse(source)) {
        const unsigned orientation = tags->integer(tags->ifds().front(), 274).value_or(1);
        if (orientation >= 1 && orientation <= 8) info.orientation = static_cast<int>(orientation);
      }
    }
    return info;
  }

  void decode(std::byte* pixels, int height, std::size_t row_bytes) {
    if (!decode_rows(pixels, height, row_bytes)) fail();
  }

 private:
  [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
    auto* reader = static_cast<PngReader*>(png_get_error_ptr(png));
    std::strncpy(reader->message_.data(), message, reader->message_.size() - 1);
    png_longjmp(png, 1);
  }
  static void on_warning(png_structp, png_const_charp) {}
  static void on_read(png_structp png, png_bytep out, png_size_t count) {
    auto* reader = static_cast<PngReader*>(png_get_io_ptr(png));
    if (count > reader->bytes_.size() - reader->position_) {
      reader->ended_early_ = true;
      png_error(png, "the file ends before the picture does");
    }
    std::memcpy(out, reader->bytes_.data() + reader->position_, count);
    reader->position_ += count;
  }

  // The functions with setjmp hold no objects with destructors: longjmp skips those.
  bool read_header() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_read_fn(png_, this, &PngReader::on_read);
    png_set_user_limits(png_, static_cast<png_uint_32>(most_picture_side), static_cast<png_uint_32>(most_picture_side));
    png_set_chunk_malloc_max(png_, 64u << 20);
    png_set_chunk_cache_max(png_, 256);
    png_read_info(png_, info_);
    return true;
  }

  bool decode_rows(std::byte* pixels, int height, std::size_t row_bytes) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_expand(png_);  // palettes, 1, 2 and 4 bits
    png_set_strip_alpha(png_);
    png_set_gray_to_rgb(png_);
    if (std::endian::native == std::endian::little) png_set_swap(png_);
    const int passes = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    if (png_get_rowbytes(png_, info_) != row_bytes) return false;
    for (int pass = 0; pass < passes; ++pass) {
      for (int y = 0; y < height; ++y) {
        png_read_row(png_, reinterpret_cast<png_bytep>(pixels + static_cast<std::size_t>(y) * row_bytes), nullptr);
      }
    }
    png_read_end(png_, nullptr);
    return true;
  }

  [[noreturn]] void fail() {
    if (ended_early_) throw Error(ErrorKind::input, name_ + ": truncated PNG: the file ends before the picture does");
    throw Error(ErrorKind::input, name_ + ": damaged PNG: " + message_.data());
  }

  std::span<const std::byte> bytes_;
  std::string name_;
  std::size_t position_ = 0;
  bool ended_early_ = false;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::array<char, 200> message_{};
};

}  // namespace

PictureInfo probe_png(std::span<const std::byte> bytes, const std::string& name) {
  return PngReader(bytes, name).info();
}

Picture read_png(std::span<const std::byte> bytes, const std::string& name) {
  PngReader reader(bytes, name);
  Picture picture;
  picture.info = reader.info();
  const auto decode = [&](auto& image) {
    image = std::remove_reference_t<decltype(image)>(picture.info.width, picture.info.height);
    // Adam7 passes and damaged rows may leave pixels out
    std::fill(image.pixels.begin(), image.pixels.end(), 0);
    reader.decode(reinterpret_cast<std::byte*>(image.pixels.data()), picture.info.height,
                  image.row_samples() * sizeof(image.pixels[0]));
  };
  if (picture.info.bits == 16) {
    decode(picture.rgb16);
  } else {
    decode(picture.rgb8);
  }
  return picture;
}

}  // namespace imago::io
