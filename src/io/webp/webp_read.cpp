#include "io/webp/webp_read.h"

#include <webp/decode.h>
#include <webp/demux.h>

#include <memory>

#include "base/error.h"
#include "io/exif_orientation.h"
#include "io/picture_limits.h"

namespace imago::io {
namespace {

const std::uint8_t* as_u8(std::span<const std::byte> bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

// The file's chunks and its first picture.
class Chunks {
 public:
  Chunks(std::span<const std::byte> bytes, const std::string& name) : name_(name), demuxer_(nullptr, WebPDemuxDelete) {
    const WebPData data{as_u8(bytes), bytes.size()};
    WebPDemuxState state = WEBP_DEMUX_PARSE_ERROR;
    demuxer_.reset(WebPDemuxPartial(&data, &state));
    if (!demuxer_ || state == WEBP_DEMUX_PARSE_ERROR) throw Error(ErrorKind::input, name_ + ": damaged WebP");
    if (state != WEBP_DEMUX_DONE)
      throw Error(ErrorKind::input, name_ + ": truncated WebP: the file ends before the picture does");
    if (WebPDemuxGetFrame(demuxer_.get(), 1, &frame_) == 0 ||
        WebPGetFeatures(frame_.fragment.bytes, frame_.fragment.size, &features_) != VP8_STATUS_OK) {
      throw Error(ErrorKind::input, name_ + ": damaged WebP");
    }
    check_picture_size(static_cast<std::uint64_t>(features_.width), static_cast<std::uint64_t>(features_.height),
                       most_picture_pixels, name_);
  }
  ~Chunks() { WebPDemuxReleaseIterator(&frame_); }
  Chunks(const Chunks&) = delete;
  Chunks& operator=(const Chunks&) = delete;

  PictureInfo info() const {
    PictureInfo info;
    info.width = features_.width;
    info.height = features_.height;
    info.alpha = features_.has_alpha != 0;
    const std::uint32_t flags = WebPDemuxGetI(demuxer_.get(), WEBP_FF_FORMAT_FLAGS);
    if ((flags & ICCP_FLAG) != 0) info.icc = chunk("ICCP");
    if ((flags & EXIF_FLAG) != 0) info.orientation = exif_orientation(chunk("EXIF"));
    if (WebPDemuxGetI(demuxer_.get(), WEBP_FF_FRAME_COUNT) > 1)
      info.warnings.emplace_back("an animation: its first picture is used");
    return info;
  }

  Rgb8 pixels() const {
    Rgb8 image(features_.width, features_.height);
    const int stride = features_.width * 3;
    if (WebPDecodeRGBInto(frame_.fragment.bytes, frame_.fragment.size, image.pixels.data(), image.pixels.size(),
                          stride) == nullptr) {
      throw Error(ErrorKind::input, name_ + ": damaged WebP: it does not decode to a picture");
    }
    return image;
  }

 private:
  std::vector<std::byte> chunk(const char* four_letters) const {
    WebPChunkIterator found;
    std::vector<std::byte> bytes;
    if (WebPDemuxGetChunk(demuxer_.get(), four_letters, 1, &found) != 0) {
      const auto* first = reinterpret_cast<const std::byte*>(found.chunk.bytes);
      bytes.assign(first, first + found.chunk.size);
    }
    WebPDemuxReleaseChunkIterator(&found);
    return bytes;
  }

  const std::string& name_;
  std::unique_ptr<WebPDemuxer, decltype(&WebPDemuxDelete)> demuxer_;
  WebPIterator frame_{};
  WebPBitstreamFeatures features_{};
};

}  // namespace

PictureInfo probe_webp(std::span<const std::byte> bytes, const std::string& name) { return Chunks(bytes, name).info(); }

Picture read_webp(std::span<const std::byte> bytes, const std::string& name) {
  const Chunks chunks(bytes, name);
  Picture picture;
  picture.info = chunks.info();
  picture.rgb8 = chunks.pixels();
  return picture;
}

}  // namespace imago::io
