// Equirect panoramas of the scene (axes and pixels as in geometry/sphere.h).
#pragma once

#include "image/image.h"
#include "scene/render.h"
#include "scene/scene.h"

namespace imago::scene {

struct PanoramaView {
  int width = 4096;
  int height = 2048;
  Pose pose;
  Sampling sampling;
};

// Linear Rec.2020.
Rgb32f panorama(const PanoramaView& view);

// sRGB, encoded, 8 bits rounded; light above 1 and colours outside sRGB clip. `exposure` multiplies the light.
Rgb8 encoded_srgb(const Rgb32f& linear_rec2020, float exposure = 1);

// A square pinhole view of the scene from the panorama's pose: the truth of a cube face. Sampled as finely as the
// panorama of `sampling_width` pixels (0: as the face itself), so that both see the same band-limited scene.
struct FaceView {
  geometry::Mat3<double> pano_from_face = geometry::identity3<double>();
  double fov_rad = 1.5707963267948966;
  int size = 1024;
  Pose pose;
  Sampling sampling;
  int sampling_width = 0;
};
Rgb32f face(const FaceView& view);

}  // namespace imago::scene
