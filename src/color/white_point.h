// Correlated colour temperature and tint of a white, in the scale that raw developers use.
#pragma once

#include "color/matrix.h"

namespace imago::color {

// kelvin along the Planckian locus; tint across it, 3000 per unit of CIE 1960 uv. Positive tint is a white above the
// locus (greenish light), whose correction turns the picture to magenta. D65 is 6500 K, tint 10.
struct Temperature {
  double kelvin = 6504;
  double tint = 0;
};

inline constexpr double least_kelvin = 1667;  // end of Robertson's isotherms
inline constexpr double most_kelvin = 100000;

// Kelvin are clamped to the range above; tint within -150 … 150 is safe everywhere from 2000 K on.
Xy xy_from_temperature(Temperature temperature);

// The exact inverse of the above (1e-6 K and tint) over 2000 … 50000 K, |tint| <= 150. Other chromaticities get the
// nearest isotherm's temperature.
Temperature temperature_from_xy(Xy white);

// Chromaticity of CIE daylight, 4000 … 25000 K (clamped). CIE 15.
Xy daylight_xy(double kelvin);

}  // namespace imago::color
