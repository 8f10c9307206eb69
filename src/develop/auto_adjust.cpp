#include "develop/auto_adjust.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"
#include "base/math.h"

namespace imago::develop {
namespace {

constexpr double lowest_stops = -16;
constexpr double bins_per_stop = 8;

}  // namespace

double ToneStatistics::percentile(double share) const {
  double wanted = share * total;
  for (std::size_t bin = 0; bin < counts.size(); ++bin) {
    const double here = counts[bin];
    if (here > 0 && wanted <= here) return lowest_stops + (static_cast<double>(bin) + wanted / here) / bins_per_stop;
    wanted -= here;
  }
  return lowest_stops + static_cast<double>(counts.size()) / bins_per_stop;
}

double ToneStatistics::mean_stops(double low_share, double high_share) const {
  const double low = percentile(low_share), high = percentile(high_share);
  double sum = 0, count = 0;
  for (std::size_t bin = 0; bin < counts.size(); ++bin) {
    const double stops = lowest_stops + (static_cast<double>(bin) + 0.5) / bins_per_stop;
    if (stops < low - 0.5 / bins_per_stop || stops > high + 0.5 / bins_per_stop) continue;
    sum += stops * counts[bin];
    count += counts[bin];
  }
  return count > 0 ? sum / count : low;
}

ToneStatistics tone_statistics(const Photo& photo, const WhiteBalance& settings) {
  const WhiteBalanceParams white = derive_white_balance(settings, photo.color);
  const Rgb32f& source = photo.source;
  const double pixels = static_cast<double>(source.width) * source.height;
  const int step = std::max(1, static_cast<int>(std::sqrt(pixels / 250000)));
  ToneStatistics statistics;
  for (int y = step / 2; y < source.height; y += step) {
    for (int x = step / 2; x < source.width; x += step) {
      const float* pixel = source.at(x, y);
      Rgb v = {finite(pixel[0]), finite(pixel[1]), finite(pixel[2])};
      if (white.enabled != 0) v = white_balance(white, v, {});
      const double stops = static_cast<double>(poly_log2(working_luminance(v)));
      const double bin = (stops - lowest_stops) * bins_per_stop;
      const auto last = static_cast<double>(statistics.counts.size() - 1);
      ++statistics.counts[static_cast<std::size_t>(std::clamp(bin, 0.0, last))];
      ++statistics.total;
    }
  }
  return statistics;
}

Settings auto_tone(const Photo& photo, Settings settings) {
  const ToneStatistics statistics = tone_statistics(photo, settings.white_balance);
  if (statistics.total == 0) return settings;
  // A raw's display curve shows 0.18 at 0.33; a finished picture has been through one.
  const double target = std::log2(photo.is_raw ? 0.11 : 0.16);
  const double mean = statistics.mean_stops(0.02, 0.98);
  // Not all the way: a night is darker than a day.
  const double ev = std::clamp(0.7 * (target - mean), -3.0, 3.0);
  const double bright = statistics.percentile(0.99) + ev;
  const double dark = statistics.percentile(0.05) + ev;
  const double spread = statistics.percentile(0.9) - statistics.percentile(0.1);
  const auto rounded = [](double value, double low, double high) {
    return static_cast<float>(std::round(std::clamp(value, low, high)));
  };
  settings.exposure.ev = static_cast<float>(std::round(ev * 100) / 100);
  settings.tone.highlights = rounded(-35 * (bright + 0.5), -90, 0);
  settings.tone.shadows = rounded(15 * (-6.0 - dark), 0, 60);
  settings.tone.whites = rounded(-20 * (bright + 0.7), 0, 25);
  settings.tone.blacks = rounded(-6 * (dark + 7.5), -20, 0);
  settings.tone.contrast = rounded(10 * (3.0 - spread), 0, 20);
  return settings;
}

WhiteBalance white_balance_preset(std::string_view name) {
  if (name == "as_shot") return {};
  std::string names = "as_shot";
  for (const WhiteBalancePreset& preset : white_balance_presets) {
    if (preset.name == name) return preset.settings;
    names += fmt::format(", {}", preset.name);
  }
  throw Error(ErrorKind::usage, fmt::format("--wb {}: there are {}", name, names));
}

WhiteBalance pick_white_balance(const Photo& photo, double x, double y) {
  const auto fail = [&](const char* why) {
    throw Error(ErrorKind::usage, fmt::format("{}: no neutral at {:g},{:g}: {}", photo.name, x, y, why));
  };
  if (!photo.color.profile) fail("the picture has no colour");
  if (!(x >= 0 && x < 1 && y >= 0 && y < 1)) fail("places are fractions, 0 to 1");
  const int centre_x = static_cast<int>(x * photo.source.width), centre_y = static_cast<int>(y * photo.source.height);
  color::Vector3 sum{};
  double count = 0;
  for (int row = std::max(0, centre_y - 2); row <= std::min(photo.source.height - 1, centre_y + 2); ++row) {
    for (int column = std::max(0, centre_x - 2); column <= std::min(photo.source.width - 1, centre_x + 2); ++column) {
      const float* pixel = photo.source.at(column, row);
      for (std::size_t c = 0; c < 3; ++c) sum[c] += static_cast<double>(finite(pixel[c]));
      ++count;
    }
  }
  for (double& value : sum) value /= count;
  // Back to the camera's own samples, which for a grey are the camera's answer to the light.
  const color::Vector3 balanced = color::inverse(photo.color.as_shot.working_from_balanced) * sum;
  color::Vector3 neutral{};
  for (std::size_t c = 0; c < 3; ++c) neutral[c] = balanced[c] / photo.color.as_shot.gains[c];
  const double largest = std::max({neutral[0], neutral[1], neutral[2]});
  const double smallest = std::min({neutral[0], neutral[1], neutral[2]});
  if (!(smallest > 1e-4)) fail("it is black, or no light's colour");
  for (double& value : neutral) value /= largest;
  const color::Temperature light = color::temperature_from_xy(color::white_from_neutral(*photo.color.profile, neutral));
  return {.temperature_k = static_cast<float>(std::clamp(std::round(light.kelvin), 2000.0, 50000.0)),
          .tint = static_cast<float>(std::clamp(std::round(light.tint * 10) / 10, -150.0, 150.0))};
}

}  // namespace imago::develop
