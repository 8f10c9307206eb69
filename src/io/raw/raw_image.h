// A raw file as decoded: sensor codes and the facts needed to turn them into light. Nothing here has been subtracted,
// scaled or interpolated. Rectangles lie in whole pixels of the mosaic, (0, 0) the top left pixel of `samples`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/rect.h"
#include "color/hue_sat_map.h"
#include "image/image.h"
#include "io/raw/dng_opcodes.h"

namespace imago::io {

using RawMatrix = std::array<double, 9>;  // 3 × 3, row by row

enum class RawLayout : std::uint8_t {
  bayer,       // one sample a pixel, colours of `cfa`, 2 × 2
  xtrans,      // one sample a pixel, colours of `cfa`, 6 × 6
  monochrome,  // one sample a pixel, no colours
  linear,      // three samples a pixel, interleaved RGB: already interpolated
};

// Colours repeat with period width × height from the mosaic's pixel (0, 0), masked border included.
struct RawCfa {
  int width = 0;
  int height = 0;
  std::array<std::uint8_t, 36> colors{};  // row by row: 0 R, 1 G, 2 B, 3 the second green of a Bayer mosaic

  // 0 R, 1 G, 2 B, 3 G2 of a mosaic pixel.
  int channel(int x, int y) const { return colors[static_cast<std::size_t>((y % height) * width + x % width)]; }
  // 0 R, 1 G, 2 B of a mosaic pixel.
  int color(int x, int y) const {
    const int c = channel(x, y);
    return c == 3 ? 1 : c;
  }
};

// Black of mosaic pixel (x, y) and channel c = per_channel[c] + pattern[…] (repeating from the active area's top left
// pixel) + delta_rows[y - active.y] + delta_columns[x - active.x]. Empty tables count as zero.
struct RawBlack {
  std::array<float, 4> per_channel{};
  int pattern_width = 0;
  int pattern_height = 0;
  int pattern_channels = 1;          // 3 for linear raws: interleaved
  std::vector<float> pattern;        // pattern_height * pattern_width * pattern_channels
  std::vector<float> delta_rows;     // one a row of the active area (DNG BlackLevelDeltaV)
  std::vector<float> delta_columns;  // one a column of the active area (DNG BlackLevelDeltaH)
};

enum class NeutralSource : std::uint8_t {
  as_shot_neutral,   // DNG tag
  as_shot_white_xy,  // DNG tag, through the color matrix
  camera,            // the maker's notes
  preview,           // no as-shot values: read off the camera's own preview
  automatic,         // no such preview: estimated from the picture
  daylight,          // nor a picture to estimate from: the maker's daylight, or D65 seen through the color matrix
  gray_world,        // no matrix: mean of the picture
  typical,           // nothing known at all: what most sensors answer to daylight
  unit,              // monochrome, or white balance baked in by the camera
};

// One calibration of a DNG (or LibRaw's own D65 matrix for other files).
struct RawCalibration {
  int illuminant = 21;  // EXIF LightSource: 17 A, 21 D65, 23 D50 …
  double cct_kelvin = 6504;
  RawMatrix color_matrix{};                 // camera from XYZ
  std::optional<RawMatrix> forward_matrix;  // XYZ D50 from white-balanced camera
  RawMatrix camera_calibration{1, 0, 0, 0, 1, 0, 0, 0, 1};
};

// What a camera profile adds to its matrices; see color/hue_sat_map.h. All empty: nothing.
struct CameraLook {
  struct Map {
    double cct_kelvin = 5000;  // of the illuminant that it is for
    color::HueSatMap map;
  };
  std::string name;
  std::vector<Map> hue_sat;                      // 0 … 3, after the matrix, interpolated like the matrices
  color::HueSatMap look_table;                   // after exposure
  std::vector<std::array<float, 2>> tone_curve;  // (x, y) 0 … 1, rising in x; in place of a display curve
};

// variance = scale * signal + offset, signal 0…1 after black and white.
struct RawNoise {
  double scale = 0;
  double offset = 0;
};

struct RawGps {
  double latitude_degrees = 0;   // north positive
  double longitude_degrees = 0;  // east positive
  std::optional<double> altitude_m;
};

// Facts from the headers alone.
struct RawInfo {
  RawLayout layout = RawLayout::bayer;
  int width = 0;  // of the default crop, before orientation
  int height = 0;
  int orientation = 1;  // EXIF 1…8
  bool is_dng = false;
  int frames = 1;            // exposures in the file
  std::string make, model;   // normalised names: "Canon", "EOS 6D"
  std::string unique_model;  // DNG UniqueCameraModel, "" when none
  std::string lens;          // "" when unknown
  std::string software;
  double iso = 0;  // 0 when unknown, as below
  double shutter_s = 0;
  double aperture_f = 0;
  double focal_length_mm = 0;
  double focal_length_35mm_mm = 0;
  double focus_distance_m = 0;
  std::string time;  // local time of the exposure, "2024-05-31 14:03:07", "" when unknown
  std::optional<RawGps> gps;
};

struct RawImage {
  RawInfo info;

  int width = 0;  // full mosaic, masked borders included
  int height = 0;
  Rect active_area;         // pixels that saw light
  Rect default_crop;        // relative to active_area's origin: what a picture shows by default
  double pixel_aspect = 1;  // width of a pixel over its height

  RawLayout layout = RawLayout::bayer;
  RawCfa cfa;                          // of bayer and xtrans
  PixelBuffer<std::uint16_t> samples;  // width * height (* 3 for linear); empty when float_samples holds them
  PixelBuffer<float> float_samples;    // floating point DNG only, same shape
  int channels() const { return layout == RawLayout::linear ? 3 : 1; }

  // Codes have been through the file's linearisation table. Levels are in sample units.
  RawBlack black;
  std::array<float, 4> white{};  // per channel R G B G2: the code that means 1.0
  std::array<float, 4> clip{};   // per channel: codes at or above it are taken as clipped. Above white for a channel
                                 // that saturates later than green

  // Camera's answer to the scene's white, green = 1; gains are its reciprocals. Never empty.
  std::array<double, 3> neutral{1, 1, 1};
  NeutralSource neutral_source = NeutralSource::unit;

  std::vector<RawCalibration> calibrations;  // 0…3; empty when nothing is known of the camera (take it for sRGB)
  std::array<double, 3> analog_balance{1, 1, 1};
  double baseline_exposure_ev = 0;
  double profile_exposure_ev = 0;  // the camera profile's own, on top
  CameraLook look;
  std::string calibration_signature;  // of the individual calibration: profiles with the same one may use it
  std::vector<RawNoise> noise;        // NoiseProfile: one, or one a channel R G B

  // OpcodeList1, 2, 3 of a DNG, less what is done already: bad pixels, and what LibRaw applies to lossy pictures.
  std::array<std::vector<DngOpcode>, 3> opcodes;
  std::vector<std::string> warnings;  // one line each, for the user
};

}  // namespace imago::io
