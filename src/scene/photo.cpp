#include "scene/photo.h"

#include <cmath>

#include "geometry/cube_face.h"

namespace imago::scene {
namespace {

double half_diagonal(const Camera& camera) {
  return 0.5 * std::sqrt(static_cast<double>(camera.width) * camera.width +
                         static_cast<double>(camera.height) * camera.height);
}

double polynomial(const std::array<double, 3>& k, double r2) { return 1 + r2 * (k[0] + r2 * (k[1] + r2 * k[2])); }

// Solves r (1 + k1 r² + k2 r⁴ + k3 r⁶) = distorted by Newton's method; five rounds reach double precision for any
// photographic lens.
double undistorted_radius(const std::array<double, 3>& k, double distorted) {
  double r = distorted;
  for (int round = 0; round < 5; ++round) {
    const double r2 = r * r;
    const double slope = 1 + r2 * (3 * k[0] + r2 * (5 * k[1] + r2 * 7 * k[2]));
    r -= (r * polynomial(k, r2) - distorted) / slope;
  }
  return r;
}

Ray ray_of(const Camera& camera, double x, double y, double magnification, double spread_px) {
  const geometry::Position<double> ideal = ideal_from_distorted(camera, {x, y});
  const double scale = 1 / (camera.focal_length_px * magnification);
  const Vector d = geometry::normalized(
      Vector{(ideal.x - 0.5 * camera.width) * scale, (ideal.y - 0.5 * camera.height) * scale, 1.0});
  // A pixel away from the axis subtends less: by cos² along the radius, by cos across; the mean is used.
  const double spread = spread_px / camera.focal_length_px * d.z * std::sqrt(d.z);
  return {camera.pose.position, camera.pose.world_from_camera * d, spread};
}

}  // namespace

geometry::Position<double> ideal_from_distorted(const Camera& camera, geometry::Position<double> at) {
  if (camera.lens.distortion == std::array<double, 3>{}) return at;
  const double unit = half_diagonal(camera);
  const double cx = 0.5 * camera.width, cy = 0.5 * camera.height;
  const double x = (at.x - cx) / unit, y = (at.y - cy) / unit;
  const double distorted = std::sqrt(x * x + y * y);
  if (distorted < 1e-12) return at;
  const double scale = undistorted_radius(camera.lens.distortion, distorted) / distorted;
  return {cx + x * scale * unit, cy + y * scale * unit};
}

Ray camera_ray(const Camera& camera, double x, double y, double spread_px) {
  return ray_of(camera, x, y, 1, spread_px);
}

Rgb photographed(const Camera& camera, int x, int y) {
  const Lens& lens = camera.lens;
  const auto seen = [&](double magnification) {
    return pixel_light(x, y, camera.sampling, [&](double px, double py, double spread) {
      return ray_of(camera, px, py, magnification, spread);
    });
  };
  Rgb light = seen(1);
  if (lens.red_scale != 1) light.r = seen(lens.red_scale).r;
  if (lens.blue_scale != 1) light.b = seen(lens.blue_scale).b;
  if (lens.vignetting != std::array<double, 3>{}) {
    const double unit = half_diagonal(camera);
    const double dx = (x + 0.5 - 0.5 * camera.width) / unit, dy = (y + 0.5 - 0.5 * camera.height) / unit;
    light = light * static_cast<float>(polynomial(lens.vignetting, dx * dx + dy * dy));
  }
  return light;
}

Rgb32f photograph(const Camera& camera) {
  Rgb32f image(camera.width, camera.height);
  parallel_for(camera.height, 8, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) {
      float* out = image.row(y);
      for (int x = 0; x < camera.width; ++x, out += 3) {
        const Rgb light = photographed(camera, x, y);
        out[0] = light.r;
        out[1] = light.g;
        out[2] = light.b;
      }
    }
  });
  return image;
}

Camera front_camera(int width, int height) {
  Camera camera;
  camera.width = width;
  camera.height = height;
  camera.focal_length_px = 0.70 * std::max(width, height);
  camera.pose.world_from_camera = geometry::pano_from_view({0, -1.5});
  return camera;
}

}  // namespace imago::scene
