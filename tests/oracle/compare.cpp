#include "oracle/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace imago::oracle {

Difference measure(std::span<const float> gpu, std::span<const float> cpu, const Tolerance& tolerance) {
  Difference out;
  out.samples = cpu.size();
  if (gpu.size() != cpu.size()) {
    out.largest = std::numeric_limits<double>::infinity();
    return out;
  }
  for (std::size_t i = 0; i < cpu.size(); ++i) {
    if (gpu[i] == cpu[i] || (std::isnan(gpu[i]) && std::isnan(cpu[i]))) continue;
    double difference = static_cast<double>(gpu[i]) - static_cast<double>(cpu[i]);
    if (!std::isfinite(difference)) difference = std::numeric_limits<double>::infinity();
    const double size = std::abs(difference);
    out.sum += size;
    out.signed_sum += difference;
    if (size > tolerance.step) ++out.beyond;
    if (size > out.largest) {
      out.largest = size;
      out.worst = i;
    }
  }
  return out;
}

std::string verdict(const Difference& difference, const Tolerance& tolerance) {
  const double count = difference.count();
  if (difference.largest > tolerance.largest) {
    return fmt::format("largest difference {:.3g} is over {:.3g}, at sample {}", difference.largest, tolerance.largest,
                       difference.worst);
  }
  if (static_cast<double>(difference.beyond) > std::max(1.0, tolerance.share * count)) {
    return fmt::format("{} samples differ by more than {:.3g}, over a share of {:.3g}", difference.beyond,
                       tolerance.step, tolerance.share);
  }
  if (difference.sum > std::max(tolerance.mean * count, tolerance.step)) {
    return fmt::format("mean difference {:.3g} is over {:.3g}", difference.mean(), tolerance.mean);
  }
  if (std::abs(difference.signed_sum) > std::max(tolerance.signed_mean * count, tolerance.step)) {
    return fmt::format("signed mean {:+.3g} is over {:.3g}", difference.signed_mean(), tolerance.signed_mean);
  }
  return "";
}

}  // namespace imago::oracle
