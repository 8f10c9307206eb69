#include <array>
#include <bit>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include <png.h>

#include "base/error.h"
#include "io/png/png.h"

namespace imago::io {
namespace {

class PngWriter : public PictureWriter {
 public:
  PngWriter(std::unique_ptr<ByteSink> sink, int width, int height, const PictureOptions& options)
      : sink_(std::move(sink)),
        rows_left_(height),
        row_bytes_(static_cast<std::size_t>(width) * static_cast<std::size_t>(options.channels) *
                   (options.samples == SampleType::u16 ? 2 : 1)),
        xmp_(reinterpret_cast<const char*>(options.xmp.data()), options.xmp.size()) {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, &PngWriter::on_error, &PngWriter::on_warning);
    info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
    if (info_ == nullptr || !start_picture(width, height, options)) {
      png_destroy_write_struct(&png_, &info_);
      fail();
    }
  }
  ~PngWriter() override { png_destroy_write_struct(&png_, &info_); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  void write_rows(std::span<const std::byte> rows) override {
    const std::size_t count = rows.size() / row_bytes_;
    if (rows.size() % row_bytes_ != 0 || count > static_cast<std::size_t>(rows_left_)) {
      throw Error(ErrorKind::internal, "write_rows takes whole rows, no more than the picture has");
    }
    if (!put_rows(reinterpret_cast<png_const_bytep>(rows.data()), count)) fail();
    rows_left_ -= static_cast<int>(count);
  }

  void finish() override {
    if (rows_left_ != 0) throw Error(ErrorKind::internal, "the picture is not complete");
    if (!end_picture()) fail();
    sink_->commit();
  }

 private:
  static PngWriter* self(png_structp png) { return static_cast<PngWriter*>(png_get_error_ptr(png)); }

  [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
    PngWriter* writer = self(png);
    std::strncpy(writer->message_.data(), message, writer->message_.size() - 1);
    png_longjmp(png, 1);
  }
  static void on_warning(png_structp, png_const_charp) {}

  // The sink's exception is kept and thrown again once libpng is left by longjmp.
  static void on_write(png_structp png, png_bytep bytes, png_size_t count) {
    auto* writer = static_cast<PngWriter*>(png_get_io_ptr(png));
    try {
      writer->sink_->append(std::as_bytes(std::span(bytes, count)));
    } catch (...) {
      writer->thrown_ = std::current_exception();
    }
    if (writer->thrown_) png_error(png, "write failed");
  }
  static void on_flush(png_structp) {}

  // The functions with setjmp hold no objects with destructors: longjmp skips those.
  bool start_picture(int width, int height, const PictureOptions& options) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_write_fn(png_, this, &PngWriter::on_write, &PngWriter::on_flush);
    png_set_user_limits(png_, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(png_, info_, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height),
                 options.samples == SampleType::u16 ? 16 : 8,
                 options.channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    // One cheap filter: "adaptive" takes twice the time for a few per cent.
    png_set_filter(png_, PNG_FILTER_TYPE_BASE, options.compression == 0 ? PNG_FILTER_NONE : PNG_FILTER_SUB);
    png_set_compression_level(png_, options.compression);
    const auto per_meter = static_cast<png_uint_32>(std::lround(options.pixels_per_inch / 0.0254));
    png_set_pHYs(png_, info_, per_meter, per_meter, PNG_RESOLUTION_METER);
    if (!options.icc.empty()) {
      png_set_iCCP(png_, info_, "ICC profile", PNG_COMPRESSION_TYPE_BASE,
                   reinterpret_cast<png_const_bytep>(options.icc.data()), static_cast<png_uint_32>(options.icc.size()));
    }
    if (!options.exif.empty()) {
      auto* bytes = const_cast<png_bytep>(reinterpret_cast<png_const_bytep>(options.exif.data()));  // libpng copies
      png_set_eXIf_1(png_, info_, static_cast<png_uint_32>(options.exif.size()), bytes);
    }
    if (!xmp_.empty()) {
      png_text text{};
      text.compression = PNG_ITXT_COMPRESSION_NONE;
      char keyword[] = "XML:com.adobe.xmp";
      char nothing[] = "";
      text.key = keyword;
      text.lang = nothing;
      text.lang_key = nothing;
      text.text = xmp_.data();
      text.itxt_length = xmp_.size();
      png_set_text(png_, info_, &text, 1);
    }
    png_write_info(png_, info_);
    if (options.samples == SampleType::u16 && std::endian::native == std::endian::little) png_set_swap(png_);
    return true;
  }

  bool put_rows(png_const_bytep rows, std::size_t count) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    for (std::size_t y = 0; y < count; ++y) png_write_row(png_, rows + y * row_bytes_);
    return true;
  }

  bool end_picture() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_write_end(png_, nullptr);
    return true;
  }

  [[noreturn]] void fail() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    throw Error(ErrorKind::io, std::string("PNG cannot be written: ") + message_.data());
  }

  std::unique_ptr<ByteSink> sink_;
  int rows_left_;
  std::size_t row_bytes_;
  std::string xmp_;  // libpng asks for a terminating zero
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::array<char, 200> message_{};
  std::exception_ptr thrown_;
};

}  // namespace

std::unique_ptr<PictureWriter> open_png(std::unique_ptr<ByteSink> sink, int width, int height,
                                        const PictureOptions& options) {
  return std::make_unique<PngWriter>(std::move(sink), width, height, options);
}

}  // namespace imago::io
