// What a per-pixel tool gets and what all of them share. A tool is one inline function
//
//   Rgb tool(const ToolParams& p, Rgb v, const Pixel& at)
//
// without branches on pixel values (selects vectorise) and without libm (base/math.h), and its WGSL twin of the same
// name and operand order. Its parameters come from a derive function, where libm is welcome.
#pragma once

#include <bit>
#include <cstdint>

#include "color/rgb.h"

namespace imago::develop {

using color::Rgb;

struct Pixel {
  std::uint32_t x = 0, y = 0;          // in the full frame of the output
  float frame_x = 0, frame_y = 0;      // the same place, -1 … 1 from edge to edge of that frame
  float base_log2 = 0;                 // log2 luminance of the base layer, before exposure; 0 when no tool asked for it
  float local_ev = 0;                  // sum of the masks' exposures here, in stops
  const float* curve_table = nullptr;  // see curve.h; in WGSL a binding
  const float* lut_table = nullptr;    // see lut.h
};

inline float smaller(float a, float b) { return a < b ? a : b; }
inline float larger(float a, float b) { return a > b ? a : b; }

// 0 … 1; NaN gives 0.
inline float unit(float x) {
  const float floored = x > 0.0f ? x : 0.0f;
  return floored < 1.0f ? floored : 1.0f;
}

// 0 to the left of 0, 1 to the right of 1, between them a cubic with level ends.
inline float smooth_step(float x) {
  const float t = unit(x);
  return t * t * (3.0f - 2.0f * t);
}

// Y of linear Rec.2020.
inline float working_luminance(Rgb v) { return 0.2627002f * v.r + 0.6779981f * v.g + 0.0593017f * v.b; }

// NaN becomes 0, what is beyond ±65504 (the largest half float) stays there. Everything else keeps its bits.
inline float finite(float x) {
  const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(x) & 0x7fffffffu;
  const float number = magnitude > 0x7f800000u ? 0.0f : x;
  const float floored = number > -65504.0f ? number : -65504.0f;
  return floored < 65504.0f ? floored : 65504.0f;
}

}  // namespace imago::develop
