// Eight bands of hue, as photographers name them: red, orange, yellow, green, aqua, blue, purple, magenta.
//
// A value per band becomes a smooth function of hue: at a band's centre its own value, between two centres a cubic with
// level ends from one to the other. The bands' shares of any hue are not negative and sum to one; at most two are not
// 0. Centres in OkLab hue: 29, 53, 108, 142, 195, 262, 295, 330 degrees (where sRGB has these colours; skin is orange).
//
// Hue is measured as a turn of 4 without an arctangent: b / (|a| + |b|), quadrant by quadrant, which runs with the
// angle and has a continuous slope. Without colour (a = b = 0) the value is some band's: what changes lightness goes by
// colourfulness, too. Mirror: quotients and cubics, 1e-6.
#pragma once

#include "develop/tools/pixel.h"

namespace imago::develop {

inline constexpr int band_count = 8;

// How far a hue has come from each band's centre to the next one's: ones, one part, zeros.
struct BandSteps {
  float s[band_count];
};

inline float hue_turn(float a, float b) {
  const float size = (a < 0.0f ? -a : a) + (b < 0.0f ? -b : b);
  const float q = b / larger(size, 1e-12f);
  const float right = q < 0.0f ? q + 4.0f : q;
  return a < 0.0f ? 2.0f - q : right;
}

inline BandSteps band_steps(float a, float b) {
  constexpr float start[band_count] = {0.35662732f, 0.57027042f, 1.2452372f, 1.5613923f,
                                       2.2113249f,  2.8767769f,  3.3180149f, 3.6339746f};
  constexpr float inverse_width[band_count] = {4.6807032f, 1.4815543f, 3.1630054f, 1.5386211f,
                                               1.5027376f, 2.2663512f, 3.1649604f, 1.3837906f};
  const float turn = hue_turn(a, b);
  const float from_red = turn < start[0] ? turn + 4.0f : turn;
  BandSteps steps;
  for (int i = 0; i < band_count; ++i) steps.s[i] = smooth_step((from_red - start[i]) * inverse_width[i]);
  return steps;
}

// A value per band, as derived parameters hold it: red's, and the eight differences to the next one.
inline float band_value(float red, const float (&next)[band_count], const BandSteps& steps) {
  float value = red;
  for (int i = 0; i < band_count; ++i) value = value + next[i] * steps.s[i];
  return value;
}

inline void set_band_differences(const float (&values)[band_count], float (&next)[band_count]) {
  for (int i = 0; i < band_count; ++i) next[i] = values[(i + 1) % band_count] - values[i];
}

// 0 for greys, 1/2 at a chroma of 0.03, close to 1 for colours: what lightness may follow a hue by.
inline float colourfulness(float a, float b) {
  const float square = a * a + b * b;
  return square / (square + 0.0009f);
}

}  // namespace imago::develop
