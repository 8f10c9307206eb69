#include "io/webp/webp_write.h"

#include <webp/encode.h>
#include <webp/mux.h>

#include <string>

#include "base/parallel.h"
#include "io/whole_picture.h"

namespace imago::io {
namespace {

WebPData data_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

std::string reason(WebPEncodingError error) {
  switch (error) {
    case VP8_ENC_ERROR_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY: return "out of memory";
    case VP8_ENC_ERROR_PARTITION0_OVERFLOW:
    case VP8_ENC_ERROR_PARTITION_OVERFLOW:
    case VP8_ENC_ERROR_FILE_TOO_BIG: return "too much detail for the format: lower --quality";
    default: return "error " + std::to_string(static_cast<int>(error));
  }
}

struct MemoryClearer {
  void operator()(WebPMemoryWriter* memory) const { WebPMemoryWriterClear(memory); }
};
struct PictureFreer {
  void operator()(WebPPicture* picture) const { WebPPictureFree(picture); }
};
struct MuxDeleter {
  void operator()(WebPMux* mux) const { WebPMuxDelete(mux); }
};

class WebpWriter : public WholePictureWriter {
 public:
  using WholePictureWriter::WholePictureWriter;

 private:
  WebPConfig config() const {
    WebPConfig config;
    if (WebPConfigInit(&config) == 0) throw Error(ErrorKind::internal, "libwebp is of another version than its header");
    if (options().lossless) {
      WebPConfigLosslessPreset(&config, 4);
      config.exact = 1;
    } else {
      config.quality = static_cast<float>(options().quality);
      // Chroma is always halved; this keeps edges of colour where they are.
      config.use_sharp_yuv = options().sampling == ChromaSampling::half ? 0 : 1;
    }
    config.thread_level = thread_count() > 1 ? 1 : 0;
    return config;
  }

  void encode(ByteSink& sink) override {
    WebPMemoryWriter memory;
    WebPMemoryWriterInit(&memory);
    const std::unique_ptr<WebPMemoryWriter, MemoryClearer> keep_memory(&memory);
    encode_pixels(memory);

    const WebPData image{memory.mem, memory.size};
    const std::unique_ptr<WebPMux, MuxDeleter> mux(WebPMuxCreate(&image, 0));
    bool complete = mux != nullptr;
    const auto add = [&](const char* name, const std::vector<std::byte>& bytes) {
      const WebPData data = data_of(bytes);
      if (!bytes.empty() && complete) complete = WebPMuxSetChunk(mux.get(), name, &data, 0) == WEBP_MUX_OK;
    };
    add("ICCP", options().icc);
    add("EXIF", options().exif);
    add("XMP ", options().xmp);
    WebPData file{nullptr, 0};
    complete = complete && WebPMuxAssemble(mux.get(), &file) == WEBP_MUX_OK;
    if (!complete) throw Error(ErrorKind::memory, "WebP cannot be put together: out of memory");
    const std::unique_ptr<WebPData, void (*)(WebPData*)> keep_file(&file, WebPDataClear);
    sink.append(std::as_bytes(std::span(file.bytes, file.size)));
  }

  void encode_pixels(WebPMemoryWriter& memory) {
    const WebPConfig encoding = config();
    WebPPicture picture;
    if (WebPPictureInit(&picture) == 0) throw Error(ErrorKind::internal, "libwebp is of another version");
    const std::unique_ptr<WebPPicture, PictureFreer> keep_picture(&picture);
    picture.width = width();
    picture.height = height();
    picture.use_argb = 1;  // the encoder converts by itself then, with sharp chroma where asked
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &memory;
    const auto* rgb = reinterpret_cast<const std::uint8_t*>(rows().data());
    if (WebPPictureImportRGB(&picture, rgb, static_cast<int>(row_bytes())) == 0) {
      throw Error(ErrorKind::memory, "WebP cannot be written: out of memory");
    }
    rows() = {};
    if (WebPEncode(&encoding, &picture) == 0) {
      throw Error(ErrorKind::io, "WebP cannot be written: " + reason(picture.error_code));
    }
  }
};

}  // namespace

std::unique_ptr<PictureWriter> open_webp(std::unique_ptr<ByteSink> sink, int width, int height,
                                         const PictureOptions& options) {
  return std::make_unique<WebpWriter>(std::move(sink), width, height, options);
}

}  // namespace imago::io
