// The masks stage's pass over time: what is masked in many frames of a face, or in the frames before and after, is
// masked. Reads the masks of the first pass.
#pragma once

#include <vector>

#include "pano/masks/masks.h"

namespace imago::pano {

StageSummary masks_over_time(const MasksOptions& options, const std::vector<StageItem>& frames,
                             const StageListener& listener, const CancelToken& cancel);

}  // namespace imago::pano
