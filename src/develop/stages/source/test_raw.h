// Tests only: raws made of a function of place, with a sensor whose colours are the working space's own (but for the
// white balance), so that what comes out is what went in.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "color/matrix.h"
#include "develop/stages/source/source.h"

namespace imago::develop {

using Light = std::array<double, 3>;  // linear Rec.2020, 1 is where the first colour clips
using LightAt = std::function<Light(int x, int y)>;

struct TestRaw {
  int width = 64;
  int height = 48;
  BayerPhase phase;
  std::array<double, 3> gains{2, 1, 1.5};
  double black = 512;
  double white = 16300;
  io::RawLayout layout = io::RawLayout::bayer;
};

inline io::RawCfa cfa_of(BayerPhase phase) {
  io::RawCfa cfa{2, 2, {}};
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < 2; ++x) {
      const bool red = x == phase.red_x && y == phase.red_y;
      const bool blue = x != phase.red_x && y != phase.red_y;
      cfa.colors[static_cast<std::size_t>(2 * y + x)] = red ? 0 : blue ? 2 : y == phase.red_y ? 1 : 3;
    }
  }
  return cfa;
}

// Codes are rounded, and clipped at white.
inline io::RawImage test_raw(const TestRaw& wanted, const LightAt& light) {
  io::RawImage raw;
  raw.width = wanted.width;
  raw.height = wanted.height;
  raw.active_area = raw.default_crop = {0, 0, wanted.width, wanted.height};
  raw.layout = raw.info.layout = wanted.layout;
  raw.cfa = cfa_of(wanted.phase);
  raw.black.per_channel.fill(static_cast<float>(wanted.black));
  raw.white.fill(static_cast<float>(wanted.white));
  raw.clip = raw.white;
  for (std::size_t c = 0; c < 3; ++c) raw.neutral[c] = 1 / wanted.gains[c];
  const color::Matrix3 camera_from_xyz = color::inverse(color::xyz_from_rgb(color::rec2020_primaries));
  io::RawCalibration calibration;
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      calibration.color_matrix[3 * r + c] = camera_from_xyz(static_cast<int>(r), static_cast<int>(c)) / wanted.gains[r];
    }
  }
  raw.calibrations = {calibration};
  const bool linear = wanted.layout == io::RawLayout::linear;
  const int channels = linear ? 3 : 1;
  raw.samples =
      PixelBuffer<std::uint16_t>(static_cast<std::size_t>(wanted.width) * static_cast<std::size_t>(wanted.height) *
                                 static_cast<std::size_t>(channels));
  std::size_t i = 0;
  for (int y = 0; y < wanted.height; ++y) {
    for (int x = 0; x < wanted.width; ++x) {
      const Light at = light(x, y);
      for (int k = 0; k < channels; ++k) {
        const auto c = static_cast<std::size_t>(linear ? k : raw.cfa.color(x, y));
        const double code = wanted.black + at[c] / wanted.gains[c] * (wanted.white - wanted.black);
        raw.samples[i++] = static_cast<std::uint16_t>(std::clamp(std::round(code), 0.0, wanted.white));
      }
    }
  }
  return raw;
}

inline Rgb32f developed(io::RawImage raw, const SourceSettings& settings = {}) {
  const SourcePlan plan = plan_source(raw, settings);
  return develop_source(std::move(raw), plan);
}

}  // namespace imago::develop
