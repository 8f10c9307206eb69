// Video through the FFmpeg libraries: H.264, HEVC, VP9, AV1 and whatever else they decode, 8 to 16 bits.
//
//   VideoReader video(path);
//   while (video.next()) use(video.time_s(), video.rgba());
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "image/image.h"
#include "io/raw/raw_image.h"
#include "io/video/video_color.h"

namespace imago::io {

enum class StereoLayout : std::uint8_t { none, top_bottom, left_right };

struct VideoInfo {
  int width = 0, height = 0;  // pixels as rgba() gives them: turned upright
  double pixel_aspect = 1;    // width of a pixel by its height, upright too
  int rotation_deg = 0;       // 0, 90, 180 or 270: how rgba() and luma() turn what was decoded, clockwise
  VideoColor color;
  std::string codec;             // "hevc"
  double frames_per_second = 0;  // 0: not known
  double duration_s = 0;         // 0: not known
  int video_tracks = 1;          // attached pictures do not count
  StereoLayout stereo = StereoLayout::none;
  std::string projection;  // as the container has it: "equirectangular", "cubemap", …; "" when it says nothing
  std::optional<RawGps> place;
  std::string creation_time;          // ISO 8601, UTC
  std::vector<std::string> warnings;  // what a user should know before believing the pictures
};

class VideoReader {
 public:
  // Opens the best video track. `threads` 0: as many as there are cores. Throws Error{input}: no video, unknown codec,
  // damaged.
  explicit VideoReader(const std::filesystem::path& path, int threads = 0);
  ~VideoReader();
  VideoReader(const VideoReader&) = delete;
  VideoReader& operator=(const VideoReader&) = delete;

  const VideoInfo& info() const;

  // Decodes the next frame in order of presentation; false at the end. Frames that are damaged beyond decoding are
  // left out and counted. Throws Error{input} when not one frame could be decoded.
  bool next();
  double time_s() const;           // of the frame that next() decoded, since the start of the track
  std::int64_t timestamp() const;  // the same in the track's own ticks: names a frame exactly
  int damaged_frames() const;

  // The next frame will be one at or before `timestamp`; call next() until it is reached.
  void seek(std::int64_t timestamp);
  std::int64_t timestamp_of(double time_s) const;

  // The current frame in 8 bits, encoded as sRGB (HDR tone-mapped, see video_color.h), upright, alpha 255.
  Rgba8 rgba() const;
  // Its luma in 8 bits as coded, upright, reduced by a whole factor to at most `most_width` pixels.
  Plane8 luma(int most_width) const;
  // Its planes as decoded (not turned); valid until next().
  VideoPlanes planes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace imago::io
