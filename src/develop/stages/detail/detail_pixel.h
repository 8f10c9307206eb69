// What the CPU's loops and detail.wgsl share, pixel by pixel.
#pragma once

#include <cmath>

#include "base/math.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

// Stops, limited towards `most` without a corner.
inline float soft_limit(float stops, float inverse_most) {
  const float size = stops < 0.0f ? -stops : stops;
  return stops / (1.0f + size * inverse_most);
}

// How much of an area's clarity remains as it lies away from mid-grey.
inline float clarity_share(float base_log2) {
  const float e = (base_log2 + 2.4739313f) * 0.2f;
  return 1.0f / (1.0f + e * e);
}

inline float clarity_stops(float amount, float stops, float base_log2) {
  return amount * (clarity_share(base_log2) * soft_limit(stops - base_log2, 0.6666667f));
}

inline float texture_stops(float amount, float stops, float fine_log2) {
  return amount * soft_limit(stops - fine_log2, 1.6666666f);
}

// blurred: gauss(L). low, high: of L over 3 x 3. gradient2: squared stops a pixel.
inline float sharpen_stops(float amount, float slack, float mask_from_gradient, float stops, float blurred, float low,
                           float high, float gradient2) {
  const float strength = mask_from_gradient > 0.0f ? smooth_step(std::sqrt(gradient2) * mask_from_gradient) : 1.0f;
  const float wanted = stops + (amount * strength) * (stops - blurred);
  const float below = smaller(wanted, high + slack);
  return larger(below, low - slack) - stops;
}

inline float detail_gain(float stops, float added) { return poly_exp2(added * smooth_step((stops + 13.0f) * 0.2f)); }

}  // namespace imago::develop
