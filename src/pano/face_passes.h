// The GPU mirror of sample_face as plain data.
#pragma once

#include "image/pass.h"
#include "pano/panorama.h"

namespace imago::pano {

// Adds the upload of `levels` and one pass a face; gives the output buffers (size x size packed RGBX, alpha 255), in
// the order of plan.faces. `levels` and its panorama must outlive the run.
std::vector<int> add_faces(const FacesPlan& plan, const PanoramaLevels& levels, PassList& list);

}  // namespace imago::pano
