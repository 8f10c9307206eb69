// What the samples themselves say about levels, and whether they hold a picture at all.
#pragma once

#include <string>
#include <vector>

#include "io/raw/raw_image.h"

namespace imago::io {

// White, and clip a channel, of cameras that are known to name them wrongly (white_levels.h). `full_scale`: no known
// level above it is believed.
void correct_white(RawImage& image, double full_scale);

// Black a channel as the mean of the masked areas (in mosaic pixels), where the header gives none and what they hold
// looks like black.
void measure_masked_black(RawImage& image, const std::vector<Rect>& masked_areas);

// Sets `clip` where it is 0: white less a margin, or lower where the brightest codes of a channel pile up below white
// (reference/ raw.md 0.10). Needs white and black.
void find_clip_levels(RawImage& image);

// What was never decoded of a damaged file whose samples were zero before: rows of the active area that hold nothing,
// or nothing but a repetition of those two above. A line for the user; "" when all is there. Throws Error{input} when
// nothing is.
std::string name_missing_part(const RawImage& image, const std::string& name);

// Throws Error{input}: all samples equal, or rows that were never written (`name` starts the message).
void check_samples(const RawImage& image, const std::string& name);

}  // namespace imago::io
