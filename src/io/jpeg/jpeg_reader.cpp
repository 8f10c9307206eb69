#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <jerror.h>
#include <jpeglib.h>

#include "base/error.h"
#include "io/jpeg/jpeg.h"
#include "io/picture_limits.h"
#include "io/tiff_tags.h"

namespace imago::io {
namespace {

struct Failure {
  jpeg_error_mgr manager;  // first: libjpeg's pointer to it is a pointer to this
  std::jmp_buf back;
  std::array<char, JMSG_LENGTH_MAX> message;
  std::array<char, JMSG_LENGTH_MAX> warning;  // the first one
  int warnings;
};

[[noreturn]] void on_error(j_common_ptr codec) {
  auto* failure = reinterpret_cast<Failure*>(codec->err);
  (*codec->err->format_message)(codec, failure->message.data());
  std::longjmp(failure->back, 1);
}

// Damage inside the picture is a warning; a file that ends early is an error, as nothing follows but grey.
void on_message(j_common_ptr codec, int level) {
  if (level >= 0) return;
  auto* failure = reinterpret_cast<Failure*>(codec->err);
  if (codec->err->msg_code == JWRN_JPEG_EOF) on_error(codec);
  if (failure->warnings++ == 0) (*codec->err->format_message)(codec, failure->warning.data());
}

// A progressive file may name scans without end; no encoder writes more than a few dozen.
void on_progress(j_common_ptr codec) {
  constexpr int most_scans = 256;
  if (reinterpret_cast<j_decompress_ptr>(codec)->input_scan_number > most_scans) {
    codec->err->msg_code = JERR_BAD_PROGRESSION;
    on_error(codec);
  }
}

class JpegReader {
 public:
  JpegReader(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {
    codec_.err = jpeg_std_error(&failure_.manager);
    failure_.manager.error_exit = &on_error;
    failure_.manager.emit_message = &on_message;
    failure_.message.fill(0);
    if (!read_header()) {
      jpeg_destroy_decompress(&codec_);
      fail();
    }
  }
  ~JpegReader() { jpeg_destroy_decompress(&codec_); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  PictureInfo info() {
    check_picture_size(codec_.image_width, codec_.image_height, bytes_.size(), name_);
    if (codec_.num_components == 4) {
      throw Error(ErrorKind::input, name_ + ": CMYK JPEG is not supported: convert it to RGB first");
    }
    if (codec_.num_components != 1 && codec_.num_components != 3) {
      throw Error(ErrorKind::input,
                  name_ + ": JPEG with " + std::to_string(codec_.num_components) + " components is not supported");
    }
    PictureInfo info;
    info.width = static_cast<int>(codec_.image_width);
    info.height = static_cast<int>(codec_.image_height);
    info.gray = codec_.num_components == 1;
    info.orientation = orientation();
    JOCTET* profile = nullptr;
    unsigned length = 0;
    if (take_profile(&profile, &length)) {
      const auto* first = reinterpret_cast<const std::byte*>(profile);
      info.icc.assign(first, first + length);
    }
    std::free(profile);
    return info;
  }

  // Sets the size of the output; then `decode` fills rows of it.
  void scale(int reduce) {
    codec_.scale_num = 1;
    codec_.scale_denom = static_cast<unsigned>(reduce);
    jpeg_calc_output_dimensions(&codec_);
  }
  int output_width() const { return static_cast<int>(codec_.output_width); }
  int output_height() const { return static_cast<int>(codec_.output_height); }

  void decode(std::uint8_t* pixels, std::size_t row_bytes, J_COLOR_SPACE space) {
    if (!decode_rows(pixels, row_bytes, space)) fail();
  }

  void take_warnings(PictureInfo& info) const {
    if (failure_.warnings > 0) {
      info.warnings.push_back(
          std::string("damaged JPEG data: ") + failure_.warning.data() +
          (failure_.warnings > 1 ? " (and " + std::to_string(failure_.warnings - 1) + " more)" : ""));
    }
  }

 private:
  // The functions with setjmp hold no objects with destructors: longjmp skips those.
  bool read_header() {
    if (setjmp(failure_.back) != 0) return false;
    jpeg_create_decompress(&codec_);
    progress_.progress_monitor = &on_progress;
    codec_.progress = &progress_;
    jpeg_mem_src(&codec_, reinterpret_cast<const unsigned char*>(bytes_.data()), bytes_.size());
    jpeg_save_markers(&codec_, JPEG_APP0 + 1, 0xffff);
    jpeg_save_markers(&codec_, JPEG_APP0 + 2, 0xffff);
    jpeg_read_header(&codec_, TRUE);
    return true;
  }

  bool take_profile(JOCTET** profile, unsigned* length) {
    if (setjmp(failure_.back) != 0) return false;
    return jpeg_read_icc_profile(&codec_, profile, length) != FALSE;
  }

  bool decode_rows(std::uint8_t* pixels, std::size_t row_bytes, J_COLOR_SPACE space) {
    if (setjmp(failure_.back) != 0) return false;
    codec_.out_color_space = space;
    jpeg_start_decompress(&codec_);
    constexpr JDIMENSION batch = 16;
    JSAMPROW rows[batch];
    while (codec_.output_scanline < codec_.output_height) {
      const JDIMENSION count = std::min(batch, codec_.output_height - codec_.output_scanline);
      for (JDIMENSION i = 0; i < count; ++i) rows[i] = pixels + (codec_.output_scanline + i) * row_bytes;
      jpeg_read_scanlines(&codec_, rows, count);
    }
    jpeg_finish_decompress(&codec_);
    return true;
  }

  int orientation() const {
    for (const jpeg_marker_struct* marker = codec_.marker_list; marker != nullptr; marker = marker->next) {
      if (marker->marker != JPEG_APP0 + 1 || marker->data_length < 14 || std::memcmp(marker->data, "Exif\0", 6) != 0)
        continue;
      ByteSource source(std::as_bytes(std::span(marker->data + 6, marker->data_length - 6)));
      const auto tags = TiffTags::parse(source);
      if (!tags) continue;
      const unsigned value = tags->integer(tags->ifds().front(), 274).value_or(1);
      if (value >= 1 && value <= 8) return static_cast<int>(value);
    }
    return 1;
  }

  [[noreturn]] void fail() {
    const bool early = failure_.manager.msg_code == JWRN_JPEG_EOF || failure_.manager.msg_code == JERR_INPUT_EOF;
    if (early) throw Error(ErrorKind::input, name_ + ": truncated JPEG: the file ends before the picture does");
    throw Error(ErrorKind::input, name_ + ": damaged JPEG: " + failure_.message.data());
  }

  std::span<const std::byte> bytes_;
  std::string name_;
  jpeg_decompress_struct codec_{};
  jpeg_progress_mgr progress_{};
  Failure failure_{};
};

}  // namespace

PictureInfo probe_jpeg(std::span<const std::byte> bytes, const std::string& name) {
  return JpegReader(bytes, name).info();
}

Picture read_jpeg(std::span<const std::byte> bytes, const std::string& name) {
  JpegReader reader(bytes, name);
  Picture picture;
  picture.info = reader.info();
  picture.rgb8 = Rgb8(picture.info.width, picture.info.height);
  reader.decode(picture.rgb8.pixels.data(), picture.rgb8.row_samples(), JCS_RGB);
  reader.take_warnings(picture.info);
  return picture;
}

Rgba8 read_jpeg_rgba8(std::span<const std::byte> bytes, const std::string& name, int reduce) {
  if (reduce != 1 && reduce != 2 && reduce != 4 && reduce != 8)
    throw Error(ErrorKind::usage, "a JPEG is reduced by 1, 2, 4 or 8");
  JpegReader reader(bytes, name);
  reader.info();
  reader.scale(reduce);
  Rgba8 image(reader.output_width(), reader.output_height());
  reader.decode(image.pixels.data(), image.row_samples(), JCS_EXT_RGBA);
  return image;
}

}  // namespace imago::io
