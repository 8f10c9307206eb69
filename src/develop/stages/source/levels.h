// Sensor codes to light, and nothing else.
#pragma once

#include "develop/stages/source/source.h"

namespace imago::develop {

// (code - black) * scale for the plan's window: the mosaic, white-balanced, one channel. Not finite samples of floating
// point raws become 0.
Plane level_mosaic(const io::RawImage& raw, const SourcePlan& plan);

// The same for raws with three samples a pixel.
Rgb32f level_linear(const io::RawImage& raw, const SourcePlan& plan);

}  // namespace imago::develop
