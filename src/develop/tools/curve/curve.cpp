#include "develop/tools/curve/curve.h"

#include <algorithm>
#include <cmath>

namespace imago::develop {

MonotoneCubic::MonotoneCubic(std::vector<CurvePoint> points) {
  std::stable_sort(points.begin(), points.end(), [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
  for (const CurvePoint& point : points) {
    const double x = std::clamp(static_cast<double>(point.x), 0.0, 1.0);
    const double y = std::clamp(static_cast<double>(point.y), 0.0, 1.0);
    if (!x_.empty() && x == x_.back()) {
      y_.back() = y;
    } else {
      x_.push_back(x);
      y_.push_back(y);
    }
  }
  const std::size_t count = x_.size();
  slope_.assign(count, 0.0);
  if (count < 2) return;
  const auto secant = [&](std::size_t i) { return (y_[i + 1] - y_[i]) / (x_[i + 1] - x_[i]); };
  slope_.front() = secant(0);
  slope_.back() = secant(count - 2);
  for (std::size_t i = 1; i + 1 < count; ++i) {
    const double before = secant(i - 1), after = secant(i);
    slope_[i] = before * after > 0 ? (before + after) / 2 : 0.0;
  }
  // Slopes outside the circle of radius 3 (in units of the secant) would overshoot.
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const double rise = secant(i);
    if (rise == 0) {
      slope_[i] = slope_[i + 1] = 0;
      continue;
    }
    const double length = std::hypot(slope_[i] / rise, slope_[i + 1] / rise);
    if (length > 3) {
      slope_[i] *= 3 / length;
      slope_[i + 1] *= 3 / length;
    }
  }
}

double MonotoneCubic::operator()(double x) const {
  if (x_.empty()) return x;
  if (x <= x_.front()) return y_.front();
  if (x >= x_.back()) return y_.back();
  const auto after = std::upper_bound(x_.begin(), x_.end(), x);
  const std::size_t i = static_cast<std::size_t>(after - x_.begin()) - 1;
  const double width = x_[i + 1] - x_[i];
  const double t = (x - x_[i]) / width;
  const double u = 1 - t;
  return u * u * ((1 + 2 * t) * y_[i] + t * width * slope_[i]) +
         t * t * ((1 + 2 * u) * y_[i + 1] - u * width * slope_[i + 1]);
}

std::vector<CurvePoint> parametric_points(const Curve& s) {
  if (s.shadows == 0 && s.darks == 0 && s.lights == 0 && s.highlights == 0) return {};
  constexpr float narrowest = 0.02f;
  const float first = std::clamp(s.shadow_split * 0.01f, 0.0f, 0.9f);
  const float second = std::max(s.midtone_split * 0.01f, first + narrowest);
  const float third = std::max(s.highlight_split * 0.01f, second + narrowest);
  const float middles[] = {0, first / 2, (first + second) / 2, (second + third) / 2, (third + 1) / 2, 1};
  const float amounts[] = {0, s.shadows, s.darks, s.lights, s.highlights, 0};
  std::vector<CurvePoint> points;
  for (std::size_t i = 0; i < std::size(middles); ++i) {
    const float x = middles[i];
    const float room = amounts[i] > 0 ? middles[i + 1] - x : amounts[i] < 0 ? x - middles[i - 1] : 0.0f;
    points.push_back({x, x + 0.0045f * amounts[i] * room});
  }
  return points;
}

CurveParams derive_curve(const Curve& settings) {
  const bool all_empty = settings.rgb.empty() && parametric_points(settings).empty();
  if (all_empty && settings.red.empty() && settings.green.empty() && settings.blue.empty()) return {};
  const bool refined = !all_empty && settings.refine_saturation != 100;
  return {.enabled = 1,
          .refined = refined ? 1u : 0u,
          .more_saturation = refined ? settings.refine_saturation * 0.01f - 1 : 0.0f};
}

std::vector<float> curve_table(const Curve& settings) {
  const CurveParams params = derive_curve(settings);
  if (params.enabled == 0) return {};
  const MonotoneCubic parametric(parametric_points(settings));
  const MonotoneCubic point_curve(settings.rgb);
  const auto all = [&](double x) { return point_curve(parametric(x)); };
  std::vector<float> table;
  table.reserve(4 * curve_samples);
  for (const std::vector<CurvePoint>* points : {&settings.red, &settings.green, &settings.blue}) {
    const MonotoneCubic own(*points);
    for (int i = 0; i < curve_samples; ++i) {
      const double x = i / (curve_samples - 1.0);
      table.push_back(static_cast<float>(std::clamp(own(params.refined != 0 ? x : all(x)), 0.0, 1.0)));
    }
  }
  if (params.refined == 0) return table;
  for (int i = 0; i < curve_samples; ++i) {
    table.push_back(static_cast<float>(std::clamp(all(i / (curve_samples - 1.0)), 0.0, 1.0)));
  }
  return table;
}

}  // namespace imago::develop
