// From a camera's calibrations to the working space: DNG specification 1.4 … 1.7.1, chapter 6 "Mapping Camera Color
// Space to CIE XYZ Space". Also serves cameras with one matrix from a table.
#pragma once

#include <optional>
#include <vector>

#include "color/matrix.h"
#include "color/white_point.h"

namespace imago::color {

// What a file says about one calibration illuminant.
struct CameraCalibration {
  double cct_kelvin = 6504;               // of the illuminant
  Matrix3 color_matrix;                   // camera from XYZ
  std::optional<Matrix3> forward_matrix;  // XYZ D50 from white-balanced camera
  Matrix3 camera_calibration;             // individual camera from reference camera
};

struct CameraProfile {
  std::vector<CameraCalibration> calibrations;  // 0 … 3, in any order; without one the camera is taken for sRGB
  Vector3 analog_balance{1, 1, 1};
};

// The colour side of one white balance.
struct CameraColor {
  // Linear Rec.2020 from camera samples that were multiplied by `gains`; (1, 1, 1) goes to (1, 1, 1).
  Matrix3 working_from_balanced;
  Vector3 gains{1, 1, 1};  // the smallest is 1
  Xy white = d65;          // of the scene's light
  Temperature temperature;
};

// XYZ under `white` as the camera sees it: analog balance * calibration * color matrix, interpolated linearly in
// reciprocal temperature between the illuminants beside it (three illuminants: the two that bracket it), clamped
// outside. Throws Error{input} when a matrix has no inverse.
Matrix3 camera_from_xyz(const CameraProfile& profile, Xy white);

// Camera's answer to a white, largest component 1. Components are positive.
Vector3 neutral_from_white(const CameraProfile& profile, Xy white);

// The white whose answer is `neutral` (AsShotNeutral), by the fixed point of the specification, and where that leaves
// the chromaticities by a search over temperatures; d65 when no light explains it.
Xy white_from_neutral(const CameraProfile& profile, const Vector3& neutral);

// With ForwardMatrix on all calibrations: through it; else Bradford from the white. `neutral` needs positive, finite
// components. Throws Error{input} for matrices without inverse.
CameraColor camera_color_from_neutral(const CameraProfile& profile, const Vector3& neutral);
// For a chosen white (AsShotWhiteXY, the user's temperature and tint).
CameraColor camera_color_from_white(const CameraProfile& profile, Xy white);

// What turns pixels developed with `from` into those developed with `to`, as far as nothing was clipped: one matrix on
// linear Rec.2020.
Matrix3 white_balance_shift(const CameraColor& to, const CameraColor& from);

}  // namespace imago::color
