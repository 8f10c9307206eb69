#include "io/picture_writer.h"

#include <string>
#include <utility>

#include "base/error.h"
#include "io/jpeg/jpeg.h"
#include "io/png/png.h"
#include "io/tiff/tiff.h"

namespace imago::io {
namespace {

void check(int width, int height, const PictureOptions& options) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::usage, why); };
  if (width < 1 || height < 1) refuse("a picture needs at least one pixel");
  if (options.channels != 1 && options.channels != 3) refuse("a picture has 1 or 3 channels");
  if (options.format == FileFormat::jpeg) {
    if (options.samples != SampleType::u8) refuse("JPEG holds 8 bits a sample: choose png or tiff for more");
    if (width > 65500 || height > 65500) refuse("JPEG holds at most 65500 pixels a side: choose png or tiff");
    if (options.quality < 1 || options.quality > 100) refuse("JPEG quality lies between 1 and 100");
  }
  if (options.format == FileFormat::png && options.samples == SampleType::f32) {
    refuse("PNG holds 8 or 16 bits a sample: choose tiff for floats");
  }
}

std::unique_ptr<PictureWriter> open_sink(std::unique_ptr<ByteSink> sink, int width, int height,
                                         const PictureOptions& options) {
  switch (options.format) {
    case FileFormat::jpeg: return open_jpeg(std::move(sink), width, height, options);
    case FileFormat::png: return open_png(std::move(sink), width, height, options);
    case FileFormat::tiff: break;
  }
  return open_tiff(std::move(sink), width, height, options);
}

}  // namespace

std::unique_ptr<PictureWriter> open_picture(const std::filesystem::path& path, int width, int height,
                                            const PictureOptions& options) {
  check(width, height, options);
  return open_sink(std::make_unique<FileSink>(path), width, height, options);
}

std::unique_ptr<PictureWriter> open_picture(std::vector<std::byte>& out, int width, int height,
                                            const PictureOptions& options) {
  check(width, height, options);
  return open_sink(std::make_unique<MemorySink>(out), width, height, options);
}

std::optional<FileFormat> format_of_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (extension == ".jpg" || extension == ".jpeg") return FileFormat::jpeg;
  if (extension == ".png") return FileFormat::png;
  if (extension == ".tif" || extension == ".tiff") return FileFormat::tiff;
  return std::nullopt;
}

std::string_view extension_of(FileFormat format) {
  switch (format) {
    case FileFormat::jpeg: return ".jpg";
    case FileFormat::png: return ".png";
    case FileFormat::tiff: break;
  }
  return ".tif";
}

}  // namespace imago::io
