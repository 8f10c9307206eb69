// What the samples themselves say about levels, and whether they hold a picture at all.
#pragma once

#include <string>

#include "io/raw/raw_image.h"

namespace imago::io {

// Sets `clip`: white less a margin, or lower where the brightest codes of a channel pile up below white (reference/
// raw.md 0.10). Needs white and black.
void find_clip_levels(RawImage& image);

// Throws Error{input}: all samples equal, or rows that were never written (`name` starts the message).
void check_samples(const RawImage& image, const std::string& name);

}  // namespace imago::io
