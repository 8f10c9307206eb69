#include "develop/tools/saturation/saturation.h"

namespace imago::develop {

SaturationParams derive_saturation(const Saturation& settings) {
  return {.enabled = settings.saturation != 0 || settings.vibrance != 0 ? 1u : 0u,
          .gain = 1 + settings.saturation * 0.01f,
          .vibrance = settings.vibrance * 0.01f};
}

}  // namespace imago::develop
