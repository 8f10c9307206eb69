#include "io/picture_reader.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "io/avif/avif_read.h"
#include "io/byte_source.h"
#include "io/heif/heif_read.h"
#include "io/jpeg/jpeg.h"
#include "io/jxl/jxl_read.h"
#include "io/picture_limits.h"
#include "io/png/png.h"
#include "io/tiff/tiff.h"
#include "io/webp/webp_read.h"

namespace imago::io {
namespace {

enum class Kind : std::uint8_t { jpeg, png, tiff, webp, jxl, avif, heif };

bool begins(std::span<const std::byte> bytes, const char* magic, std::size_t length) {
  return bytes.size() >= length && std::memcmp(bytes.data(), magic, length) == 0;
}

constexpr const char* not_readable = ": not a picture that can be read (JPEG, PNG, TIFF, WebP, AVIF, HEIF, JPEG XL)";

// ISO media files by the brands of their first box.
Kind kind_of_brands(std::span<const std::byte> bytes, const std::string& name) {
  bool heif = false;
  for (std::size_t at = 8; at + 4 <= std::min<std::size_t>(bytes.size(), 64); at += at == 8 ? 8 : 4) {
    const auto brand = bytes.subspan(at);
    if (begins(brand, "avif", 4) || begins(brand, "avis", 4)) return Kind::avif;
    for (const char* known : {"heic", "heix", "mif1", "msf1"}) heif = heif || begins(brand, known, 4);
    if (at == 8 && !heif) break;
  }
  if (heif) return Kind::heif;
  throw Error(ErrorKind::input, name + not_readable);
}

Kind kind_of(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.empty()) throw Error(ErrorKind::input, name + ": the file is empty");
  if (begins(bytes, "\xff\xd8\xff", 3)) return Kind::jpeg;
  if (begins(bytes, "\x89PNG\r\n\x1a\n", 8)) return Kind::png;
  if (begins(bytes, "II*\0", 4) || begins(bytes, "MM\0*", 4) || begins(bytes, "II+\0", 4) || begins(bytes, "MM\0+", 4))
    return Kind::tiff;
  if (begins(bytes, "RIFF", 4) && bytes.size() >= 12 && begins(bytes.subspan(8), "WEBP", 4)) return Kind::webp;
  if (begins(bytes, "\xff\x0a", 2) || begins(bytes, "\0\0\0\x0cJXL ", 8)) return Kind::jxl;
  if (bytes.size() >= 16 && begins(bytes.subspan(4), "ftyp", 4)) return kind_of_brands(bytes, name);
  throw Error(ErrorKind::input, name + not_readable);
}

[[maybe_unused]] Error not_built_in(const std::string& name, const char* format, const char* library) {
  return {ErrorKind::input, name + ": " + format + " is not readable here: this program was built without " + library};
}

Rgba8 packed(const Picture& picture) {
  Rgba8 out(picture.info.width, picture.info.height);
  const std::size_t count = out.pixels.size() / 4;
  const auto pack = [&](const auto* from, const auto& to_byte) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < 3; ++c) out.pixels[4 * i + c] = to_byte(from[3 * i + c]);
      out.pixels[4 * i + 3] = 255;
    }
  };
  if (!picture.rgb8.empty()) {
    pack(picture.rgb8.pixels.data(), [](std::uint8_t v) { return v; });
  } else if (!picture.rgb16.empty()) {
    pack(picture.rgb16.pixels.data(),
         [](std::uint16_t v) { return static_cast<std::uint8_t>((v * 255u + 32895u) >> 16); });
  } else {
    // not finite: black
    pack(picture.rgb32f.pixels.data(), [](float v) {
      return v > 0 ? static_cast<std::uint8_t>(std::min(v, 1.0f) * 255.0f + 0.5f) : std::uint8_t{0};
    });
  }
  return out;
}

}  // namespace

void check_picture_size(std::uint64_t width, std::uint64_t height, std::uint64_t file_bytes, const std::string& name) {
  if (width == 0 || height == 0) throw Error(ErrorKind::input, name + ": the picture has no pixels");
  const std::uint64_t pixels = width * height;  // both below 2^32
  if (width > most_picture_side || height > most_picture_side || pixels > most_picture_pixels) {
    throw Error(ErrorKind::input, name + ": " + std::to_string(width) + " x " + std::to_string(height) +
                                      " pixels are more than can be read (" +
                                      std::to_string(most_picture_pixels >> 20) + " megapixels)");
  }
  if (pixels / most_pixels_per_byte > file_bytes) {
    throw Error(ErrorKind::input, name + ": truncated: " + std::to_string(file_bytes) + " bytes cannot hold " +
                                      std::to_string(width) + " x " + std::to_string(height) + " pixels");
  }
}

Picture read_picture(std::span<const std::byte> bytes, const std::string& name) {
  switch (kind_of(bytes, name)) {
    case Kind::jpeg: return read_jpeg(bytes, name);
    case Kind::png: return read_png(bytes, name);
    case Kind::tiff: return read_tiff(bytes, name);
#ifdef IMAGO_READS_WEBP
    case Kind::webp: return read_webp(bytes, name);
#else
    case Kind::webp: throw not_built_in(name, "WebP", "libwebp");
#endif
#ifdef IMAGO_READS_JXL
    case Kind::jxl: return read_jxl(bytes, name);
#else
    case Kind::jxl: throw not_built_in(name, "JPEG XL", "libjxl");
#endif
#ifdef IMAGO_READS_AVIF
    case Kind::avif: return read_avif(bytes, name);
#else
    case Kind::avif: throw not_built_in(name, "AVIF", "libavif");
#endif
#ifdef IMAGO_READS_HEIF
    case Kind::heif: return read_heif(bytes, name);
#else
    case Kind::heif: throw not_built_in(name, "HEIF", "libheif");
#endif
  }
  throw Error(ErrorKind::internal, "unknown kind of picture");
}

PictureInfo probe_picture(std::span<const std::byte> bytes, const std::string& name) {
  switch (kind_of(bytes, name)) {
    case Kind::jpeg: return probe_jpeg(bytes, name);
    case Kind::png: return probe_png(bytes, name);
    case Kind::tiff: return probe_tiff(bytes, name);
#ifdef IMAGO_READS_WEBP
    case Kind::webp: return probe_webp(bytes, name);
#else
    case Kind::webp: throw not_built_in(name, "WebP", "libwebp");
#endif
#ifdef IMAGO_READS_JXL
    case Kind::jxl: return probe_jxl(bytes, name);
#else
    case Kind::jxl: throw not_built_in(name, "JPEG XL", "libjxl");
#endif
#ifdef IMAGO_READS_AVIF
    case Kind::avif: return probe_avif(bytes, name);
#else
    case Kind::avif: throw not_built_in(name, "AVIF", "libavif");
#endif
#ifdef IMAGO_READS_HEIF
    case Kind::heif: return probe_heif(bytes, name);
#else
    case Kind::heif: throw not_built_in(name, "HEIF", "libheif");
#endif
  }
  throw Error(ErrorKind::internal, "unknown kind of picture");
}

Rgba8 read_rgba8(std::span<const std::byte> bytes, const std::string& name, int reduce) {
  if (kind_of(bytes, name) == Kind::jpeg) return read_jpeg_rgba8(bytes, name, reduce);
  return packed(read_picture(bytes, name));
}

Picture read_picture(const std::filesystem::path& path) { return read_picture(read_file(path), name_of(path)); }
PictureInfo probe_picture(const std::filesystem::path& path) { return probe_picture(read_file(path), name_of(path)); }
Rgba8 read_rgba8(const std::filesystem::path& path, int reduce) {
  return read_rgba8(read_file(path), name_of(path), reduce);
}

}  // namespace imago::io
