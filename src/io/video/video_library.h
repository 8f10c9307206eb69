// What the FFmpeg libraries that run here can do.
#pragma once

#include <string>

namespace imago::io {

struct VideoLibrary {
  std::string version;           // of libavcodec, "59.37.100"
  std::string missing_decoders;  // of H.264, HEVC, VP9, AV1; "" when all are there
};
VideoLibrary video_library();

}  // namespace imago::io
