// How good a video frame is for photogrammetry: how sharp it is, and how much it differs from the frame before.
#pragma once

#include <cstdint>

#include "image/image.h"

namespace imago::pano {

// Widths of the luma pictures that are judged.
inline constexpr int sharpness_width = 1024;
inline constexpr int motion_width = 128;

// Root of the mean squared Sobel gradient (Tenengrad), in 8-bit levels a pixel, of an equirect picture: rows weighted
// by the cosine of their latitude, those beyond 60 degrees left out (poles, the tripod or hand below). From integer
// sums.
double sharpness(const Plane8& luma);

// A smaller copy, mean of factor x factor samples, at most most_width wide.
Plane8 reduced(const Plane8& luma, int most_width);

// Mean absolute difference in levels, at the turn about the vertical axis that makes it least: looking elsewhere from
// the same place is no motion. Rows weighted as above. Both of one size.
double motion(const Plane8& a, const Plane8& b);

}  // namespace imago::pano
