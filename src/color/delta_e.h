#pragma once

#include "color/matrix.h"

namespace imago::color {

struct Lab {
  double lightness = 0;  // 0 … 100
  double a = 0;
  double b = 0;
};

// CIE 1976 L*a*b* relative to `white` (XYZ).
Lab lab_from_xyz(const Vector3& xyz, const Vector3& white);
Vector3 xyz_from_lab(const Lab& lab, const Vector3& white);

// CIEDE2000 colour difference, kL = kC = kH = 1. Sharma, Wu, Dalal 2005; CIE 142.
double delta_e_2000(const Lab& first, const Lab& second);

}  // namespace imago::color
