// As-shot white of a raw: never (1, 1, 1) by accident (reference/raw.md 0.11).
#pragma once

#include <array>
#include <optional>

#include "color/dng_color.h"
#include "io/raw/raw_image.h"

namespace imago::io {

// Correlated colour temperature of an EXIF LightSource, kelvin, as DNG readers take it; 5000 for unknown ones.
double illuminant_cct(int light_source);

// The colour side of a raw, as src/color computes with it.
color::CameraProfile camera_profile_of(const RawImage& image);

// Black of a channel, pattern averaged; rows' and columns' own parts are left out.
float mean_black_of(const RawImage& image, std::size_t channel);

// Camera neutral (green = 1) of a white with CIE xy, through the calibrations interpolated in 1/CCT; empty when there
// are none, or when the result is not positive.
std::optional<std::array<double, 3>> neutral_from_xy(const RawImage& image, double x, double y);

// Mean of the unclipped samples of each colour after black, green = 1; empty when the picture is too dark or clipped.
std::optional<std::array<double, 3>> gray_world_neutral(const RawImage& image);

}  // namespace imago::io
