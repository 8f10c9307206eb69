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

CurveParams derive_curve(const Curve& settings) {
  const bool empty = settings.rgb.empty() && settings.red.empty() && settings.green.empty() && settings.blue.empty();
  return {.enabled = empty ? 0u : 1u};
}

std::vector<float> curve_table(const Curve& settings) {
  if (derive_curve(settings).enabled == 0) return {};
  const MonotoneCubic all(settings.rgb);
  std::vector<float> table;
  table.reserve(3 * curve_samples);
  for (const std::vector<CurvePoint>* points : {&settings.red, &settings.green, &settings.blue}) {
    const MonotoneCubic own(*points);
    for (int i = 0; i < curve_samples; ++i) {
      table.push_back(static_cast<float>(std::clamp(own(all(i / (curve_samples - 1.0))), 0.0, 1.0)));
    }
  }
  return table;
}

}  // namespace imago::develop
