// Per-pixel and per-block functions that the CPU loops share; log_luminance.wgsl is the twin.
#pragma once

#include <cstdint>

#include "base/math.h"

namespace imago::develop {

inline constexpr float luminance_floor = 0x1p-14f;
inline constexpr float luminance_ceiling = 0x1p16f;
// Stops per integer unit of the frame mean.
inline constexpr float mean_unit = 0x1p-10f;

// Rec.2020 luminance, ITU-R BT.2020 table 4.
inline float log_luminance(float red, float green, float blue) {
  const float y = (0.2627f * red + 0.6780f * green) + 0.0593f * blue;
  const float above = y > luminance_floor ? y : luminance_floor;  // also for NaN
  return poly_log2(above < luminance_ceiling ? above : luminance_ceiling);
}

// L in units of 1/1024 stop above the floor, rounded: 0 … 30720.
inline std::uint32_t mean_units(float stops) { return static_cast<std::uint32_t>((stops + 14.0f) * 1024.0f + 0.5f); }

inline float stops_from_units(std::uint32_t units) { return static_cast<float>(units) * mean_unit - 14.0f; }

}  // namespace imago::develop
