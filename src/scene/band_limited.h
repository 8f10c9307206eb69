// Procedural patterns that know how wide a pixel is. `width` is a pixel's extent in the pattern's own units; detail
// finer than that fades to its mean, edges become ramps, so that one ray per pixel gives a picture without aliasing.
// + - * / and floor only: equal bits wherever the program runs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/math.h"

namespace imago::scene {

// Integer hash with good avalanche (two multiply-xorshift rounds).
constexpr std::uint32_t hash(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  std::uint32_t h = x * 0x9E3779B1u + y * 0x85EBCA77u + z * 0xC2B2AE3Du + 0x27D4EB2Fu;
  h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
  h = (h ^ (h >> 12)) * 0x297A2D39u;
  return h ^ (h >> 15);
}

constexpr float unit_from_hash(std::uint32_t h) { return static_cast<float>(h >> 8) * 0x1p-24f; }

inline float smooth(float edge0, float edge1, float x) {
  const float t = std::clamp((x - edge0) / (edge1 - edge0), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

// Share of a pixel inside an edge, given its centre's distance to the edge, + inside.
inline float coverage(float distance, float width) {
  const float t = std::clamp(distance / (1.5f * width + 1e-12f) + 0.5f, 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

// Of a line of the given half width; right also when the line is much finer than the pixel.
inline float line_coverage(float distance, float half_width, float width) {
  return coverage(distance + half_width, width) - coverage(distance - half_width, width);
}

// How much of a pattern with `frequency` cells per unit is left: 1 for pixels below a fifth of a cell, 0 from 0.8 on.
inline float visible(float frequency, float width) { return 1.0f - smooth(0.2f, 0.8f, frequency * width); }

// cos(2 pi turns), within 2e-6.
inline float cos_turns(double turns) {
  const double fraction = turns - std::floor(turns);
  const auto x = static_cast<float>(std::abs(fraction - 0.5) - 0.25);  // cos(2 pi t) = sin(2 pi x)
  const float z = x * x;
  float p = 39.5367f;
  p = p * z - 76.570f;
  p = p * z + 81.601f;
  p = p * z - 41.341668f;
  p = p * z + 6.2831852f;
  return x * p;
}

// A cosine whose phase advances by `turns_per_pixel`, seen through the pixel: attenuated as by a Gaussian.
inline float filtered_cos(double turns, float turns_per_pixel) {
  const float attenuation = poly_exp2(-5.7f * turns_per_pixel * turns_per_pixel);
  return attenuation * cos_turns(turns);
}

inline float fade_curve(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }

struct Cell {
  std::int64_t index;
  float fraction;
};

inline Cell cell_of(double x) {
  const double whole = std::floor(x);
  return {static_cast<std::int64_t>(whole), static_cast<float>(x - whole)};
}

inline std::uint32_t key(std::int64_t index) { return static_cast<std::uint32_t>(index); }

// Smooth noise, 0 … 1, one value a unit square.
inline float noise(double x, double y, std::uint32_t seed) {
  const Cell i = cell_of(x), j = cell_of(y);
  const float u = fade_curve(i.fraction), v = fade_curve(j.fraction);
  const std::uint32_t x0 = key(i.index), y0 = key(j.index);
  const float a = unit_from_hash(hash(x0, y0, seed)), b = unit_from_hash(hash(x0 + 1, y0, seed));
  const float c = unit_from_hash(hash(x0, y0 + 1, seed)), d = unit_from_hash(hash(x0 + 1, y0 + 1, seed));
  const float top = a + (b - a) * u, bottom = c + (d - c) * u;
  return top + (bottom - top) * v;
}

inline float noise(double x, double y, double z, std::uint32_t seed) {
  const Cell k = cell_of(z);
  const std::uint32_t s = seed + key(k.index) * 0x632BE5ABu;
  const float near = noise(x, y, s), far = noise(x, y, s + 0x632BE5ABu);
  return near + (far - near) * fade_curve(k.fraction);
}

// Sum of octaves, mean 0, about -0.5 … 0.5; each octave twice the frequency at half the height.
inline float octaves(double x, double y, float width, int count, std::uint32_t seed) {
  float sum = 0, height = 0.5f, frequency = 1;
  for (int i = 0; i < count; ++i) {
    const float share = visible(frequency, width);
    if (share <= 0) break;
    const double f = static_cast<double>(frequency);
    sum += height * share * (2.0f * noise(x * f, y * f, seed + static_cast<std::uint32_t>(i)) - 1.0f);
    height *= 0.5f;
    frequency *= 2.03f;
  }
  return sum;
}

}  // namespace imago::scene
