#include "pano/face_encode.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "base/parallel.h"
#include "io/picture_writer.h"
#include "pano/deep_faces.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;

io::PictureOptions picture_options(const FaceFiles& files, std::size_t face) {
  io::PictureOptions options;
  options.format = files.format == FaceFormat::jpg ? io::FileFormat::jpeg : io::FileFormat::png;
  options.samples = files.format == FaceFormat::png16 ? io::SampleType::u16 : io::SampleType::u8;
  options.quality = files.quality;
  options.sampling = io::ChromaSampling::full;
  options.exif = io::exif_of_frame(files.facts[face]);
  return options;
}

void encode(const Rgba8& face, const fs::path& path, const io::PictureOptions& options) {
  constexpr int strip_rows = 64;
  const auto writer = io::open_picture(path, face.width, face.height, options);
  std::vector<std::uint8_t> strip;
  for (int y = 0; y < face.height; y += strip_rows) {
    const int rows = std::min(strip_rows, face.height - y);
    const std::size_t pixels = static_cast<std::size_t>(rows) * static_cast<std::size_t>(face.width);
    strip.resize(pixels * 3);
    const std::uint8_t* from = face.row(y);
    for (std::size_t i = 0; i < pixels; ++i) {
      strip[3 * i] = from[4 * i];
      strip[3 * i + 1] = from[4 * i + 1];
      strip[3 * i + 2] = from[4 * i + 2];
    }
    io::write_samples<std::uint8_t>(*writer, strip);
  }
  writer->finish();
}

void encode(const Rgb16& face, const fs::path& path, const io::PictureOptions& options) {
  if (options.samples != io::SampleType::u16) {
    encode(flattened(face), path, options);
    return;
  }
  const auto writer = io::open_picture(path, face.width, face.height, options);
  io::write_samples<std::uint16_t>(*writer, {face.pixels.data(), face.pixels.size()});
  writer->finish();
}

template <typename Face>
void encode_each(const std::vector<Face>& faces, const FaceFiles& files) {
  std::mutex mutex;
  std::optional<Error> failure;
  parallel_for(static_cast<int>(faces.size()), 1, [&](RowRange range) {
    for (int i = range.begin; i < range.end; ++i) {
      const auto index = static_cast<std::size_t>(i);
      try {
        encode(faces[index], files.paths[index], picture_options(files, index));
      } catch (const Error& error) {
        const std::lock_guard lock(mutex);
        failure = error;
      } catch (const std::bad_alloc&) {
        const std::lock_guard lock(mutex);
        failure = Error(ErrorKind::memory, "out of memory while encoding");
      }
    }
  });
  if (!failure) return;
  std::error_code ignored;
  for (const fs::path& path : files.paths) fs::remove(path, ignored);
  throw *failure;
}

}  // namespace

void encode_all(const std::vector<Rgba8>& faces, const FaceFiles& files) { encode_each(faces, files); }
void encode_all(const std::vector<Rgb16>& faces, const FaceFiles& files) { encode_each(faces, files); }

}  // namespace imago::pano
