// noise: luminance and colour noise reduction by shrinking what a Laplacian pyramid says is no more than noise.
//
// G(0) = the picture, G(k+1) = half size of G(k) (1 3 3 1 per axis), D(k) = G(k) - up(G(k+1)) (3/4, 1/4 per axis), as
// planes Y, U, V (noise_model.h). At each pixel of each level:
//   sigma^2 = (scale * max(Y of up(G(k+1)), 0) + offset) * gain(k)^2      what noise alone would leave there
//   E       = mean of D^2 over 3 x 3
//   loss    = min(threshold * sigma^2 / E, 1);   D loses that share      (a local Wiener filter)
// U and V share one loss, from the mean of their two energies in units of sigma^2. The losses of all levels are summed
// back up and taken from the picture: with amount 0 every bit is kept, and colour alone leaves Y within rounding.
// Burt & Adelson 1983 (pyramid); Mihcak et al. 1999 (local Wiener shrinkage).
// In, out: scene-linear Rec.2020 under the as-shot white balance. A NaN or infinity counts as 0 and comes out as it
// was. Lengths: levels are octaves of the full frame. A preview at half size starts at the second octave. Edges repeat
// outwards; grids are anchored at pixel 0 of the frame.
#pragma once

#include <array>

#include "develop/settings/noise.h"
#include "develop/stages/noise/noise_model.h"
#include "image/image.h"
#include "image/pass.h"

namespace imago::develop {

inline constexpr int noise_levels = 5;

// Standard deviation of D at an octave of the full frame (0 the finest; fractions between) as a share of the pixel's:
// Y, U, V. Measured on flat pictures through the project's own demosaic (docs/measurements/detail.md).
std::array<double, 3> plane_sigmas(double octave);

// threshold * gain(k)^2 per level. Zero: the level is kept.
struct NrParams {
  std::array<float, noise_levels> luminance{};
  std::array<float, noise_levels> color{};         // for the mean of U and V in units of their own sigma^2 …
  std::array<float, noise_levels> color_gain_u{};  // … which is model * gain^2
  std::array<float, noise_levels> color_gain_v{};
  NoiseModel model;
  bool enabled() const;
};

// level: output pixels per pixel of the full frame, at most 1.
NrParams nr_params(const Noise& settings, const NoiseModel& model, double level);

struct NoisePlan {
  int width = 0, height = 0;
  NrParams params;
  bool is_identity() const { return !params.enabled(); }
};

NoisePlan plan_noise(const Noise& settings, const NoiseModel& model, int width, int height, double level);

// The cleaned picture on all threads.
Rgb32f reduce_noise(const NoisePlan& plan, const Rgb32f& scene);

// Equals `upstream` for an identity.
StageKey key(const NoisePlan& plan, StageKey upstream);

}  // namespace imago::develop
