// From a raw's calibrations to one matrix.
#pragma once

#include <array>

#include "color/dng_color.h"
#include "develop/stages/source/source.h"
#include "develop/tools/white_balance/white_balance.h"
#include "image/image.h"
#include "io/raw/raw_image.h"

namespace imago::develop {

color::CameraProfile camera_profile(const io::RawImage& raw);

// The camera and the white of its choice; for monochrome no colour. Throws Error{input} as below.
SceneColor scene_color(const io::RawImage& raw);

// 2 to the baseline exposure, that of the profile included.
double exposure_gain(const io::RawImage& raw);

// Linear ProPhoto (D50) from white-balanced camera samples, without exposure. Throws as below.
std::array<float, 9> prophoto_from_balanced_camera(const io::RawImage& raw);

// The profile's map of hues and saturations for the as-shot white; empty when there is none.
color::HueSatMap hue_sat_map(const io::RawImage& raw);

// In place: linear Rec.2020 from what plan.working_from_camera gave, when plan.hue_sat is on.
void apply_hue_sat(const SourcePlan& plan, Rgb32f& picture);

// Linear Rec.2020 from white-balanced camera samples, baseline exposure included; (1, 1, 1) goes to neutral. For
// monochrome only the exposure. Throws Error{input} for a matrix that has no inverse.
std::array<float, 9> working_from_balanced_camera(const io::RawImage& raw);

}  // namespace imago::develop
