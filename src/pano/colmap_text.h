// The text form of COLMAP models. Private to colmap_model.
#pragma once

#include "pano/colmap_model.h"

namespace imago::pano {

ColmapModel read_colmap_text(const std::filesystem::path& folder);  // throws Error{input}

}  // namespace imago::pano
