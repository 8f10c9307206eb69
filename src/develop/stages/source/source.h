// From a raw's sensor codes to scene-linear light: steps 1 to 5 of the develop order (design.md 4).
//
// Out comes the default crop at full size, not yet turned upright (geom does that), in linear Rec.2020 (D65) under the
// as-shot white balance: the camera's neutral is R = G = B, and 1 is the level at which the channel with the smallest
// gain clips, times the baseline exposure. Sensor noise stays negative where it is. Reconstructed highlights exceed 1.
// Every sample is finite.
#pragma once

#include <array>
#include <vector>

#include "base/rect.h"
#include "develop/settings/source.h"
#include "develop/tools/look_table/look_table.h"
#include "image/image.h"
#include "io/raw/raw_image.h"

namespace imago::develop {

// Where red stands in the 2 × 2 cell at the origin of a mosaic: 0 or 1 each. Blue stands diagonally opposite.
struct BayerPhase {
  int red_x = 0;
  int red_y = 0;
  bool operator==(const BayerPhase&) const = default;
};

// Everything about a picture's development that is decided once. Plain data.
struct SourcePlan {
  io::RawLayout layout = io::RawLayout::bayer;
  HighlightMethod highlights = HighlightMethod::opposed;
  Rect crop;         // what comes out, in pixels of the mosaic
  Rect window;       // crop and the margin around it that neighbourhoods read; inside the active area
  BayerPhase phase;  // at the window's origin
  Rect active;       // of the sensor: what the opcodes' coordinates count from
  io::RawCfa cfa;    // from the mosaic's own corner
  std::array<float, 3> gains{1, 1, 1};      // white balance of R, G, B, the smallest is 1
  std::array<float, 4> scales{1, 1, 1, 1};  // white-balanced sample of R, G, B, G2 = (code - black) * scale
  std::array<float, 3> clip{1, 1, 1};       // white-balanced samples from here on are clipped: the gains
  bool bounded = true;                      // false: floating point data, which goes beyond its white level unclipped
  std::array<float, 9> working_from_camera{1, 0, 0, 0, 1, 0, 0, 0, 1};  // acts on white-balanced samples; row by row
  // A camera profile's map of hues and saturations, where it has one: working_from_camera then ends in linear ProPhoto,
  // before exposure, and the map and this gain follow (camera_color.h).
  LookTableParams hue_sat;
  std::vector<float> hue_sat_table;
  float exposure_gain = 1;
  // A DNG's corrections of light: on a mosaic's samples, and on three colours a pixel (opcodes.h).
  std::vector<io::DngOpcode> mosaic_opcodes, picture_opcodes;
};

// Reads the header's fields, not the samples. Throws Error{input} for a mosaic that cannot be developed (X-Trans, a
// 2 × 2 mosaic other than Bayer's), levels that make no sense, or a crop outside of the picture.
SourcePlan plan_source(const io::RawImage& raw, const SourceSettings& settings);

// Consumes `raw`: its samples are released as soon as they are turned to light. `plan` is plan_source's of this raw.
Rgb32f develop_source(io::RawImage&& raw, const SourcePlan& plan);

}  // namespace imago::develop
