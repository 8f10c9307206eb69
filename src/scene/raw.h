// Raw files of the scene: what a known sensor would have recorded, with the truth beside it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/rect.h"
#include "image/image.h"
#include "io/dng/dng_writer.h"
#include "scene/photo.h"

namespace imago::scene {

// A sensor's colours and noise. The noise is that of photons and electronics: variance = scale * signal + offset with
// the signal 0 … 1 between black and white, a channel R G B; both grow with ISO as stated.
struct Sensor {
  std::string make = "Imago", model = "Analytic 24";
  io::RawMatrix color_matrix_d65;  // camera from XYZ
  io::RawMatrix color_matrix_a;
  double black = 512;
  double white = 16300;                         // saturation: no code lies above
  std::array<double, 3> noise_scale_iso100{};   // * iso / 100
  std::array<double, 3> noise_offset_iso100{};  // * (iso / 100)²
};
Sensor sony_a7_iii();

struct RawRequest {
  Camera camera = front_camera(6000, 4000);  // its size is the upright picture's: the default crop after orientation
  Sensor sensor = sony_a7_iii();
  double exposure = 1;  // light 1 lands at this share of the green channel's range
  double iso = 0;       // 0: no noise, written as ISO 100
  std::uint32_t seed = 1;
  std::array<std::uint8_t, 4> cfa = {0, 1, 1, 2};  // of the active area's top left pixel
  bool linear = false;                             // three samples a pixel instead of a mosaic
  int orientation = 1;  // EXIF; the sensor is turned so that the developed picture stands upright
  Rect border;          // pixels around the default crop: x left, y top, width right, height bottom; half of each
                        // lies outside the active area and saw no light
};

struct SceneRaw {
  io::Dng dng;  // its samples point into `samples`
  std::vector<std::uint16_t> samples;
  Rgb32f truth;  // upright picture, linear Rec.2020, times exposure, before clipping at the sensor
};

// camera RGB (white = 1 in green) from linear Rec.2020 under D65, row by row; and the camera's answer to white.
struct SensorColor {
  io::RawMatrix camera_from_rec2020;
  std::array<double, 3> neutral;
};
SensorColor sensor_color(const Sensor& sensor);

// Same request, same bytes, for any number of threads.
SceneRaw photograph_raw(const RawRequest& request);

// "RGGB", "GRBG", "GBRG", "BGGR" in any case; throws Error{usage} for others.
std::array<std::uint8_t, 4> cfa_from_name(const std::string& name);

}  // namespace imago::scene
