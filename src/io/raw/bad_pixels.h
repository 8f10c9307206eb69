// Pixels that the file itself names as bad (FixBadPixelsConstant, FixBadPixelsList), on sensor codes.
#pragma once

#include <span>

#include "io/raw/dng_opcodes.h"
#include "io/raw/raw_image.h"

namespace imago::io {

// Replaces them by neighbours of their own colour: of the nearest opposite pairs the one that differs least, else the
// mean of what is good nearby. `origin_x`, `origin_y`: where the opcodes' coordinates start in the mosaic. Other
// opcodes are left alone. Adds a warning, and changes nothing, when more than one pixel in ten would be bad. Floating
// point samples are left as they are.
void fix_bad_pixels(std::span<const DngOpcode> opcodes, int origin_x, int origin_y, RawImage& image);

}  // namespace imago::io
