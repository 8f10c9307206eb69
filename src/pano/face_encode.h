// The files of one panorama's faces.
#pragma once

#include <filesystem>
#include <vector>

#include "image/image.h"
#include "io/metadata/frame_metadata.h"
#include "pano/pano.h"

namespace imago::pano {

struct FaceFiles {
  const std::vector<std::filesystem::path>& paths;  // one a face
  std::vector<io::FrameFacts> facts;                // one a face
  FaceFormat format = FaceFormat::jpg;
  int quality = 95;
};

// Faces in parallel. When one cannot be written, none of this panorama stays. Throws Error{io}.
void encode_all(const std::vector<Rgba8>& faces, const FaceFiles& files);
void encode_all(const std::vector<Rgb16>& faces, const FaceFiles& files);  // rounded to 8 bits unless png16

}  // namespace imago::pano
