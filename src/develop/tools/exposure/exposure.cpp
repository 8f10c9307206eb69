#include "develop/tools/exposure/exposure.h"

#include <cmath>

namespace imago::develop {

ExposureParams derive_exposure(const Exposure& settings) {
  return {.enabled = settings.ev != 0 ? 1u : 0u, .gain = std::exp2(settings.ev)};
}

}  // namespace imago::develop
