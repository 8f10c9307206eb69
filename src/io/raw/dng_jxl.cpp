#include "io/raw/dng_jxl.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>

#include "base/error.h"
#include "base/parallel.h"
#include "io/jxl/jxl_read.h"

namespace imago::io {

bool is_jxl_picture(const TiffTags& tags, const TiffIfd& raw_ifd) {
  constexpr std::uint16_t compression = 259;
  return tags.integer(raw_ifd, compression) == dng_compression_jxl;
}

#ifdef IMAGO_READS_JXL
namespace {

namespace tag {
constexpr std::uint16_t bits = 258, strip_offsets = 273, rows_per_strip = 278, strip_counts = 279, planar = 284,
                        tile_width = 322, tile_height = 323, tile_offsets = 324, tile_counts = 325,
                        linearization = 50712, row_interleave = 50975, column_interleave = 52547;
}  // namespace tag

// Where the pieces of the picture lie, in the file and in the picture.
struct Pieces {
  std::vector<double> offsets, counts;
  int width = 0, height = 0;  // of one
  int across = 1;
};

Pieces find_pieces(const TiffTags& tags, const TiffIfd& ifd, const RawImage& image) {
  const bool tiled = tags.has(ifd, tag::tile_offsets);
  constexpr std::size_t most = std::size_t{1} << 20;
  Pieces pieces;
  pieces.offsets = tags.numbers(ifd, tiled ? tag::tile_offsets : tag::strip_offsets, most);
  pieces.counts = tags.numbers(ifd, tiled ? tag::tile_counts : tag::strip_counts, most);
  const auto size = [&](std::uint16_t id, int whole) {
    const double value = tags.number(ifd, id).value_or(whole);
    return value >= 1 && value <= 65535 ? static_cast<int>(value) : whole;
  };
  pieces.width = tiled ? size(tag::tile_width, image.width) : image.width;
  pieces.height = tiled ? size(tag::tile_height, image.height) : size(tag::rows_per_strip, image.height);
  pieces.across = (image.width + pieces.width - 1) / pieces.width;
  return pieces;
}

template <typename Sample>
void place(const std::vector<Sample>& piece, const JxlSamples& shape, int left, int top, RawImage& image,
           PixelBuffer<Sample>& to) {
  const auto channels = static_cast<std::size_t>(image.channels());
  const int columns = std::min(shape.width, image.width - left), rows = std::min(shape.height, image.height - top);
  for (int y = 0; y < rows; ++y) {
    const Sample* from = piece.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(shape.width) * channels;
    std::copy_n(from, static_cast<std::size_t>(columns) * channels,
                to.data() + (static_cast<std::size_t>(top + y) * static_cast<std::size_t>(image.width) +
                             static_cast<std::size_t>(left)) *
                                channels);
  }
}

// The stored line of a line of the picture, when lines of one phase were stored together.
int stored_line(int line, int count, int factor) {
  const int phase = line % factor;
  int before = 0;
  for (int p = 0; p < phase; ++p) before += (count - p + factor - 1) / factor;
  return before + line / factor;
}

template <typename Sample>
void put_in_order(int row_factor, int column_factor, const RawImage& image, PixelBuffer<Sample>& samples) {
  PixelBuffer<Sample> ordered(samples.size());
  const auto channels = static_cast<std::size_t>(image.channels());
  std::vector<std::size_t> column_of;
  for (int x = 0; x < image.width; ++x)
    column_of.push_back(static_cast<std::size_t>(stored_line(x, image.width, column_factor)) * channels);
  const std::size_t row_samples = static_cast<std::size_t>(image.width) * channels;
  for (int y = 0; y < image.height; ++y) {
    const Sample* from =
        samples.data() + static_cast<std::size_t>(stored_line(y, image.height, row_factor)) * row_samples;
    Sample* to = ordered.data() + static_cast<std::size_t>(y) * row_samples;
    for (std::size_t x = 0; x < column_of.size(); ++x) std::copy_n(from + column_of[x], channels, to + x * channels);
  }
  samples = std::move(ordered);
}

void linearize(const std::vector<double>& table, RawImage& image) {
  if (table.empty()) return;
  std::vector<std::uint16_t> codes;
  for (const double v : table)
    codes.push_back(static_cast<std::uint16_t>(std::clamp(std::isfinite(v) ? v : 0.0, 0.0, 65535.0)));
  for (std::uint16_t& code : image.samples) code = codes[std::min<std::size_t>(code, codes.size() - 1)];
}

class TileDecoder {
 public:
  TileDecoder(ByteSource& source, const Pieces& pieces, int bits, const std::string& name, RawImage& image)
      : source_(source), pieces_(pieces), bits_(bits), name_(name), image_(image) {}

  void decode(std::size_t index) {
    const auto piece = static_cast<int>(index);
    const int left = piece % pieces_.across * pieces_.width, top = piece / pieces_.across * pieces_.height;
    if (top >= image_.height) return;
    JxlSamples samples =
        decode_jxl_samples(bytes(index), std::uint64_t{65535} * static_cast<std::uint64_t>(pieces_.height), name_);
    const bool whole = samples.width >= std::min(pieces_.width, image_.width - left) &&
                       samples.height >= std::min(pieces_.height, image_.height - top);
    if (!whole || samples.channels != image_.channels()) {
      throw Error(ErrorKind::input, name_ + ": damaged raw data: tile " + std::to_string(index + 1) +
                                        " does not have the picture's shape");
    }
    const std::lock_guard lock(mutex_);
    if (samples.floats.empty() ? image_.float_samples.size() != 0 : image_.samples.size() != 0)
      throw Error(ErrorKind::input, name_ + ": damaged raw data: some tiles hold integers, others floats");
    if (!samples.floats.empty()) {
      if (image_.float_samples.size() == 0) clear(image_.float_samples);
      place(samples.floats, samples, left, top, image_, image_.float_samples);
    } else {
      scale(samples);
      if (image_.samples.size() == 0) clear(image_.samples);
      place(samples.codes, samples, left, top, image_, image_.samples);
    }
  }

 private:
  std::size_t count() const {
    return static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height) *
           static_cast<std::size_t>(image_.channels());
  }

  template <typename Sample>
  void clear(PixelBuffer<Sample>& samples) const {
    samples = PixelBuffer<Sample>(count());
    std::fill(samples.begin(), samples.end(), Sample{0});
  }

  std::vector<std::byte> bytes(std::size_t index) {
    const std::lock_guard lock(mutex_);
    return source_.head(static_cast<std::uint64_t>(pieces_.offsets[index]),
                        static_cast<std::size_t>(index < pieces_.counts.size() ? pieces_.counts[index] : 0));
  }

  // From the codestream's bits to the tag's: levels are stated in the latter.
  void scale(JxlSamples& samples) const {
    if (bits_ == samples.bits || bits_ < 1 || bits_ > 16 || samples.bits > 16) return;
    const std::uint64_t from = (1u << samples.bits) - 1, to = (1u << bits_) - 1;
    for (std::uint16_t& code : samples.codes) code = static_cast<std::uint16_t>((code * to + from / 2) / from);
  }

  ByteSource& source_;
  const Pieces& pieces_;
  int bits_;
  const std::string& name_;
  RawImage& image_;
  std::mutex mutex_;
};

}  // namespace

void decode_jxl_picture(ByteSource& source, const TiffTags& tags, const TiffIfd& raw_ifd, const std::string& name,
                        bool tolerant, RawImage& image) {
  if (tags.integer(raw_ifd, tag::planar).value_or(1) != 1)
    throw Error(ErrorKind::input, name + ": JPEG XL compressed DNG with separate planes is not supported");
  const Pieces pieces = find_pieces(tags, raw_ifd, image);
  TileDecoder decoder(source, pieces, static_cast<int>(tags.integer(raw_ifd, tag::bits).value_or(16)), name, image);
  std::exception_ptr failure;
  std::mutex failing;
  // Loops never throw: the first failure is carried out of it.
  parallel_for(static_cast<int>(pieces.offsets.size()), 1, [&](RowRange range) {
    for (int i = range.begin; i < range.end; ++i) {
      try {
        decoder.decode(static_cast<std::size_t>(i));
      } catch (...) {
        const std::lock_guard lock(failing);
        if (!failure) failure = std::current_exception();
      }
    }
  });
  if (failure && (!tolerant || image.samples.size() + image.float_samples.size() == 0)) std::rethrow_exception(failure);
  const auto factor = [&](std::uint16_t id, int most) {
    return static_cast<int>(std::clamp<std::uint32_t>(tags.integer(raw_ifd, id).value_or(1), 1,
                                                      static_cast<std::uint32_t>(std::max(most, 1))));
  };
  const int rows = factor(tag::row_interleave, image.height), columns = factor(tag::column_interleave, image.width);
  if (image.samples.size() != 0) {
    if (rows > 1 || columns > 1) put_in_order(rows, columns, image, image.samples);
    linearize(tags.numbers(raw_ifd, tag::linearization, 65536), image);
  } else if (rows > 1 || columns > 1) {
    put_in_order(rows, columns, image, image.float_samples);
  }
}

#else

void decode_jxl_picture(ByteSource&, const TiffTags&, const TiffIfd&, const std::string& name, bool, RawImage&) {
  throw Error(ErrorKind::input, name + ": JPEG XL compressed DNG: this program was built without libjxl");
}

#endif

}  // namespace imago::io
