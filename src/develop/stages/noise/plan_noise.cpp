#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "develop/stages/noise/noise.h"

namespace imago::develop {
namespace {

// Octaves 0 … 6 of Y, U, V.
constexpr int octave_count = 7;
constexpr double octave_gain[3][octave_count] = {{1.398, 0.4316, 0.1904, 0.0936, 0.0455, 0.0236, 0.0133},
                                                 {0.0767, 0.1167, 0.1205, 0.0852, 0.0482, 0.0251, 0.0152},
                                                 {0.0767, 0.1167, 0.1205, 0.0852, 0.0482, 0.0251, 0.0152}};

// Threshold in units of the noise's variance at amount 100.
constexpr double most_luminance = 4;
constexpr double most_color = 4;

// 1 at 50, 4 at 0 (smoother), 1/4 at 100.
double by_detail(float detail) { return std::exp2((50 - static_cast<double>(detail)) / 25); }

double share(float percent) { return static_cast<double>(percent) / 100; }

}  // namespace

std::array<double, 3> plane_sigmas(double octave) {
  const double at = std::clamp(octave, 0.0, octave_count - 1.0);
  const int low = std::min(static_cast<int>(at), octave_count - 2);
  const double t = at - low;
  std::array<double, 3> out{};
  for (std::size_t plane = 0; plane < 3; ++plane) {
    out[plane] = std::pow(octave_gain[plane][low], 1 - t) * std::pow(octave_gain[plane][low + 1], t);
  }
  return out;
}

bool NrParams::enabled() const {
  const auto is_set = [](float value) { return value > 0; };
  return std::ranges::any_of(luminance, is_set) || std::ranges::any_of(color, is_set);
}

NrParams nr_params(const Noise& settings, const NoiseModel& model, double level) {
  NrParams params;
  params.model = model;
  const double skipped = level < 1 ? -std::log2(level) : 0;
  for (int k = 0; k < noise_levels; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double octave = k + skipped;
    const std::array<double, 3> gain = plane_sigmas(octave);
    const double coarse = std::clamp(octave / 2, 0.0, 1.0);
    const double luminance = share(settings.luminance) * most_luminance * by_detail(settings.luminance_detail) *
                             (1 - coarse * share(settings.luminance_contrast));
    // Smoothness weighs coarse octaves, detail the fine ones.
    const double color = share(settings.color) * most_color * std::pow(by_detail(settings.color_detail), 1 - coarse) *
                         std::pow(std::exp2((static_cast<double>(settings.color_smoothness) - 50) / 25), coarse);
    params.luminance[at] = static_cast<float>(luminance * gain[0] * gain[0]);
    params.color[at] = static_cast<float>(color);
    params.color_gain_u[at] = static_cast<float>(gain[1] * gain[1]);
    params.color_gain_v[at] = static_cast<float>(gain[2] * gain[2]);
  }
  return params;
}

NoisePlan plan_noise(const Noise& settings, const NoiseModel& model, int width, int height, double level) {
  return {width, height, nr_params(settings, model, level)};
}

StageKey key(const NoisePlan& plan, StageKey upstream) {
  if (plan.is_identity()) return upstream;
  Hash64 hash;
  hash.add("noise").add(upstream);
  const NrParams& p = plan.params;
  for (std::size_t k = 0; k < noise_levels; ++k) {
    hash.add(p.luminance[k]).add(p.color[k]).add(p.color_gain_u[k]).add(p.color_gain_v[k]);
  }
  for (std::size_t plane = 0; plane < 3; ++plane) hash.add(p.model.scale[plane]).add(p.model.offset[plane]);
  return hash.value();
}

}  // namespace imago::develop
