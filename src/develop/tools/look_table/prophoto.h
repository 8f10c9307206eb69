// Linear ProPhoto RGB (D50) from linear Rec.2020 (D65) and back, Bradford between the whites: the space in which camera
// profiles think. Written with differences, so that greys stay greys bit for bit.
#pragma once

#include "color/rgb.h"

namespace imago::develop {

inline color::Rgb prophoto_from_working(color::Rgb v) {
  return {v.r + 0.048865307f * (v.g - v.r) + 0.11594144f * (v.b - v.r),
          v.g + 0.054034572f * (v.r - v.g) + 0.017055532f * (v.b - v.g),
          v.b - 0.002342039f * (v.r - v.b) + 0.036332153f * (v.g - v.b)};
}

inline color::Rgb working_from_prophoto(color::Rgb v) {
  return {v.r - 0.05756372f * (v.g - v.r) - 0.14308692f * (v.b - v.r),
          v.g - 0.06994344f * (v.r - v.g) - 0.010684508f * (v.b - v.g),
          v.b + 0.0055415235f * (v.r - v.b) - 0.04078256f * (v.g - v.b)};
}

}  // namespace imago::develop
