// From decoded video planes to 8-bit RGB.
//
// Y'CbCr to R'G'B' by the stream's own matrix (BT.601, BT.709, BT.2020; where it says nothing: BT.709 from 720 lines
// up, else BT.601) and range. SDR values are taken as sRGB codes, as players do. HDR (BT.2100 PQ, HLG) is tone-mapped:
// linear light of the display, 203 cd/m² (BT.2408's reference white) as 1, is kept up to 0.6 and bent smoothly so that
// the peak (1000 cd/m²) becomes 1, by the largest of R, G, B so that hues stay; then Rec.2020 to Rec.709, clipped,
// sRGB.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "image/image.h"

namespace imago::io {

enum class VideoMatrix : std::uint8_t { bt601, bt709, bt2020, rgb };
enum class VideoTransfer : std::uint8_t { sdr, pq, hlg };

struct VideoColor {
  int bits = 8;
  VideoMatrix matrix = VideoMatrix::bt709;
  bool full_range = false;
  VideoTransfer transfer = VideoTransfer::sdr;
  bool wide_gamut = false;      // Rec.2020 primaries
  bool centred_chroma = false;  // chroma samples lie in the middle of their luma samples, else at the left ones
};

std::string name_of(VideoMatrix matrix);
std::string name_of(VideoTransfer transfer);

// One plane: sample (x, y) lies at data + y * stride + x * step, `bytes` wide, shifted left by `shift`.
struct VideoPlane {
  const std::uint8_t* data = nullptr;
  std::ptrdiff_t stride = 0;
  int step = 1;
  int bytes = 1;
  int shift = 0;
};

// Y, Cb, Cr. Chroma is smaller by 2^halvings on each axis (rounded up).
struct VideoPlanes {
  int width = 0, height = 0;
  std::array<VideoPlane, 3> plane;
  int x_halvings = 1, y_halvings = 1;
  bool gray = false;  // no chroma
  VideoColor color;
};

// alpha 255. Rows in parallel; the same bits for any number of threads.
Rgba8 rgba_from_planes(const VideoPlanes& planes);

// Luma as coded, scaled to 8 bits, mean of factor x factor samples.
Plane8 reduced_luma(const VideoPlanes& planes, int factor);

// Clockwise by 0, 90, 180 or 270 degrees.
Rgba8 turned(Rgba8 picture, int degrees);
Plane8 turned(Plane8 picture, int degrees);

}  // namespace imago::io
