#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "io/tiff/tiff.h"
#include "io/tiff/tiff_stream.h"
#include "io/tiff_tags.h"

namespace imago::io {
namespace {

constexpr std::uint16_t tag_exif_ifd = 34665, tag_gps_ifd = 34853, tag_maker_note = 37500, tag_interoperability = 40965;

int bytes_of(SampleType type) { return type == SampleType::u8 ? 1 : type == SampleType::u16 ? 2 : 4; }

void put(std::vector<std::byte>& out, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
}

// The directory `ifd` as bytes that may stand at `offset` of a little-endian file. Maker notes hold offsets into the
// file that they come from and would break: they are left out.
std::vector<std::byte> relocated(const TiffTags& tags, const TiffIfd& ifd, std::uint64_t offset) {
  struct Value {
    TiffEntry entry;
    std::vector<std::uint8_t> bytes;
  };
  std::vector<Value> values;
  for (const TiffEntry& entry : ifd.entries) {
    if (entry.tag == tag_maker_note || entry.tag == tag_interoperability) continue;
    values.push_back({entry, tags.bytes(ifd, entry.tag)});
  }
  std::ranges::stable_sort(values, {}, [](const Value& v) { return v.entry.tag; });
  std::vector<std::byte> directory, heap;
  put(directory, static_cast<std::uint32_t>(values.size()), 2);
  const std::uint64_t heap_at = offset + 2 + values.size() * 12 + 4;
  for (const Value& value : values) {
    put(directory, value.entry.tag, 2);
    put(directory, value.entry.type, 2);
    put(directory, value.entry.count, 4);
    std::vector<std::byte>* to = &directory;
    if (value.bytes.size() > 4) {
      if (heap.size() % 2 != 0) put(heap, 0, 1);
      put(directory, static_cast<std::uint32_t>(heap_at + heap.size()), 4);
      to = &heap;
    }
    for (const std::uint8_t b : value.bytes) put(*to, b, 1);
    for (std::size_t i = value.bytes.size(); i < 4; ++i) put(directory, 0, 1);
  }
  put(directory, 0, 4);
  directory.insert(directory.end(), heap.begin(), heap.end());
  if (directory.size() % 2 != 0) put(directory, 0, 1);
  return directory;
}

class TiffWriter : public PictureWriter {
 public:
  TiffWriter(std::unique_ptr<ByteSink> sink, int width, int height, const PictureOptions& options)
      : sink_(std::move(sink)),
        height_(height),
        row_bytes_(static_cast<std::size_t>(width) *
                   static_cast<std::size_t>(options.channels * bytes_of(options.samples))) {
    const std::uint64_t picture_bytes = row_bytes_ * static_cast<std::uint64_t>(height);
    tiff_ = stream_.open_write(*sink_, picture_bytes > (std::uint64_t{3900} << 20));
    if (!tiff_) fail();
    set(TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(width));
    set(TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(height));
    set(TIFFTAG_SAMPLESPERPIXEL, options.channels);
    set(TIFFTAG_BITSPERSAMPLE, bytes_of(options.samples) * 8);
    set(TIFFTAG_SAMPLEFORMAT, options.samples == SampleType::f32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    set(TIFFTAG_PHOTOMETRIC, options.channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
    set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    set(TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    set(TIFFTAG_COMPRESSION, options.compression == 0 ? COMPRESSION_NONE : COMPRESSION_ADOBE_DEFLATE);
    if (options.compression != 0) {
      set(TIFFTAG_PREDICTOR, options.samples == SampleType::f32 ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
      set(TIFFTAG_ZIPQUALITY, std::clamp(options.compression, 1, 9));
    }
    set(TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
    set(TIFFTAG_XRESOLUTION, options.pixels_per_inch);
    set(TIFFTAG_YRESOLUTION, options.pixels_per_inch);
    // strips of about 256 KB
    const std::size_t strip_rows =
        std::max<std::size_t>((std::size_t{256} << 10) / std::max<std::size_t>(row_bytes_, 1), 1);
    set(TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(std::min(strip_rows, static_cast<std::size_t>(height))));
    if (!options.icc.empty()) set_bytes(TIFFTAG_ICCPROFILE, options.icc);
    if (!options.xmp.empty()) set_bytes(TIFFTAG_XMLPACKET, options.xmp);
    if (!options.exif.empty()) set_exif(options.exif);
    scratch_.resize(row_bytes_);
  }

  void write_rows(std::span<const std::byte> rows) override {
    if (rows.size() % row_bytes_ != 0) throw Error(ErrorKind::internal, "write_rows takes whole rows");
    for (std::size_t at = 0; at < rows.size(); at += row_bytes_) {
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(at), row_bytes_,
                  scratch_.begin());  // the predictor writes into it
      if (TIFFWriteScanline(tiff_.get(), scratch_.data(), static_cast<std::uint32_t>(row_), 0) != 1) fail();
      ++row_;
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
  template <typename Value>
  void set(std::uint32_t tag, Value value) {
    if (TIFFSetField(tiff_.get(), tag, value) != 1) fail();
  }
  void set_bytes(std::uint32_t tag, const std::vector<std::byte>& bytes) {
    if (TIFFSetField(tiff_.get(), tag, static_cast<std::uint32_t>(bytes.size()), bytes.data()) != 1) fail();
  }

  // EXIF and GPS go in front of the strips, where their place is known before libtiff writes its own directory.
  void set_exif(const std::vector<std::byte>& exif) {
    ByteSource source{std::span<const std::byte>(exif)};
    const auto tags = TiffTags::parse(source);
    if (!tags || !tags->little_endian() || std::endian::native != std::endian::little) return;
    for (const int tag : {TIFFTAG_IMAGEDESCRIPTION, TIFFTAG_MAKE, TIFFTAG_MODEL, TIFFTAG_SOFTWARE, TIFFTAG_DATETIME,
                          TIFFTAG_ARTIST, TIFFTAG_COPYRIGHT}) {
      const std::string text = tags->text(tags->ifds().front(), static_cast<std::uint16_t>(tag));
      if (!text.empty()) set(static_cast<std::uint32_t>(tag), text.c_str());
    }
    for (const TiffIfd& ifd : tags->ifds()) {
      if (ifd.kind != TiffIfdKind::exif && ifd.kind != TiffIfdKind::gps) continue;
      const std::uint64_t offset = sink_->size() + sink_->size() % 2;
      if (sink_->size() % 2 != 0) sink_->append(std::vector<std::byte>(1));
      sink_->append(relocated(*tags, ifd, offset));
      set(ifd.kind == TiffIfdKind::exif ? tag_exif_ifd : tag_gps_ifd, offset);
    }
  }

  [[noreturn]] void fail() {
    if (stream_.thrown) std::rethrow_exception(stream_.thrown);
    throw Error(ErrorKind::io, "TIFF cannot be written: " + stream_.message);
  }

  std::unique_ptr<ByteSink> sink_;
  int height_;
  std::size_t row_bytes_;
  int row_ = 0;
  TiffStream stream_;
  TiffHandle tiff_;  // after the stream: closed before it goes
  std::vector<std::byte> scratch_;
};

}  // namespace

std::unique_ptr<PictureWriter> open_tiff(std::unique_ptr<ByteSink> sink, int width, int height,
                                         const PictureOptions& options) {
  return std::make_unique<TiffWriter>(std::move(sink), width, height, options);
}

}  // namespace imago::io
