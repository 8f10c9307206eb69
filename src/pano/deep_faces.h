// The face sampler for 16-bit panoramas and for resampling in linear light. Same plan, kernels and levels as
// sample_face.cpp, in f32 instead of 8-bit integers; the CPU alone.
#pragma once

#include <vector>

#include "image/image.h"
#include "pano/face_plan.h"

namespace imago::pano {

enum class Light : std::uint8_t {
  encoded,  // values are interpolated as they stand in the file
  linear    // sRGB is decoded before and encoded after: small lights keep their brightness
};

// A panorama of 16 bits as the file has it. Faces in the plan's order, encoded as the panorama is.
std::vector<Rgb16> render_deep_faces(const FacesPlan& plan, const Rgb16& panorama, Light light);

// 8-bit codes as 16-bit ones (times 257), and back, rounded.
Rgb16 deepened(const Rgba8& picture);
Rgba8 flattened(const Rgb16& picture);

}  // namespace imago::pano
