#include "io/picture_writer.h"

#include <array>
#include <string>
#include <utility>

#include "base/error.h"
#include "io/jpeg/jpeg.h"
#include "io/png/png.h"
#include "io/tiff/tiff.h"
#ifdef IMAGO_WRITES_WEBP
#include "io/webp/webp_write.h"
#endif
#ifdef IMAGO_WRITES_AVIF
#include "io/avif/avif_write.h"
#endif
#ifdef IMAGO_WRITES_JXL
#include "io/jxl/jxl_write.h"
#endif

namespace imago::io {
namespace {

using Open = std::unique_ptr<PictureWriter>(std::unique_ptr<ByteSink> sink, int width, int height,
                                            const PictureOptions& options);

// What there is to know about a format, in the order of FileFormat.
struct Format {
  const char* name;
  const char* extension;
  bool u16, f32;
  int most_side;
  bool has_quality;
  bool has_lossless;
  bool keeps_picture;
  Open* open;  // null: built without its library
};

#ifdef IMAGO_WRITES_WEBP
constexpr Open* webp = &open_webp;
#else
constexpr Open* webp = nullptr;
#endif
#ifdef IMAGO_WRITES_AVIF
constexpr Open* avif = &open_avif;
#else
constexpr Open* avif = nullptr;
#endif
#ifdef IMAGO_WRITES_JXL
constexpr Open* jxl = &open_jxl;
#else
constexpr Open* jxl = nullptr;
#endif

constexpr int any_side = 0x7fffffff;
constexpr std::array<Format, 7> formats = {{
    {"JPEG", ".jpg", false, false, 65500, true, false, false, &open_jpeg},
    {"PNG", ".png", true, false, any_side, false, false, false, &open_png},
    {"TIFF", ".tif", true, true, any_side, false, false, false, &open_tiff},
    {"WebP", ".webp", false, false, 16383, true, true, true, webp},
    {"AVIF", ".avif", true, false, 65536, true, true, true, avif},
    {"JPEG XL", ".jxl", true, true, 1 << 30, true, true, true, jxl},
    {"DNG", ".dng", true, false, any_side, false, false, false, &open_linear_dng},
}};

const Format& facts_of(FileFormat format) { return formats[static_cast<std::size_t>(format)]; }

void check(int width, int height, const PictureOptions& options) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::usage, why); };
  const Format& format = facts_of(options.format);
  const std::string name = format.name;
  if (width < 1 || height < 1) refuse("a picture needs at least one pixel");
  if (options.channels != 1 && options.channels != 3) refuse("a picture has 1 or 3 channels");
  if (format.open == nullptr) refuse(name + " cannot be written: this program was built without its library");
  if (width > format.most_side || height > format.most_side) {
    refuse(name + " holds at most " + std::to_string(format.most_side) + " pixels a side: choose png or tif");
  }
  if (options.format == FileFormat::dng && (options.channels != 3 || options.samples != SampleType::u16)) {
    refuse("a linear DNG holds 16 bits a sample in three channels");
  }
  if (!holds(options.format, options.samples)) {
    refuse(options.samples == SampleType::f32 ? name + " holds no floats: choose tif or jxl"
                                              : name + " holds 8 bits a sample: choose png, tif, avif or jxl for more");
  }
  if (format.has_quality && (options.quality < 1 || options.quality > 100)) {
    refuse(name + " quality lies between 1 and 100");
  }
  if (options.lossless && !format.has_lossless) refuse(name + " has no lossless mode: choose webp, avif or jxl");
  if (options.format == FileFormat::webp && options.channels != 3) refuse("WebP has no gray pictures");
  const bool deep = options.bits == 10 || options.bits == 12;
  if (options.format == FileFormat::avif && options.samples == SampleType::u16 && !deep) {
    refuse("AVIF holds 8, 10 or 12 bits a sample");
  }
  if (options.format == FileFormat::avif && options.samples == SampleType::u8 && options.bits != 8) {
    refuse("AVIF of 10 or 12 bits takes 16-bit samples");
  }
}

}  // namespace

bool can_write(FileFormat format) { return facts_of(format).open != nullptr; }

bool holds(FileFormat format, SampleType samples) {
  const Format& facts = facts_of(format);
  if (samples == SampleType::u8) return format != FileFormat::dng;
  return samples == SampleType::u16 ? facts.u16 : facts.f32;
}

bool has_lossless(FileFormat format) { return facts_of(format).has_lossless; }

bool needs_whole_picture(FileFormat format) { return facts_of(format).keeps_picture; }

std::unique_ptr<PictureWriter> open_picture(const std::filesystem::path& path, int width, int height,
                                            const PictureOptions& options) {
  check(width, height, options);
  return facts_of(options.format).open(std::make_unique<FileSink>(path), width, height, options);
}

std::unique_ptr<PictureWriter> open_picture(std::vector<std::byte>& out, int width, int height,
                                            const PictureOptions& options) {
  check(width, height, options);
  return facts_of(options.format).open(std::make_unique<MemorySink>(out), width, height, options);
}

std::optional<FileFormat> format_of_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (extension == ".jpeg") return FileFormat::jpeg;
  if (extension == ".tiff") return FileFormat::tiff;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    if (extension == formats[i].extension) return static_cast<FileFormat>(i);
  }
  return std::nullopt;
}

std::string_view extension_of(FileFormat format) { return facts_of(format).extension; }

}  // namespace imago::io
