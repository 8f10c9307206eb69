// What a picture of a 360 camera shows, when it is not a 2:1 equirectangular panorama, and how it becomes one.
#pragma once

#include <optional>
#include <string>

#include "image/image.h"
#include "io/video/video_reader.h"

namespace imago::pano {

enum class Projection : std::uint8_t {
  equirect,           // 2:1, nothing to do
  squeezed,           // a whole sphere in a picture of another shape (16:9 with oblong pixels)
  stereo_top_bottom,  // two panoramas, the left eye above
  stereo_left_right,
  dual_fisheye,  // two round pictures side by side, the right one looks ahead (as FFmpeg's dfisheye has it)
  unknown
};
std::string name_of(Projection projection);
std::optional<Projection> projection_from_name(const std::string& name);

enum class Eye : std::uint8_t { left, right };

// What the container says, besides the pixels.
struct ProjectionHints {
  double pixel_aspect = 1;
  io::StereoLayout stereo = io::StereoLayout::none;
  std::string projection;
};

struct Recognised {
  Projection projection = Projection::unknown;
  std::string why;  // what it was judged by; for `unknown`: what to do
};

// `luma`: the whole picture, reduced. `width` and `height` are those of the picture itself.
Recognised recognise(const Plane8& luma, int width, int height, const ProjectionHints& hints);

// Equidistant lenses: a ray at angle t from a lens's axis lies radius * t / (fov / 2) pixels from its centre. The left
// half looks back.
struct Fisheye {
  double fov_deg = 0;                             // 0: estimated
  double centre_x = 0, centre_y = 0, radius = 0;  // pixels in the left half; radius 0: estimated
};
// Fills what is 0: the circle from where the picture is not black, the field of view as that where both lenses agree
// best in the ring that both see. Throws Error{input} when there is no circle.
Fisheye estimated(const Rgba8& picture, Fisheye given);

struct ConvertOptions {
  Eye eye = Eye::left;
  Fisheye fisheye;  // complete
};
// A 2:1 panorama of even width; the picture itself for `equirect`. Not for `unknown`.
Rgba8 to_equirect(Rgba8 picture, Projection projection, const ConvertOptions& options);

// Rows scaled by a Mitchell filter, columns as they are.
Rgba8 with_height(const Rgba8& picture, int height);

}  // namespace imago::pano
