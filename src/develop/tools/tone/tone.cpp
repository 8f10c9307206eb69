#include "develop/tools/tone/tone.h"

#include <cmath>

namespace imago::develop {

ToneParams derive_tone(const Tone& settings, float exposure_ev) {
  return {.enabled = settings.shadows != 0 || settings.highlights != 0 ? 1u : 0u,
          .offset = exposure_ev - std::log2(0.18f),
          .shadows = settings.shadows * 0.02f,
          .highlights = settings.highlights * 0.016f};
}

}  // namespace imago::develop
