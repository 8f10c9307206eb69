#include "develop/tools/contrast/contrast.h"

namespace imago::develop {

ContrastParams derive_contrast(const Tone& settings) {
  const bool changed = settings.contrast != 0 || settings.whites != 0 || settings.blacks != 0;
  return {.enabled = changed ? 1u : 0u,
          .whites = settings.whites * 0.01f,
          .blacks = settings.blacks * 0.025f,
          .contrast = settings.contrast * (settings.contrast > 0 ? 0.005f : 0.004f)};
}

}  // namespace imago::develop
