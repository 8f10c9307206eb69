// A perspective photograph of the scene through a lens that may distort, fringe and darken.
#pragma once

#include <array>

#include "geometry/sphere.h"
#include "image/image.h"
#include "scene/render.h"
#include "scene/scene.h"

namespace imago::scene {

// Radii are measured from the picture's middle in units of half its diagonal.
//   distortion: r_distorted = r (1 + k1 r² + k2 r⁴ + k3 r⁶), r of the ideal picture (Brown's radial terms)
//   fringes:    red and blue are magnified by their scale against green
//   vignetting: light · (1 + v1 r² + v2 r⁴ + v3 r⁶), r of the distorted picture
struct Lens {
  std::array<double, 3> distortion{};
  double red_scale = 1;
  double blue_scale = 1;
  std::array<double, 3> vignetting{};
};

struct Camera {
  int width = 6000;
  int height = 4000;
  double focal_length_px = 4200;  // 25 mm on a 36 mm wide sensor of 6000 pixels
  Pose pose;
  Lens lens;
  Sampling sampling;
};

// Where the ideal (undistorted) picture shows what the photograph shows at a position, both in pixels. The distortion
// must be monotone within the picture.
geometry::Position<double> ideal_from_distorted(const Camera& camera, geometry::Position<double> at);

// The ray through a continuous position of the photograph, for green light.
Ray camera_ray(const Camera& camera, double x, double y, double spread_px = 1);

// Light at a position of the photograph, fringes and vignetting included.
Rgb photographed(const Camera& camera, int x, int y);

// Linear Rec.2020.
Rgb32f photograph(const Camera& camera);

// The default picture of the demo: the whole front of the scene.
Camera front_camera(int width, int height);

}  // namespace imago::scene
