#include "io/video/video_library.h"

extern "C" {
#include <libavcodec/avcodec.h>
}

#include <fmt/format.h>

#include <array>
#include <utility>

namespace imago::io {

VideoLibrary video_library() {
  const unsigned version = avcodec_version();
  VideoLibrary library{fmt::format("{}.{}.{}", version >> 16, (version >> 8) & 255, version & 255), ""};
  constexpr std::array<std::pair<AVCodecID, const char*>, 4> wanted = {
      {{AV_CODEC_ID_H264, "H.264"}, {AV_CODEC_ID_HEVC, "HEVC"}, {AV_CODEC_ID_VP9, "VP9"}, {AV_CODEC_ID_AV1, "AV1"}}};
  for (const auto& [id, name] : wanted) {
    if (avcodec_find_decoder(id) != nullptr) continue;
    library.missing_decoders += (library.missing_decoders.empty() ? "" : ", ") + std::string(name);
  }
  return library;
}

}  // namespace imago::io
