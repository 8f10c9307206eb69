// A picture to try renderers with where no file is at hand.
#pragma once

#include "develop/photo.h"

namespace imago::develop {

// Hues against brightness over twelve stops, with grain and a burnt spot: every branch of a tool finds some pixels.
Photo synthetic_photo(int width, int height);

}  // namespace imago::develop
