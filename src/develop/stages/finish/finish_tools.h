// The one ordered list of per-pixel tools: steps 14 to 18 of the develop order. The CPU calls them in this order, the
// kernel's text is put together in this order. A new tool is its folder, a member of FinishParams and a line here.
#pragma once

#include <tuple>

#include "develop/stages/finish/finish.h"
#include "develop/tools/black_white/black_white.wgsl.h"
#include "develop/tools/calibration/calibration.wgsl.h"
#include "develop/tools/contrast/contrast.wgsl.h"
#include "develop/tools/curve/curve.wgsl.h"
#include "develop/tools/display/display.wgsl.h"
#include "develop/tools/encode/encode.wgsl.h"
#include "develop/tools/exposure/exposure.wgsl.h"
#include "develop/tools/gamut/gamut.wgsl.h"
#include "develop/tools/grading/grading.wgsl.h"
#include "develop/tools/grain/grain.wgsl.h"
#include "develop/tools/hsl/hsl.wgsl.h"
#include "develop/tools/look_table/look_table.wgsl.h"
#include "develop/tools/lut/lut.wgsl.h"
#include "develop/tools/mask_exposure/mask_exposure.wgsl.h"
#include "develop/tools/oklab/from_oklab.wgsl.h"
#include "develop/tools/oklab/to_oklab.wgsl.h"
#include "develop/tools/point_color/point_color.wgsl.h"
#include "develop/tools/primaries/primaries.wgsl.h"
#include "develop/tools/profile_tone/profile_tone.wgsl.h"
#include "develop/tools/saturation/saturation.wgsl.h"
#include "develop/tools/tone/tone.wgsl.h"
#include "develop/tools/vignette/vignette.wgsl.h"
#include "develop/tools/vignette/vignette_colors.wgsl.h"
#include "develop/tools/vignette/vignette_paint.wgsl.h"
#include "develop/tools/white_balance/white_balance.wgsl.h"

namespace imago::develop {

template <typename Params>
struct FinishTool {
  std::string_view name;  // of the WGSL function, too
  Params FinishParams::*params;
  Rgb (*apply)(const Params&, Rgb, const Pixel&);
  std::span<const Param> param_table;
  std::string_view wgsl;
  bool (*touches)(const Params&, Rgb) = nullptr;  // false for all pixels of a chunk: the tool is skipped there
};
// clang before 17 does not deduce this from the members.
template <typename Params>
FinishTool(std::string_view, Params FinishParams::*, Rgb (*)(const Params&, Rgb, const Pixel&), std::span<const Param>,
           std::string_view, bool (*)(const Params&, Rgb) = nullptr) -> FinishTool<Params>;

inline constexpr std::tuple finish_tools = {
    // scene-linear Rec.2020
    FinishTool{"white_balance", &FinishParams::white_balance, &white_balance, white_balance_params,
               wgsl::white_balance},
    FinishTool{"exposure", &FinishParams::exposure, &exposure, exposure_params, wgsl::exposure},
    FinishTool{"mask_exposure", &FinishParams::mask_exposure, &mask_exposure, mask_exposure_params,
               wgsl::mask_exposure},
    FinishTool{"look_table", &FinishParams::look_table, &look_table, look_table_params, wgsl::look_table},
    FinishTool{"tone", &FinishParams::tone, &tone, tone_params, wgsl::tone},
    FinishTool{"contrast", &FinishParams::contrast, &contrast, contrast_params, wgsl::contrast},
    FinishTool{"vignette", &FinishParams::vignette, &vignette, vignette_params, wgsl::vignette},
    // display-linear Rec.2020
    FinishTool{"display", &FinishParams::display, &display, display_params, wgsl::display},
    FinishTool{"profile_tone", &FinishParams::profile_tone, &profile_tone, profile_tone_params, wgsl::profile_tone},
    FinishTool{"calibration", &FinishParams::calibration, &calibration, calibration_params, wgsl::calibration},
    // OkLab
    FinishTool{"to_oklab", &FinishParams::to_oklab, &to_oklab, to_oklab_params, wgsl::to_oklab},
    FinishTool{"saturation", &FinishParams::saturation, &saturation, saturation_params, wgsl::saturation},
    FinishTool{"hsl", &FinishParams::hsl, &hsl, hsl_params, wgsl::hsl},
    FinishTool{"point_color", &FinishParams::point_color, &point_color, point_color_params, wgsl::point_color},
    FinishTool{"black_white", &FinishParams::black_white, &black_white, black_white_params, wgsl::black_white},
    FinishTool{"grading", &FinishParams::grading, &grading, grading_params, wgsl::grading},
    FinishTool{"from_oklab", &FinishParams::from_oklab, &from_oklab, from_oklab_params, wgsl::from_oklab},
    // display-linear Rec.2020
    FinishTool{"curve", &FinishParams::curve, &curve, curve_params, wgsl::curve},
    FinishTool{"vignette_colors", &FinishParams::vignette_colors, &vignette_colors, vignette_params,
               wgsl::vignette_colors},
    FinishTool{"lut", &FinishParams::lut, &lut, lut_params, wgsl::lut},
    FinishTool{"grain", &FinishParams::grain, &grain, grain_params, wgsl::grain},
    FinishTool{"vignette_paint", &FinishParams::vignette_paint, &vignette_paint, vignette_params, wgsl::vignette_paint},
    // the output's own linear RGB
    FinishTool{"primaries", &FinishParams::primaries, &primaries, primaries_params, wgsl::primaries},
    FinishTool{"gamut", &FinishParams::gamut, &gamut, gamut_params, wgsl::gamut, &gamut_touches},
    // encoded
    FinishTool{"encode", &FinishParams::encode, &encode, encode_params, wgsl::encode},
};

}  // namespace imago::develop
