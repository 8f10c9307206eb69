// finish: everything that looks at one pixel at a time, from scene-linear light to the codes of a file or screen. One
// pass over the picture on the CPU, in strips that go straight to the encoder, and one kernel on the GPU.
//
// FinishParams reads as the pipeline; finish_tools.h says what runs. A tool that is not enabled costs nothing and
// leaves every bit alone.
// In: scene-linear Rec.2020, any value (NaN counts as 0, values beyond ±65504 as that). Out: encoded values of the
// output space in 0 … 1, always finite; as 8-bit codes (dithered), 16-bit codes or f32.
// Mirror: one 8-bit step, where a value lies within rounding of a code's edge; in f32 5e-5, mean 2e-7 (drivers fuse and
// divide their own way; steepest at the gamut's edge and at black).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/rect.h"
#include "develop/settings/settings.h"
#include "develop/stages/finish/output_format.h"
#include "develop/tools/black_white/black_white.h"
#include "develop/tools/calibration/calibration.h"
#include "develop/tools/contrast/contrast.h"
#include "develop/tools/curve/curve.h"
#include "develop/tools/display/display.h"
#include "develop/tools/dither/dither.h"
#include "develop/tools/encode/encode.h"
#include "develop/tools/exposure/exposure.h"
#include "develop/tools/gamut/gamut.h"
#include "develop/tools/grading/grading.h"
#include "develop/tools/grain/grain.h"
#include "develop/tools/hsl/hsl.h"
#include "develop/tools/look_table/look_table.h"
#include "develop/tools/lut/lut.h"
#include "develop/tools/mask_exposure/mask_exposure.h"
#include "develop/tools/oklab/oklab.h"
#include "develop/tools/point_color/point_color.h"
#include "develop/tools/primaries/primaries.h"
#include "develop/tools/profile_tone/profile_tone.h"
#include "develop/tools/saturation/saturation.h"
#include "develop/tools/tone/tone.h"
#include "develop/tools/vignette/vignette.h"
#include "develop/tools/white_balance/white_balance.h"
#include "image/image.h"
#include "image/pass.h"

namespace imago::develop {

// Where the picture lies in the full frame of the output: not at 0 for windows.
struct ViewParams {
  std::uint32_t origin_x = 0;
  std::uint32_t origin_y = 0;
  // From pixel centres of the full frame to -1 … 1 over it: times [0] plus [1] for x, times [2] plus [3] for y.
  alignas(16) float vig_view[4] = {0.001f, -1, 0.001f, -1};
};
inline constexpr Param view_params[] = {IMAGO_PARAM(ViewParams, origin_x), IMAGO_PARAM(ViewParams, origin_y),
                                        IMAGO_PARAM(ViewParams, vig_view)};
static_assert(covers<ViewParams>(view_params));

// Of the picture that starts at an origin of a frame of that size.
ViewParams view_of(int frame_width, int frame_height, int origin_x = 0, int origin_y = 0);

// Derived numbers only: no strings, no pointers, goes to the GPU as it is.
struct FinishParams {
  ViewParams view;
  MaskTermsParams mask_terms;
  // The tools, in order.
  WhiteBalanceParams white_balance;
  ExposureParams exposure;
  MaskExposureParams mask_exposure;
  LookTableParams look_table;
  ToneParams tone;
  ContrastParams contrast;
  VignetteParams vignette;
  DisplayParams display;
  ProfileToneParams profile_tone;
  CalibrationParams calibration;
  ToOklabParams to_oklab;
  SaturationParams saturation;
  HslParams hsl;
  PointColorParams point_color;
  BlackWhiteParams black_white;
  GradingParams grading;
  FromOklabParams from_oklab;
  CurveParams curve;
  VignetteColorsParams vignette_colors;
  LutParams lut;
  GrainParams grain;
  VignettePaintParams vignette_paint;
  PrimariesParams primaries;
  GamutParams gamut;
  EncodeParams encode;
  // Rounding to codes.
  DitherParams dither;
};

struct FinishPlan {
  FinishParams params;
  std::vector<float> curve_table;  // the point curve, when it is on, then what a camera profile brings
  std::vector<float> lut_table;    // empty when the LUT is off
  bool needs_base() const { return params.tone.enabled != 0; }
  bool needs_masks() const { return params.mask_terms.count != 0; }
};

// A camera profile's look; empty when there is none.
struct ProfileLook {
  color::HueSatMap table;
  std::vector<std::array<float, 2>> tone_curve;  // (x, y)
};

// is_scene: the source is a raw. A finished picture (false) keeps its look: no display curve, no gamut mapping.
// color: of the photo, for white balance. look: its camera profile's. frame_pixels: pixels of the full-size frame per
// pixel of the output. lut: the table of settings.lut.file, null for none.
FinishPlan plan_finish(const Settings& settings, const OutputFormat& format, bool is_scene = true, ViewParams view = {},
                       const SceneColor& color = {}, const ProfileLook& look = {}, float frame_pixels = 1,
                       const color::Lut* lut = nullptr);

struct FinishInputs {
  const Rgb32f* image = nullptr;  // scene-linear Rec.2020
  const Plane* base = nullptr;    // log2 luminance base layer, when the plan needs_base()
  const std::uint32_t* mask_words =
      nullptr;  // packed masks (masks.h) of exactly the rows asked for, when needs_masks()
  int words_per_pixel = 0;
};

// Rows of the output, interleaved RGB, into rows.count() * width * 3 samples. Runs on the calling thread; how a picture
// is cut into strips changes nothing.
void finish_rows(const FinishPlan& plan, const FinishInputs& inputs, RowRange rows, std::uint8_t* out);
void finish_rows(const FinishPlan& plan, const FinishInputs& inputs, RowRange rows, std::uint16_t* out);
void finish_rows(const FinishPlan& plan, const FinishInputs& inputs, RowRange rows, float* out);

enum class FinishOutput : std::uint8_t {
  rgba8,  // one u32 a pixel, red in the low byte, alpha 255
  f32x4,  // encoded values and alpha 1: for 16-bit (u16_from_encoded) and float files
};

// Adds the pass; returns the output buffer. base_buffer and mask_buffer may be -1 when the plan does not need them.
int add_finish(const FinishPlan& plan, PassList& list, int image_buffer, int base_buffer, int mask_buffer,
               FinishOutput output);

// The same rounding as finish_rows, for f32x4 readbacks.
inline std::uint16_t u16_from_encoded(float encoded) {
  return static_cast<std::uint16_t>(quantise(encoded, 65535.0f, 0.5f));
}

}  // namespace imago::develop
