#include "io/jxl/jxl_write.h"

#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>

#include <string>

#include "base/parallel.h"
#include "io/whole_picture.h"

namespace imago::io {
namespace {

// libjxl's own scale of visual distance for a quality as JPEG counts it (JxlEncoderDistanceFromQuality of later
// versions): 90 is 1.0, "visually lossless".
float distance_of(int quality) {
  const auto q = static_cast<float>(quality);
  return quality >= 30 ? 0.1f + (100 - q) * 0.09f : 53.0f / 3000 * q * q - 23.0f / 20 * q + 25;
}

class JxlWriter : public WholePictureWriter {
 public:
  using WholePictureWriter::WholePictureWriter;

 private:
  void encode(ByteSink& sink) override {
    const std::unique_ptr<void, decltype(&JxlThreadParallelRunnerDestroy)> runner(
        JxlThreadParallelRunnerCreate(nullptr, static_cast<std::size_t>(thread_count())),
        &JxlThreadParallelRunnerDestroy);
    const std::unique_ptr<JxlEncoder, decltype(&JxlEncoderDestroy)> encoder(JxlEncoderCreate(nullptr),
                                                                            &JxlEncoderDestroy);
    if (!encoder || !runner) throw Error(ErrorKind::memory, "JPEG XL cannot be written: out of memory");
    check(*encoder, JxlEncoderSetParallelRunner(encoder.get(), &JxlThreadParallelRunner, runner.get()));
    start(*encoder);
    add_boxes(*encoder);
    add_picture(*encoder);
    JxlEncoderCloseInput(encoder.get());
    pull(*encoder, sink);
  }

  void start(JxlEncoder& encoder) const {
    check(encoder, JxlEncoderUseContainer(&encoder, JXL_TRUE));
    JxlBasicInfo basic;
    JxlEncoderInitBasicInfo(&basic);
    basic.xsize = static_cast<std::uint32_t>(width());
    basic.ysize = static_cast<std::uint32_t>(height());
    basic.bits_per_sample = static_cast<std::uint32_t>(sample_bytes(options().samples) * 8);
    basic.exponent_bits_per_sample = options().samples == SampleType::f32 ? 8 : 0;
    basic.num_color_channels = static_cast<std::uint32_t>(options().channels);
    basic.uses_original_profile = options().lossless ? JXL_TRUE : JXL_FALSE;
    check(encoder, JxlEncoderSetBasicInfo(&encoder, &basic));
    if (options().icc.empty()) {
      JxlColorEncoding color;
      JxlColorEncodingSetToSRGB(&color, options().channels == 1 ? JXL_TRUE : JXL_FALSE);
      check(encoder, JxlEncoderSetColorEncoding(&encoder, &color));
    } else {
      const auto* icc = reinterpret_cast<const std::uint8_t*>(options().icc.data());
      check(encoder, JxlEncoderSetICCProfile(&encoder, icc, options().icc.size()));
    }
  }

  void add_boxes(JxlEncoder& encoder) const {
    if (options().exif.empty() && options().xmp.empty()) return;
    check(encoder, JxlEncoderUseBoxes(&encoder));
    if (!options().exif.empty()) {
      std::vector<std::byte> box(4);  // where the TIFF header stands after these four bytes: at once
      box.insert(box.end(), options().exif.begin(), options().exif.end());
      add_box(encoder, "Exif", box);
    }
    if (!options().xmp.empty()) add_box(encoder, "xml ", options().xmp);
    JxlEncoderCloseBoxes(&encoder);
  }

  static void add_box(JxlEncoder& encoder, const char* type, const std::vector<std::byte>& bytes) {
    check(encoder, JxlEncoderAddBox(&encoder, type, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
                                    JXL_FALSE));
  }

  void add_picture(JxlEncoder& encoder) {
    JxlEncoderFrameSettings* frame = JxlEncoderFrameSettingsCreate(&encoder, nullptr);
    check(encoder, JxlEncoderFrameSettingsSetOption(frame, JXL_ENC_FRAME_SETTING_EFFORT, options().lossless ? 3 : 5));
    if (options().lossless) {
      check(encoder, JxlEncoderSetFrameLossless(frame, JXL_TRUE));
    } else {
      check(encoder, JxlEncoderSetFrameDistance(frame, distance_of(options().quality)));
    }
    const JxlDataType type = options().samples == SampleType::u8    ? JXL_TYPE_UINT8
                             : options().samples == SampleType::u16 ? JXL_TYPE_UINT16
                                                                    : JXL_TYPE_FLOAT;
    const JxlPixelFormat format{static_cast<std::uint32_t>(options().channels), type, JXL_NATIVE_ENDIAN, 0};
    check(encoder, JxlEncoderAddImageFrame(frame, &format, rows().data(), rows().size()));
    rows() = {};
  }

  static void pull(JxlEncoder& encoder, ByteSink& sink) {
    std::vector<std::uint8_t> buffer(std::size_t{1} << 20);
    for (JxlEncoderStatus status = JXL_ENC_NEED_MORE_OUTPUT; status == JXL_ENC_NEED_MORE_OUTPUT;) {
      std::uint8_t* next = buffer.data();
      std::size_t left = buffer.size();
      status = JxlEncoderProcessOutput(&encoder, &next, &left);
      if (status == JXL_ENC_ERROR) check(encoder, status);
      sink.append(std::as_bytes(std::span(buffer.data(), buffer.size() - left)));
    }
  }

  static void check(JxlEncoder& encoder, JxlEncoderStatus status) {
    if (status == JXL_ENC_SUCCESS) return;
    switch (JxlEncoderGetError(&encoder)) {
      case JXL_ENC_ERR_OOM: throw Error(ErrorKind::memory, "JPEG XL cannot be written: out of memory");
      case JXL_ENC_ERR_BAD_INPUT:
        throw Error(ErrorKind::io,
                    "JPEG XL cannot be written: the profile or the metadata is not understood by libjxl");
      default: throw Error(ErrorKind::io, "JPEG XL cannot be written: libjxl gives no reason");
    }
  }
};

}  // namespace

std::unique_ptr<PictureWriter> open_jxl(std::unique_ptr<ByteSink> sink, int width, int height,
                                        const PictureOptions& options) {
  return std::make_unique<JxlWriter>(std::move(sink), width, height, options);
}

}  // namespace imago::io
