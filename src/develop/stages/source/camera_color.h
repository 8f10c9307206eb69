// From a raw's calibrations to one matrix.
#pragma once

#include <array>

#include "color/dng_color.h"
#include "develop/tools/white_balance/white_balance.h"
#include "io/raw/raw_image.h"

namespace imago::develop {

color::CameraProfile camera_profile(const io::RawImage& raw);

// The camera and the white of its choice; for monochrome no colour. Throws Error{input} as below.
SceneColor scene_color(const io::RawImage& raw);

// Linear Rec.2020 from white-balanced camera samples, baseline exposure included; (1, 1, 1) goes to neutral. For
// monochrome only the exposure. Throws Error{input} for a matrix that has no inverse.
std::array<float, 9> working_from_balanced_camera(const io::RawImage& raw);

}  // namespace imago::develop
