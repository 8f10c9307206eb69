// Measures how far two pictures lie apart and judges it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "oracle/case.h"

namespace imago::oracle {

struct Difference {
  std::size_t samples = 0;
  std::size_t beyond = 0;  // samples that differ by more than the tolerance's step
  std::size_t worst = 0;   // index of the largest difference
  double sum = 0;          // of |gpu - cpu|
  double signed_sum = 0;
  double largest = 0;  // infinite where one is NaN or infinite and the other is not

  double count() const { return samples > 0 ? static_cast<double>(samples) : 1; }
  double mean() const { return sum / count(); }
  double signed_mean() const { return signed_sum / count(); }
  double share() const { return static_cast<double>(beyond) / count(); }
};

Difference measure(std::span<const float> gpu, std::span<const float> cpu, const Tolerance& tolerance);

// "" or the gate that does not hold.
std::string verdict(const Difference& difference, const Tolerance& tolerance);

}  // namespace imago::oracle
