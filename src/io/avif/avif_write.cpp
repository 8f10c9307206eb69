#include "io/avif/avif_write.h"

#include <avif/avif.h>

#include <algorithm>
#include <string>

#include "base/parallel.h"
#include "io/whole_picture.h"

namespace imago::io {
namespace {

struct ImageDestroyer {
  void operator()(avifImage* image) const { avifImageDestroy(image); }
};
struct EncoderDestroyer {
  void operator()(avifEncoder* encoder) const { avifEncoderDestroy(encoder); }
};

const std::uint8_t* as_u8(const std::vector<std::byte>& bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

void check(avifResult result) {
  if (result == AVIF_RESULT_OK) return;
  throw Error(result == AVIF_RESULT_OUT_OF_MEMORY ? ErrorKind::memory : ErrorKind::io,
              std::string("AVIF cannot be written: ") + avifResultToString(result));
}

bool is_full_chroma(const PictureOptions& options) {
  return options.lossless || options.sampling == ChromaSampling::full ||
         (options.sampling == ChromaSampling::automatic && options.quality >= 90);
}

class AvifWriter : public WholePictureWriter {
 public:
  using WholePictureWriter::WholePictureWriter;

 private:
  std::unique_ptr<avifImage, ImageDestroyer> image() {
    const avifPixelFormat format = options().channels == 1     ? AVIF_PIXEL_FORMAT_YUV400
                                   : is_full_chroma(options()) ? AVIF_PIXEL_FORMAT_YUV444
                                                               : AVIF_PIXEL_FORMAT_YUV420;
    const auto width_px = static_cast<std::uint32_t>(width()), height_px = static_cast<std::uint32_t>(height());
    std::unique_ptr<avifImage, ImageDestroyer> image(
        avifImageCreate(width_px, height_px, static_cast<std::uint32_t>(options().bits), format));
    if (!image) throw Error(ErrorKind::memory, "AVIF cannot be written: out of memory");
    image->yuvRange = AVIF_RANGE_FULL;
    image->matrixCoefficients = options().lossless && options().channels == 3 ? AVIF_MATRIX_COEFFICIENTS_IDENTITY
                                                                              : AVIF_MATRIX_COEFFICIENTS_BT601;
    if (!options().icc.empty()) set(&avifImageSetProfileICC, *image, options().icc);
    if (!options().exif.empty()) set(&avifImageSetMetadataExif, *image, options().exif);
    if (!options().xmp.empty()) set(&avifImageSetMetadataXMP, *image, options().xmp);
    fill(*image);
    return image;
  }

  // Returns void before libavif 1.0, a result since.
  template <typename Setter>
  static void set(Setter* setter, avifImage& image, const std::vector<std::byte>& bytes) {
    if constexpr (std::is_void_v<decltype(setter(&image, as_u8(bytes), bytes.size()))>) {
      setter(&image, as_u8(bytes), bytes.size());
    } else {
      check(setter(&image, as_u8(bytes), bytes.size()));
    }
  }

  void fill(avifImage& image) {
    avifRGBImage rgb;
    avifRGBImageSetDefaults(&rgb, &image);
    rgb.format = AVIF_RGB_FORMAT_RGB;
    rgb.depth = options().samples == SampleType::u16 ? 16 : 8;
    rgb.chromaDownsampling = AVIF_CHROMA_DOWNSAMPLING_BEST_QUALITY;
    PixelBuffer<std::byte> narrowed;
    std::byte* pixels = rows().data();
    if (options().lossless && rgb.depth == 16) {  // the identity matrix wants equal depths
      narrowed = narrow();
      pixels = narrowed.data();
      rgb.depth = static_cast<std::uint32_t>(options().bits);
    }
    rgb.pixels = reinterpret_cast<std::uint8_t*>(pixels);
    rgb.rowBytes = static_cast<std::uint32_t>(row_bytes());
    check(avifImageRGBToYUV(&image, &rgb));
    rows() = {};
  }

  // 16-bit codes to codes of the file's depth, halves up.
  PixelBuffer<std::byte> narrow() {
    PixelBuffer<std::byte> out(rows().size());
    const auto* from = reinterpret_cast<const std::uint16_t*>(rows().data());
    auto* to = reinterpret_cast<std::uint16_t*>(out.data());
    const std::uint32_t most = (1u << options().bits) - 1;
    for (std::size_t i = 0; i < rows().size() / 2; ++i) {
      to[i] = static_cast<std::uint16_t>((from[i] * most + 32767u) / 65535u);
    }
    return out;
  }

  void encode(ByteSink& sink) override {
    const auto picture = image();
    const std::unique_ptr<avifEncoder, EncoderDestroyer> encoder(avifEncoderCreate());
    if (!encoder) throw Error(ErrorKind::memory, "AVIF cannot be written: out of memory");
    encoder->maxThreads = thread_count();
    encoder->speed = 6;
    encoder->autoTiling = AVIF_TRUE;
    const int quality = options().lossless ? 100 : options().quality;
#if AVIF_VERSION >= 1000000
    encoder->quality = options().lossless ? AVIF_QUALITY_LOSSLESS : std::min(quality, 99);
#else
    const int quantizer = options().lossless ? 0 : std::max(1, ((100 - quality) * 63 + 50) / 100);
    encoder->minQuantizer = encoder->maxQuantizer = quantizer;
#endif
    avifRWData file = AVIF_DATA_EMPTY;
    const std::unique_ptr<avifRWData, void (*)(avifRWData*)> keep_file(&file,
                                                                       [](avifRWData* data) { avifRWDataFree(data); });
    check(avifEncoderWrite(encoder.get(), picture.get(), &file));
    sink.append(std::as_bytes(std::span(file.data, file.size)));
  }
};

}  // namespace

std::unique_ptr<PictureWriter> open_avif(std::unique_ptr<ByteSink> sink, int width, int height,
                                         const PictureOptions& options) {
  return std::make_unique<AvifWriter>(std::move(sink), width, height, options);
}

}  // namespace imago::io
