#include "pano/frame_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/path_text.h"
#include "io/byte_source.h"
#include "io/picture_writer.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;

void copy_atomically(const fs::path& from, const fs::path& to) {
  io::ByteSource source(from);
  AtomicFile file(to);
  constexpr std::size_t piece = std::size_t{1} << 22;
  for (std::uint64_t at = 0; at < source.size(); at += piece) {
    const std::vector<std::byte> bytes = source.head(at, piece);
    file.write(std::span(bytes));
  }
  file.commit();
}

}  // namespace

void write_panorama(const fs::path& path, const Rgba8& picture, int quality, const io::FrameFacts& facts) {
  constexpr int strip_rows = 64;
  io::PictureOptions options;
  options.format = io::format_of_extension(path).value_or(io::FileFormat::jpeg);
  options.quality = quality;
  options.sampling = io::ChromaSampling::full;
  options.exif = io::exif_of_frame(facts);
  options.xmp = io::xmp_of_panorama(picture.width, picture.height);
  const auto writer = io::open_picture(path, picture.width, picture.height, options);
  std::vector<std::uint8_t> strip;
  for (int y = 0; y < picture.height; y += strip_rows) {
    const auto pixels =
        static_cast<std::size_t>(std::min(strip_rows, picture.height - y)) * static_cast<std::size_t>(picture.width);
    strip.resize(pixels * 3);
    const std::uint8_t* from = picture.row(y);
    for (std::size_t i = 0; i < pixels; ++i) {
      for (std::size_t c = 0; c < 3; ++c) strip[3 * i + c] = from[4 * i + c];
    }
    io::write_samples<std::uint8_t>(*writer, strip);
  }
  writer->finish();
}

void link_or_copy(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (fs::equivalent(from, to, error)) return;
  static std::atomic<int> counter{0};
  const fs::path temporary = to.parent_path() / fmt::format(".imago-link-{}-{}.tmp", ::getpid(), counter++);
  fs::create_hard_link(fs::canonical(from, error), temporary, error);
  if (error) {
    copy_atomically(from, to);
    return;
  }
  fs::rename(temporary, to, error);
  if (!error) return;
  const std::string reason = error.message();
  fs::remove(temporary, error);
  throw Error(ErrorKind::io, fmt::format("cannot write {}: {}", utf8(to), reason));
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(ErrorKind::io, fmt::format("cannot make {}: {}", utf8(folder), error.message()));
}

Plane8 luma_of(const Rgba8& picture, int most_width) {
  const int factor = std::max(1, (picture.width + most_width - 1) / most_width);
  Plane8 out(std::max(1, picture.width / factor), std::max(1, picture.height / factor));
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      std::uint32_t sum = 0, count = 0;
      for (int j = 0; j < factor && y * factor + j < picture.height; ++j) {
        for (int i = 0; i < factor && x * factor + i < picture.width; ++i, ++count) {
          const std::uint8_t* p = picture.at(x * factor + i, y * factor + j);
          sum += (54u * p[0] + 183u * p[1] + 19u * p[2]) >> 8;
        }
      }
      out.row(y)[x] = static_cast<std::uint8_t>((sum + count / 2) / count);
    }
  }
  return out;
}

}  // namespace imago::pano
