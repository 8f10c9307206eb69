// The analytic test scene: a paved place with test boards, balls, lights and trees in front of mountains. A pure
// function from rays to light, so that any camera can be simulated and every picture has an exact truth.
//
// World axes as a camera's: x right, y down, z forward, metres. The origin is a standing viewer's eye, 1.6 m above the
// ground; useful camera positions lie within 2 m of it. Nothing is random or stateful.
#pragma once

#include <array>

#include "geometry/vector.h"
#include "scene/rgb.h"

namespace imago::scene {

using Vector = geometry::Vec3<double>;

struct Ray {
  Vector origin;
  Vector direction;           // unit length
  double spread_rad = 0.001;  // angle between neighbouring pixels: detail finer than that fades, edges ramp over it
  double width_m = 0;         // extent of the pixel at the origin already (of reflections and shadows)

  double extent_at(double distance_m) const { return width_m + spread_rad * distance_m; }
};

// Linear Rec.2020. Finite and not negative for every finite ray; the sun's disc reaches 500.
Rgb radiance(const Ray& ray);

// Camera orientation and position. The identity looks along +z from the viewer's eye.
struct Pose {
  Vector position{};
  geometry::Mat3<double> world_from_camera = geometry::identity3<double>();
};

// The colour chart: 24 patches, 6 a row, dark skin first, black last, as on the well-known chart.
inline constexpr int chart_columns = 6, chart_rows = 4;
std::array<Rgb, 24> chart_patches();  // the very light a camera sees in the middle of each patch
Vector chart_patch_centre(int index);
inline constexpr double chart_patch_size_m = 0.19;

}  // namespace imago::scene
