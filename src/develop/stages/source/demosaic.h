// Bayer mosaic to three colours a pixel.
//
// Directional linear minimum mean square-error estimation of the colour differences (Zhang and Wu, "Color demosaicking
// via directional linear minimum mean square-error estimation", IEEE Trans. Image Processing 14(12), 2005): along each
// row and each column green minus red (or blue) is a smooth signal plus the error of interpolating it; local
// variances say how far to trust it, and the two directions are joined by their expected errors. Red and blue follow
// from the differences, which are then cleaned by medians (Freeman 1988). It all happens on samples encoded by a square
// root, where equal steps look alike and sensor noise is even.
#pragma once

#include <array>

#include "develop/stages/source/source.h"

namespace imago::develop {

// Pixels around a crop that its demosaic reads; at the mosaic's own edges they are mirrored.
inline constexpr int demosaic_margin = 16;

// Develops the rectangle `crop` of `mosaic` (white-balanced samples, any finite value) and applies the matrix to every
// pixel. The result does not depend on threads or on how the work is cut, and only on samples within demosaic_margin
// of a pixel.
Rgb32f demosaic_bayer(const Plane& mosaic, BayerPhase phase, Rect crop, const std::array<float, 9>& matrix);

}  // namespace imago::develop
