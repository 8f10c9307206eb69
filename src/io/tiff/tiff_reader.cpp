#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "base/error.h"
#include "io/picture_limits.h"
#include "io/tiff/tiff.h"
#include "io/tiff/tiff_stream.h"

namespace imago::io {
namespace {

struct Layout {
  std::uint16_t bits = 1, samples = 1, format = SAMPLEFORMAT_UINT, photometric = 0, planar = PLANARCONFIG_CONTIG;
  std::uint16_t compression = COMPRESSION_NONE;
};

class TiffReader {
 public:
  TiffReader(std::span<const std::byte> bytes, const std::string& name) : name_(name), size_(bytes.size()) {
    tiff_ = stream_.open_read(bytes);
    if (!tiff_) fail();
    std::uint32_t width = 0, height = 0;
    TIFFGetField(tiff_.get(), TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff_.get(), TIFFTAG_IMAGELENGTH, &height);
    check_picture_size(width, height, size_, name_);
    width_ = static_cast<int>(width);
    height_ = static_cast<int>(height);
    get(TIFFTAG_BITSPERSAMPLE, layout_.bits);
    get(TIFFTAG_SAMPLESPERPIXEL, layout_.samples);
    get(TIFFTAG_SAMPLEFORMAT, layout_.format);
    get(TIFFTAG_PHOTOMETRIC, layout_.photometric);
    get(TIFFTAG_PLANARCONFIG, layout_.planar);
    get(TIFFTAG_COMPRESSION, layout_.compression);
  }

  PictureInfo info() {
    PictureInfo info;
    info.width = width_;
    info.height = height_;
    info.bits = layout_.bits;
    info.gray = layout_.photometric == PHOTOMETRIC_MINISBLACK || layout_.photometric == PHOTOMETRIC_MINISWHITE;
    info.alpha = layout_.samples > (info.gray ? 1 : 3);
    std::uint16_t orientation = 1;
    get(TIFFTAG_ORIENTATION, orientation);
    if (orientation >= 1 && orientation <= 8) info.orientation = orientation;
    std::uint32_t length = 0;
    void* profile = nullptr;
    if (TIFFGetField(tiff_.get(), TIFFTAG_ICCPROFILE, &length, &profile) == 1) {
      const auto* first = static_cast<const std::byte*>(profile);
      info.icc.assign(first, first + length);
    }
    if (through_rgba()) info.bits = 8;
    refuse_what_is_not_supported(info);
    return info;
  }

  // Into interleaved RGB of the file's sample type.
  template <typename Image>
  void decode(Image& image) {
    if (through_rgba()) return decode_rgba(image);
    const bool gray = layout_.photometric != PHOTOMETRIC_RGB;
    std::fill(image.pixels.begin(), image.pixels.end(), 0);
    if (TIFFIsTiled(tiff_.get()) != 0) {
      decode_tiles(image, gray);
    } else {
      decode_strips(image, gray);
    }
  }

 private:
  template <typename Value>
  void get(std::uint32_t tag, Value& value) {
    TIFFGetFieldDefaulted(tiff_.get(), tag, &value);
  }

  // Palettes, YCbCr, 1 and 4 bits: libtiff's own conversion to 8-bit RGBA.
  bool through_rgba() const {
    const bool plain = layout_.photometric == PHOTOMETRIC_RGB || layout_.photometric == PHOTOMETRIC_MINISBLACK ||
                       layout_.photometric == PHOTOMETRIC_MINISWHITE;
    return !plain ? layout_.photometric == PHOTOMETRIC_PALETTE || layout_.photometric == PHOTOMETRIC_YCBCR
                  : layout_.bits < 8;
  }

  void refuse_what_is_not_supported(const PictureInfo& info) const {
    const auto refuse = [&](const std::string& what) {
      throw Error(ErrorKind::input, name_ + ": " + what + ": save it as 8 or 16-bit RGB first");
    };
    if (TIFFIsCODECConfigured(layout_.compression) == 0)
      refuse("TIFF compression " + std::to_string(layout_.compression) + " is not supported");
    if (through_rgba()) return;
    if (layout_.photometric == PHOTOMETRIC_SEPARATED) refuse("CMYK TIFF is not supported");
    if (layout_.photometric > PHOTOMETRIC_RGB)
      refuse("TIFF with colour space " + std::to_string(layout_.photometric) + " is not supported");
    const bool integer = layout_.format == SAMPLEFORMAT_UINT && (info.bits == 8 || info.bits == 16);
    const bool real = layout_.format == SAMPLEFORMAT_IEEEFP && info.bits == 32;
    if (!integer && !real)
      refuse("TIFF with " + std::to_string(info.bits) + "-bit samples of this kind is not supported");
    if (layout_.samples < (info.gray ? 1 : 3) || layout_.samples > 8)
      refuse("TIFF with " + std::to_string(layout_.samples) + " channels is not supported");
    if (real && layout_.photometric == PHOTOMETRIC_MINISWHITE) refuse("inverted floating-point TIFF is not supported");
  }

  // One decoded pixel run: `from` has `stored` interleaved samples a pixel; plane < 0: all channels.
  template <typename Sample>
  void place(const Sample* from, int count, int stored, int plane, bool gray, Sample* to) const {
    const bool inverted = layout_.photometric == PHOTOMETRIC_MINISWHITE;
    for (int i = 0; i < count; ++i) {
      const Sample* pixel = from + static_cast<std::ptrdiff_t>(i) * stored;
      Sample* out = to + static_cast<std::ptrdiff_t>(i) * 3;
      if (gray) {
        if (plane > 0) continue;
        const Sample v = inverted ? static_cast<Sample>(std::numeric_limits<Sample>::max() - pixel[0]) : pixel[0];
        out[0] = out[1] = out[2] = v;
      } else if (plane < 0) {
        out[0] = pixel[0];
        out[1] = pixel[1];
        out[2] = pixel[2];
      } else if (plane < 3) {
        out[plane] = pixel[0];
      }
    }
  }

  int planes(bool gray) const { return layout_.planar == PLANARCONFIG_SEPARATE ? (gray ? 1 : 3) : 1; }
  int stored() const { return layout_.planar == PLANARCONFIG_SEPARATE ? 1 : layout_.samples; }

  template <typename Image>
  void decode_strips(Image& image, bool gray) {
    using Sample = typename Image::Sample;
    const auto row_samples = static_cast<std::size_t>(width_) * static_cast<std::size_t>(stored());
    if (TIFFScanlineSize64(tiff_.get()) != row_samples * sizeof(Sample)) fail();
    std::vector<Sample> row(row_samples);
    for (int plane = 0; plane < planes(gray); ++plane) {
      for (int y = 0; y < height_; ++y) {
        if (TIFFReadScanline(tiff_.get(), row.data(), static_cast<std::uint32_t>(y),
                             static_cast<std::uint16_t>(plane)) != 1)
          fail();
        place(row.data(), width_, stored(), planes(gray) > 1 ? plane : -1, gray, image.row(y));
      }
    }
  }

  template <typename Image>
  void decode_tiles(Image& image, bool gray) {
    using Sample = typename Image::Sample;
    std::uint32_t tile_width = 0, tile_height = 0;
    TIFFGetField(tiff_.get(), TIFFTAG_TILEWIDTH, &tile_width);
    TIFFGetField(tiff_.get(), TIFFTAG_TILELENGTH, &tile_height);
    if (tile_width == 0 || tile_height == 0) fail();
    check_picture_size(tile_width, tile_height, size_, name_);
    const std::size_t tile_samples = std::size_t{tile_width} * tile_height * static_cast<std::size_t>(stored());
    if (TIFFTileSize64(tiff_.get()) != tile_samples * sizeof(Sample)) fail();
    std::vector<Sample> tile(tile_samples);
    for (int plane = 0; plane < planes(gray); ++plane) {
      for (std::uint64_t y = 0; y < static_cast<std::uint64_t>(height_); y += tile_height) {
        for (std::uint64_t x = 0; x < static_cast<std::uint64_t>(width_); x += tile_width) {
          if (TIFFReadTile(tiff_.get(), tile.data(), static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0,
                           static_cast<std::uint16_t>(plane)) < 0) {
            fail();
          }
          const int left = static_cast<int>(x), top = static_cast<int>(y);
          const int columns = std::min(static_cast<int>(tile_width), width_ - left);
          for (int row = 0; row < std::min(static_cast<int>(tile_height), height_ - top); ++row) {
            place(tile.data() + static_cast<std::size_t>(row) * tile_width * static_cast<std::size_t>(stored()),
                  columns, stored(), planes(gray) > 1 ? plane : -1, gray, image.at(left, top + row));
          }
        }
      }
    }
  }

  template <typename Image>
  void decode_rgba(Image& image) {
    std::vector<std::uint32_t> pixels(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
    if (TIFFReadRGBAImageOriented(tiff_.get(), static_cast<std::uint32_t>(width_), static_cast<std::uint32_t>(height_),
                                  pixels.data(), ORIENTATION_TOPLEFT, 1) != 1) {
      fail();
    }
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      for (unsigned c = 0; c < 3; ++c)
        image.pixels[3 * i + c] = static_cast<typename Image::Sample>((pixels[i] >> (8 * c)) & 255);
    }
  }

  [[noreturn]] void fail() {
    throw Error(ErrorKind::input,
                name_ + ": damaged or truncated TIFF" + (stream_.message.empty() ? "" : ": " + stream_.message));
  }

  std::string name_;
  std::uint64_t size_;
  TiffStream stream_;
  TiffHandle tiff_;
  int width_ = 0, height_ = 0;
  Layout layout_;
};

}  // namespace

PictureInfo probe_tiff(std::span<const std::byte> bytes, const std::string& name) {
  return TiffReader(bytes, name).info();
}

Picture read_tiff(std::span<const std::byte> bytes, const std::string& name) {
  TiffReader reader(bytes, name);
  Picture picture;
  picture.info = reader.info();
  const auto decode = [&](auto& image) {
    image = std::remove_reference_t<decltype(image)>(picture.info.width, picture.info.height);
    reader.decode(image);
  };
  if (picture.info.bits == 32) {
    decode(picture.rgb32f);
  } else if (picture.info.bits == 16) {
    decode(picture.rgb16);
  } else {
    decode(picture.rgb8);
  }
  return picture;
}

}  // namespace imago::io
