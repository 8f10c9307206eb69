#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include <jpeglib.h>

#include "base/error.h"
#include "io/jpeg/jpeg.h"

namespace imago::io {
namespace {

// libjpeg calls back in C: an exception of the sink is kept here and thrown again once libjpeg is left by longjmp.
struct Failure {
  jpeg_error_mgr manager;  // first: libjpeg's pointer to it is a pointer to this
  std::jmp_buf back;
  std::array<char, JMSG_LENGTH_MAX> message;
  std::exception_ptr thrown;
};

[[noreturn]] void on_error(j_common_ptr codec) {
  auto* failure = reinterpret_cast<Failure*>(codec->err);
  (*codec->err->format_message)(codec, failure->message.data());
  std::longjmp(failure->back, 1);
}

void on_message(j_common_ptr, int) {}

struct Destination {
  jpeg_destination_mgr manager;  // first, as above
  ByteSink* sink;
  Failure* failure;
  std::array<JOCTET, 65536> buffer;
};

void start(j_compress_ptr codec) {
  auto* destination = reinterpret_cast<Destination*>(codec->dest);
  destination->manager.next_output_byte = destination->buffer.data();
  destination->manager.free_in_buffer = destination->buffer.size();
}

void put(j_compress_ptr codec, std::size_t count) {
  auto* destination = reinterpret_cast<Destination*>(codec->dest);
  try {
    destination->sink->append(std::as_bytes(std::span(destination->buffer.data(), count)));
  } catch (...) {
    destination->failure->thrown = std::current_exception();
  }
  if (destination->failure->thrown) std::longjmp(destination->failure->back, 1);
  start(codec);
}

boolean flush_full(j_compress_ptr codec) {
  put(codec, reinterpret_cast<Destination*>(codec->dest)->buffer.size());
  return TRUE;
}

void flush_last(j_compress_ptr codec) {
  auto* destination = reinterpret_cast<Destination*>(codec->dest);
  put(codec, destination->buffer.size() - destination->manager.free_in_buffer);
}

constexpr std::size_t marker_capacity = 65533;

class JpegWriter : public PictureWriter {
 public:
  JpegWriter(std::unique_ptr<ByteSink> sink, int width, int height, const PictureOptions& options)
      : sink_(std::move(sink)),
        row_bytes_(static_cast<std::size_t>(width) * static_cast<std::size_t>(options.channels)) {
    codec_.err = jpeg_std_error(&failure_.manager);
    failure_.manager.error_exit = &on_error;
    failure_.manager.emit_message = &on_message;
    failure_.message.fill(0);
    destination_.sink = sink_.get();
    destination_.failure = &failure_;
    destination_.manager.init_destination = &start;
    destination_.manager.empty_output_buffer = &flush_full;
    destination_.manager.term_destination = &flush_last;
    if (!start_picture(width, height, options)) {
      jpeg_destroy_compress(&codec_);
      fail();
    }
  }
  ~JpegWriter() override { jpeg_destroy_compress(&codec_); }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;

  void write_rows(std::span<const std::byte> rows) override {
    if (rows.size() % row_bytes_ != 0) throw Error(ErrorKind::internal, "write_rows takes whole rows");
    if (!put_rows(reinterpret_cast<const JSAMPLE*>(rows.data()), rows.size() / row_bytes_)) fail();
  }

  void finish() override {
    if (codec_.next_scanline != codec_.image_height) throw Error(ErrorKind::internal, "the picture is not complete");
    if (!end_picture()) fail();
    sink_->commit();
  }

 private:
  // The three functions with setjmp hold no objects with destructors: longjmp skips those.
  bool start_picture(int width, int height, const PictureOptions& options) {
    if (setjmp(failure_.back) != 0) return false;
    jpeg_create_compress(&codec_);
    codec_.dest = &destination_.manager;
    codec_.image_width = static_cast<JDIMENSION>(width);
    codec_.image_height = static_cast<JDIMENSION>(height);
    codec_.input_components = options.channels;
    codec_.in_color_space = options.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&codec_);
    jpeg_set_quality(&codec_, options.quality, TRUE);
    const bool full = options.sampling == ChromaSampling::full ||
                      (options.sampling == ChromaSampling::automatic && options.quality >= 90);
    if (options.channels == 3) codec_.comp_info[0].h_samp_factor = codec_.comp_info[0].v_samp_factor = full ? 1 : 2;
    if (options.progressive) jpeg_simple_progression(&codec_);
    codec_.density_unit = 1;
    codec_.X_density = codec_.Y_density = static_cast<UINT16>(std::clamp(options.pixels_per_inch, 1.0, 65535.0));
    jpeg_start_compress(&codec_, TRUE);
    write_marker("Exif\0", 6, options.exif);
    write_marker("http://ns.adobe.com/xap/1.0/", 29, options.xmp);
    write_iptc(options.iptc);
    if (!options.icc.empty()) {
      jpeg_write_icc_profile(&codec_, reinterpret_cast<const JOCTET*>(options.icc.data()),
                             static_cast<unsigned>(options.icc.size()));
    }
    return true;
  }

  // IIM records as Photoshop keeps them: resource 0x0404 of an APP13 marker.
  void write_iptc(const std::vector<std::byte>& records) {
    constexpr char head[] = "Photoshop 3.0\0008BIM\x04\x04\0\0";  // the last two: an empty name
    constexpr std::size_t head_length = sizeof(head) - 1;
    const std::size_t padding = records.size() % 2;
    const std::size_t length = head_length + 4 + records.size() + padding;
    if (records.empty() || length > marker_capacity) return;
    jpeg_write_m_header(&codec_, JPEG_APP0 + 13, static_cast<unsigned>(length));
    for (std::size_t i = 0; i < head_length; ++i) jpeg_write_m_byte(&codec_, static_cast<unsigned char>(head[i]));
    for (int shift = 24; shift >= 0; shift -= 8)
      jpeg_write_m_byte(&codec_, static_cast<int>((records.size() >> static_cast<unsigned>(shift)) & 255));
    for (const std::byte b : records) jpeg_write_m_byte(&codec_, std::to_integer<int>(b));
    if (padding != 0) jpeg_write_m_byte(&codec_, 0);
  }

  // An APP1 marker; what does not fit into one is left out (the caller keeps EXIF and XMP small).
  void write_marker(const char* identifier, std::size_t identifier_length, const std::vector<std::byte>& bytes) {
    if (bytes.empty() || bytes.size() + identifier_length > marker_capacity) return;
    jpeg_write_m_header(&codec_, JPEG_APP0 + 1, static_cast<unsigned>(bytes.size() + identifier_length));
    for (std::size_t i = 0; i < identifier_length; ++i)
      jpeg_write_m_byte(&codec_, static_cast<unsigned char>(identifier[i]));
    for (const std::byte b : bytes) jpeg_write_m_byte(&codec_, std::to_integer<int>(b));
  }

  bool put_rows(const JSAMPLE* rows, std::size_t count) {
    if (setjmp(failure_.back) != 0) return false;
    constexpr std::size_t batch = 16;
    JSAMPROW pointers[batch];
    for (std::size_t y = 0; y < count;) {
      const std::size_t taken = std::min(batch, count - y);
      // libjpeg's interface is not const-correct; it only reads
      for (std::size_t i = 0; i < taken; ++i) pointers[i] = const_cast<JSAMPROW>(rows + (y + i) * row_bytes_);
      const JDIMENSION written = jpeg_write_scanlines(&codec_, pointers, static_cast<JDIMENSION>(taken));
      if (written == 0) return false;
      y += written;
    }
    return true;
  }

  bool end_picture() {
    if (setjmp(failure_.back) != 0) return false;
    jpeg_finish_compress(&codec_);
    return true;
  }

  [[noreturn]] void fail() {
    if (failure_.thrown) std::rethrow_exception(std::exchange(failure_.thrown, nullptr));
    throw Error(ErrorKind::io, std::string("JPEG cannot be written: ") + failure_.message.data());
  }

  std::unique_ptr<ByteSink> sink_;
  std::size_t row_bytes_;
  jpeg_compress_struct codec_{};
  Failure failure_{};
  Destination destination_{};
};

}  // namespace

std::unique_ptr<PictureWriter> open_jpeg(std::unique_ptr<ByteSink> sink, int width, int height,
                                         const PictureOptions& options) {
  return std::make_unique<JpegWriter>(std::move(sink), width, height, options);
}

}  // namespace imago::io
