#include "scene/pano.h"

#include <array>
#include <cmath>
#include <numbers>

#include "geometry/cube_face.h"
#include "geometry/sphere.h"

namespace imago::scene {
namespace {

// First light value that rounds to each 8-bit code: exact, and a search is faster than a power.
std::array<float, 255> srgb_thresholds() {
  std::array<float, 255> limits{};
  for (std::size_t code = 0; code < limits.size(); ++code) {
    const double encoded = (static_cast<double>(code) + 0.5) / 255;
    const double linear = encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
    limits[code] = static_cast<float>(linear);
  }
  return limits;
}

std::uint8_t encode(float linear, const std::array<float, 255>& limits) {
  return static_cast<std::uint8_t>(std::upper_bound(limits.begin(), limits.end(), linear) - limits.begin());
}

}  // namespace

Rgb32f panorama(const PanoramaView& view) {
  const double pixel = 2 * std::numbers::pi / view.width;
  return render(view.width, view.height, view.sampling, [&view, pixel](double x, double y, double spread) {
    const Vector d = geometry::direction_from_equirect<double>({x, y}, view.width, view.height);
    return Ray{view.pose.position, view.pose.world_from_camera * d, pixel * spread};
  });
}

Rgb32f face(const FaceView& view) {
  const double focal = geometry::face_focal_px(view.fov_rad, view.size);
  const geometry::Mat3<double> world_from_face = geometry::multiply(view.pose.world_from_camera, view.pano_from_face);
  const double pixel = view.sampling_width > 0 ? 2 * std::numbers::pi / view.sampling_width : 1 / focal;
  return render(view.size, view.size, view.sampling, [&, focal, pixel](double x, double y, double spread) {
    const Vector d = geometry::normalized(geometry::face_ray_from_position<double>({x, y}, focal, view.size));
    return Ray{view.pose.position, world_from_face * d, pixel * spread};
  });
}

Rgb8 encoded_srgb(const Rgb32f& linear_rec2020, float exposure) {
  static const std::array<float, 255> limits = srgb_thresholds();
  Rgb8 out(linear_rec2020.width, linear_rec2020.height);
  parallel_for(out.height, 16, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) {
      const float* in = linear_rec2020.row(y);
      std::uint8_t* to = out.row(y);
      for (int x = 0; x < out.width; ++x, in += 3, to += 3) {
        const float r = in[0] * exposure, g = in[1] * exposure, b = in[2] * exposure;
        // Rec.2020 to Rec.709, ITU-R BT.2407.
        to[0] = encode(1.6604910f * r - 0.5876411f * g - 0.0728499f * b, limits);
        to[1] = encode(-0.1245505f * r + 1.1328999f * g - 0.0083494f * b, limits);
        to[2] = encode(-0.0181508f * r - 0.1005789f * g + 1.1187297f * b, limits);
      }
    }
  });
  return out;
}

}  // namespace imago::scene
