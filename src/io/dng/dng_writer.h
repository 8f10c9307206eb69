// Writes a DNG 1.4 (DNG specification, chapters 2 to 4): a mosaic, or a linear raw of three samples a pixel, 16 bits
// uncompressed in one strip, little-endian. Equal input gives equal bytes. Opened by LibRaw, darktable and RawTherapee.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/rect.h"
#include "image/image.h"
#include "io/raw/raw_image.h"

namespace imago::io {

enum class DngPhotometric : std::uint8_t {
  mosaic,  // one sample a pixel behind a 2 × 2 colour filter
  linear,  // three samples a pixel, interleaved camera RGB
};

struct Dng {
  DngPhotometric photometric = DngPhotometric::mosaic;
  int width = 0;  // stored pixels, borders included
  int height = 0;
  std::span<const std::uint16_t> samples;  // width * height (* 3 for linear), sensor codes; must outlive the call

  // Colours 0 R, 1 G, 2 B of the 2 × 2 block at the active area's top left pixel, row by row.
  std::array<std::uint8_t, 4> cfa = {0, 1, 1, 2};
  std::array<double, 4> black{};  // mosaic: of the same 2 × 2 block; linear: R G B, the fourth unused
  double white = 65535;           // code of saturation

  Rect active_area;     // empty: the whole picture
  Rect default_crop;    // relative to the active area; empty: all of it
  int orientation = 1;  // EXIF 1…8

  std::string make, model, software, lens;
  std::string unique_model;  // "" writes make and model
  std::string time;          // local, "2026-05-31 14:03:07"; "" leaves the tags out

  // One or two calibrations; camera_calibration is written when it is not the identity.
  std::vector<RawCalibration> calibrations;
  std::array<double, 3> as_shot_neutral{1, 1, 1};
  double baseline_exposure_ev = 0;
  std::vector<RawNoise> noise;  // none, one, or one a channel R G B

  double iso = 0;  // 0 leaves a tag out, as below
  double shutter_s = 0;
  double aperture_f = 0;
  double focal_length_mm = 0;
  double focal_length_35mm_mm = 0;

  const Rgb8* preview =
      nullptr;  // sRGB, upright as the samples lie (the same orientation tag applies); none: no preview
};

// The whole file. Throws Error{usage} when sizes, rectangles, orientation or counts make no valid DNG, or when the file
// would pass 4 GiB.
std::vector<std::byte> write_dng(const Dng& dng);

}  // namespace imago::io
