// The scene's white, estimated from the picture: what a file without as-shot white balance gets, and "auto".
#pragma once

#include <array>
#include <optional>

#include "image/image.h"
#include "io/raw/raw_image.h"

namespace imago::io {

// Camera neutral, green = 1, of the white whose assumption makes most of the picture's blocks nearly grey, likelier
// lights preferred: 2560 … 11000 K, tint -30 … 40. Empty when there is no colour matrix, or too little of the picture
// is neither dark nor clipped. Needs levels and clip. Does not depend on threads.
std::optional<std::array<double, 3>> automatic_neutral(const RawImage& image);

// Camera neutral, green = 1, that the camera itself must have used to make `preview` (sRGB, as the sensor lies) from
// these samples: it can be read off greys. Empty when the preview shows another frame or no greys.
std::optional<std::array<double, 3>> preview_neutral(const RawImage& image, const Rgb8& preview);

}  // namespace imago::io
