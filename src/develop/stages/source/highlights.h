// Clipped photosites of a white-balanced Bayer mosaic.
//
// Inpaint opposed, after darktable's method of that name (reference/raw.md C3): a clipped sample is judged from the
// other two colours around it, their mean taken on cube roots, plus the picture's own mean difference between the
// colours beside clipped areas. Here the other colours count by the headroom they have left, so that a colour which is
// itself clipped does not pull the estimate down, and where all are clipped the highest of the three levels stands for
// each. The mean difference applies as far as the colours around show that the place is not white: white stays white.
#pragma once

#include <array>

#include "develop/stages/source/source.h"

namespace imago::develop {

// Mean of sample - reference per colour over unclipped samples beside clipped areas. Global: one per picture.
struct OpposedChroma {
  std::array<float, 3> offset{0, 0, 0};
  bool any_clipped = false;
};

OpposedChroma measure_opposed(const Plane& mosaic, const SourcePlan& plan);

// In place. Samples only grow.
void fill_opposed(Plane& mosaic, const SourcePlan& plan, const OpposedChroma& chroma);

// In place: nothing above 1, so that clipped areas are white.
void clip_highlights(Plane& mosaic);

// The plan's method for pictures that have three samples a pixel.
void limit_linear(Rgb32f& picture, const SourcePlan& plan);

}  // namespace imago::develop
