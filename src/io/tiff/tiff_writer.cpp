#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.h"
#include "color/matrix.h"
#include "io/tiff/tiff.h"
#include "io/tiff/tiff_stream.h"
#include "io/tiff_tags.h"

namespace imago::io {
namespace {

constexpr std::uint32_t tag_exif_ifd = 34665, tag_gps_ifd = 34853;
constexpr std::size_t classic_header_bytes = 8;
constexpr std::uint64_t most_classic_bytes = std::uint64_t{3900} << 20;
constexpr std::uint64_t huge_pixels = 100'000'000;  // from here on in tiles: viewers open a part of them
constexpr std::uint32_t tile_side = 512;

class TiffWriter : public PictureWriter {
 public:
  TiffWriter(std::unique_ptr<ByteSink> sink, int width, int height, const PictureOptions& options)
      : sink_(std::move(sink)),
        width_(static_cast<std::size_t>(width)),
        height_(static_cast<std::size_t>(height)),
        pixel_bytes_(static_cast<std::size_t>(options.channels) * sample_bytes(options.samples)),
        tiled_(options.format == FileFormat::tiff && width_ * height_ >= huge_pixels) {
    big_ = row_bytes() * height_ > most_classic_bytes;
    tiff_ = stream_.open_write(*sink_, big_);
    if (!tiff_) fail();
    // First of all: its place is right behind the header.
    if (!options.exif.empty() && !big_) set_exif(options.exif);
    set_picture(options);
    set(TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    set(TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
    set(TIFFTAG_XRESOLUTION, options.pixels_per_inch);
    set(TIFFTAG_YRESOLUTION, options.pixels_per_inch);
    if (options.format == FileFormat::dng) {
      set_dng(options.baseline_exposure_ev);
    } else if (!options.icc.empty()) {
      set_bytes(TIFFTAG_ICCPROFILE, options.icc);
    }
    if (!options.xmp.empty()) set_bytes(TIFFTAG_XMLPACKET, options.xmp);
    if (!options.iptc.empty()) set_iptc(options.iptc);
    band_.resize(row_bytes() * band_rows_);
  }

  void write_rows(std::span<const std::byte> rows) override {
    if (rows.size() % row_bytes() != 0 || rows.size() / row_bytes() > height_ - row_) {
      throw Error(ErrorKind::internal, "write_rows takes whole rows, no more than the picture has");
    }
    while (!rows.empty()) {
      const std::size_t filled = row_ % band_rows_;
      const std::size_t taken = std::min(rows.size() / row_bytes(), band_rows_ - filled);
      std::memcpy(band_.data() + filled * row_bytes(), rows.data(), taken * row_bytes());
      rows = rows.subspan(taken * row_bytes());
      row_ += taken;
      if (row_ % band_rows_ == 0 || row_ == height_) write_band();
    }
  }

  void finish() override {
    if (row_ != height_) throw Error(ErrorKind::internal, "the picture is not complete");
    if (TIFFWriteDirectory(tiff_.get()) != 1) fail();
    tiff_.reset();
    if (stream_.thrown || !stream_.message.empty()) fail();
    sink_->commit();
  }

 private:
  std::size_t row_bytes() const { return width_ * pixel_bytes_; }

  template <typename Value>
  void set(std::uint32_t tag, Value value) {
    if (TIFFSetField(tiff_.get(), tag, value) != 1) fail();
  }
  void set_bytes(std::uint32_t tag, const std::vector<std::byte>& bytes) {
    if (TIFFSetField(tiff_.get(), tag, static_cast<std::uint32_t>(bytes.size()), bytes.data()) != 1) fail();
  }

  void set_picture(const PictureOptions& options) {
    const bool linear = options.format == FileFormat::dng;
    set(TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(width_));
    set(TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(height_));
    set(TIFFTAG_SAMPLESPERPIXEL, options.channels);
    set(TIFFTAG_BITSPERSAMPLE, static_cast<int>(sample_bytes(options.samples)) * 8);
    set(TIFFTAG_SAMPLEFORMAT, options.samples == SampleType::f32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    constexpr int linear_raw = 34892;
    set(TIFFTAG_PHOTOMETRIC, linear ? linear_raw : options.channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
    set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    // A DNG of integers is not to be deflated.
    const int compression = linear ? 0 : std::clamp(options.compression, 0, 9);
    set(TIFFTAG_COMPRESSION, compression == 0 ? COMPRESSION_NONE : COMPRESSION_ADOBE_DEFLATE);
    if (compression != 0) {
      set(TIFFTAG_PREDICTOR, options.samples == SampleType::f32 ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
      set(TIFFTAG_ZIPQUALITY, compression);
    }
    if (tiled_) {
      set(TIFFTAG_TILEWIDTH, tile_side);
      set(TIFFTAG_TILELENGTH, tile_side);
      band_rows_ = tile_side;
      return;
    }
    constexpr std::size_t strip_bytes = std::size_t{256} << 10;
    band_rows_ = std::clamp<std::size_t>(strip_bytes / row_bytes(), 1, height_);
    set(TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(band_rows_));
  }

  void set_dng(double baseline_exposure_ev) {
    constexpr std::array<std::uint8_t, 4> version = {1, 4, 0, 0};
    constexpr std::array<std::uint8_t, 4> oldest_reader = {1, 1, 0, 0};
    constexpr int daylight_d65 = 21;
    set(TIFFTAG_DNGVERSION, version.data());
    set(TIFFTAG_DNGBACKWARDVERSION, oldest_reader.data());
    set(TIFFTAG_UNIQUECAMERAMODEL, "Imago linear Rec.2020");
    const color::Matrix3 matrix = inverse(color::xyz_from_rgb(color::rec2020_primaries));
    std::array<float, 9> camera_from_xyz{};
    for (int i = 0; i < 9; ++i) camera_from_xyz[static_cast<std::size_t>(i)] = static_cast<float>(matrix(i / 3, i % 3));
    constexpr std::array<float, 3> neutral = {1, 1, 1};
    const bool done = TIFFSetField(tiff_.get(), TIFFTAG_COLORMATRIX1, 9, camera_from_xyz.data()) == 1 &&
                      TIFFSetField(tiff_.get(), TIFFTAG_ASSHOTNEUTRAL, 3, neutral.data()) == 1;
    if (!done) fail();
    set(TIFFTAG_CALIBRATIONILLUMINANT1, daylight_d65);
    set(TIFFTAG_BASELINEEXPOSURE, baseline_exposure_ev);
  }

  // Older libtiffs count the records in words of four bytes.
  void set_iptc(std::vector<std::byte> records) {
    const bool words = TIFFFieldDataType(TIFFFieldWithTag(tiff_.get(), TIFFTAG_RICHTIFFIPTC)) == TIFF_LONG;
    if (words) records.resize((records.size() + 3) / 4 * 4);
    const auto count = static_cast<std::uint32_t>(words ? records.size() / 4 : records.size());
    if (TIFFSetField(tiff_.get(), TIFFTAG_RICHTIFFIPTC, count, records.data()) != 1) fail();
  }

  // The blob is a TIFF file of its own. It stands here at the same offsets, the header shared, so that everything in
  // it stays true, the offsets that maker notes keep among them; its first directory lies idle.
  void set_exif(const std::vector<std::byte>& exif) {
    ByteSource source{std::span<const std::byte>(exif)};
    const auto tags = TiffTags::parse(source);
    if (!tags || !tags->little_endian() || std::endian::native != std::endian::little) return;
    if (sink_->size() != classic_header_bytes || exif.size() < classic_header_bytes) return;
    sink_->append(std::span(exif).subspan(classic_header_bytes));
    if (sink_->size() % 2 != 0) sink_->append(std::array<std::byte, 1>{});
    for (const int tag : {TIFFTAG_IMAGEDESCRIPTION, TIFFTAG_MAKE, TIFFTAG_MODEL, TIFFTAG_SOFTWARE, TIFFTAG_DATETIME,
                          TIFFTAG_ARTIST, TIFFTAG_COPYRIGHT}) {
      const std::string text = tags->text(tags->ifds().front(), static_cast<std::uint16_t>(tag));
      if (!text.empty()) set(static_cast<std::uint32_t>(tag), text.c_str());
    }
    for (const std::uint32_t pointer : {tag_exif_ifd, tag_gps_ifd}) {
      const auto offset = tags->number(tags->ifds().front(), static_cast<std::uint16_t>(pointer));
      if (offset && *offset > 0) set(pointer, static_cast<std::uint64_t>(*offset));
    }
  }

  // The rows of one strip or one row of tiles. The predictor writes into what libtiff is given.
  void write_band() {
    const std::size_t first_row = (row_ - 1) / band_rows_ * band_rows_;
    const std::size_t rows = row_ - first_row;
    if (!tiled_) {
      const auto strip = static_cast<std::uint32_t>(first_row / band_rows_);
      if (TIFFWriteEncodedStrip(tiff_.get(), strip, band_.data(), static_cast<tmsize_t>(rows * row_bytes())) < 0)
        fail();
      return;
    }
    const std::size_t tile_row_bytes = tile_side * pixel_bytes_;
    std::vector<std::byte> tile(tile_row_bytes * tile_side);
    for (std::size_t x = 0; x < width_; x += tile_side) {
      const std::size_t used = std::min<std::size_t>(tile_side, width_ - x) * pixel_bytes_;
      std::ranges::fill(tile, std::byte{0});
      for (std::size_t y = 0; y < rows; ++y) {
        std::memcpy(tile.data() + y * tile_row_bytes, band_.data() + y * row_bytes() + x * pixel_bytes_, used);
      }
      const std::uint32_t index =
          TIFFComputeTile(tiff_.get(), static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(first_row), 0, 0);
      if (TIFFWriteEncodedTile(tiff_.get(), index, tile.data(), static_cast<tmsize_t>(tile.size())) < 0) fail();
    }
  }

  [[noreturn]] void fail() {
    if (stream_.thrown) std::rethrow_exception(stream_.thrown);
    throw Error(ErrorKind::io, "TIFF cannot be written: " + stream_.message);
  }

  std::unique_ptr<ByteSink> sink_;
  std::size_t width_, height_, pixel_bytes_;
  bool tiled_;
  bool big_ = false;
  std::size_t row_ = 0;        // next to be written
  std::size_t band_rows_ = 1;  // of a strip or a tile
  std::vector<std::byte> band_;
  TiffStream stream_;
  TiffHandle tiff_;  // after the stream: closed before it goes
};

}  // namespace

std::unique_ptr<PictureWriter> open_tiff(std::unique_ptr<ByteSink> sink, int width, int height,
                                         const PictureOptions& options) {
  return std::make_unique<TiffWriter>(std::move(sink), width, height, options);
}

std::unique_ptr<PictureWriter> open_linear_dng(std::unique_ptr<ByteSink> sink, int width, int height,
                                               const PictureOptions& options) {
  return std::make_unique<TiffWriter>(std::move(sink), width, height, options);
}

}  // namespace imago::io
