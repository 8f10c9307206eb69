#include "scene/raw.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/error.h"
#include "color/matrix.h"
#include "scene/band_limited.h"

namespace imago::scene {
namespace {

// Nearly normal: the sum of twelve uniform values less six has variance 1 and is exact on every machine.
double normal_at(std::uint32_t x, std::uint32_t y, std::uint32_t seed) {
  std::uint32_t h = hash(x, y, seed);
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < 6; ++i) {
    h = hash(h, i, seed);
    sum += static_cast<std::int64_t>(h & 0xffffu) + static_cast<std::int64_t>(h >> 16);
  }
  return static_cast<double>(sum) / 65536.0 + 12.0 / 131072.0 - 6.0;
}

// Position in the upright picture of a pixel of the stored one, whose size is `width` × `height` (EXIF's codes).
geometry::PixelIndex upright_from_stored(geometry::PixelIndex at, int width, int height, int orientation) {
  const int right = width - 1 - at.x, bottom = height - 1 - at.y;
  switch (orientation) {
    case 2: return {right, at.y};
    case 3: return {right, bottom};
    case 4: return {at.x, bottom};
    case 5: return {at.y, at.x};
    case 6: return {bottom, at.x};
    case 7: return {bottom, right};
    case 8: return {at.y, right};
    default: return at;
  }
}

struct Layout {
  int crop_width, crop_height;  // of the stored, unturned picture
  int width, height;            // with borders
  Rect active;
};

Layout layout_of(const RawRequest& request) {
  const bool turned = request.orientation >= 5;
  const int crop_width = turned ? request.camera.height : request.camera.width;
  const int crop_height = turned ? request.camera.width : request.camera.height;
  const Rect& border = request.border;
  const int left = border.x / 2, top = border.y / 2, right = border.width / 2, bottom = border.height / 2;
  const int width = crop_width + border.x + border.width, height = crop_height + border.y + border.height;
  return {crop_width, crop_height, width, height, {left, top, width - left - right, height - top - bottom}};
}

std::uint16_t code_of(double signal, const RawRequest& request, int channel, std::uint32_t x, std::uint32_t y) {
  const Sensor& sensor = request.sensor;
  double value = std::max(signal, 0.0);
  if (request.iso > 0) {
    const double gain = request.iso / 100;
    const auto c = static_cast<std::size_t>(channel);
    const double variance = sensor.noise_scale_iso100[c] * gain * value + sensor.noise_offset_iso100[c] * gain * gain;
    value += std::sqrt(variance) * normal_at(x, y, request.seed * 3u + static_cast<std::uint32_t>(channel));
  }
  // Noise first, then saturation: burnt-out areas are flat.
  const double code = sensor.black + value * (sensor.white - sensor.black);
  return static_cast<std::uint16_t>(std::clamp(std::floor(code + 0.5), 0.0, sensor.white));
}

struct Exposing {
  const RawRequest& request;
  Layout layout;
  SensorColor color;
  SceneRaw& out;

  // Light on a stored pixel; the border sees what the picture's neighbourhood shows.
  Rgb light_at(int x, int y) const {
    const geometry::PixelIndex upright = upright_from_stored(
        {x - request.border.x, y - request.border.y}, layout.crop_width, layout.crop_height, request.orientation);
    return photographed(request.camera, upright.x, upright.y) * static_cast<float>(request.exposure);
  }

  void keep_truth(Rgb light, int x, int y) const {
    const geometry::PixelIndex stored{x - request.border.x, y - request.border.y};
    if (stored.x < 0 || stored.y < 0 || stored.x >= layout.crop_width || stored.y >= layout.crop_height) return;
    const geometry::PixelIndex upright =
        upright_from_stored(stored, layout.crop_width, layout.crop_height, request.orientation);
    float* pixel = out.truth.at(upright.x, upright.y);
    pixel[0] = light.r;
    pixel[1] = light.g;
    pixel[2] = light.b;
  }

  double channel_of(Rgb light, int channel) const {
    const std::size_t k = static_cast<std::size_t>(channel) * 3;
    const io::RawMatrix& m = color.camera_from_rec2020;
    return m[k] * static_cast<double>(light.r) + m[k + 1] * static_cast<double>(light.g) +
           m[k + 2] * static_cast<double>(light.b);
  }

  void row(int y) const {
    const int channels = request.linear ? 3 : 1;
    const auto sample = [&](int x) {
      return (static_cast<std::size_t>(y) * static_cast<std::size_t>(layout.width) + static_cast<std::size_t>(x)) *
             static_cast<std::size_t>(channels);
    };
    for (int x = 0; x < layout.width; ++x) {
      const int ax = x - layout.active.x, ay = y - layout.active.y;
      const bool lit = ax >= 0 && ay >= 0 && ax < layout.active.width && ay < layout.active.height;
      Rgb light;
      if (lit) {
        light = light_at(x, y);
        keep_truth(light, x, y);
      }
      const auto ux = static_cast<std::uint32_t>(x), uy = static_cast<std::uint32_t>(y);
      for (int i = 0; i < channels; ++i) {
        const int channel = request.linear ? i : request.cfa[static_cast<std::size_t>((ay & 1) * 2 + (ax & 1))];
        out.samples[sample(x) + static_cast<std::size_t>(i)] =
            code_of(channel_of(light, channel), request, channel, ux, uy);
      }
    }
  }
};

io::Dng described(const RawRequest& request, const Layout& layout, const SensorColor& color) {
  const Sensor& sensor = request.sensor;
  io::Dng dng;
  dng.photometric = request.linear ? io::DngPhotometric::linear : io::DngPhotometric::mosaic;
  dng.width = layout.width;
  dng.height = layout.height;
  dng.cfa = request.cfa;
  dng.black.fill(sensor.black);
  dng.white = sensor.white;
  dng.active_area = layout.active;
  dng.default_crop = {request.border.x - layout.active.x, request.border.y - layout.active.y, layout.crop_width,
                      layout.crop_height};
  dng.orientation = request.orientation;
  dng.make = sensor.make;
  dng.model = sensor.model;
  dng.software = "Imago";
  dng.lens = "Pinhole";
  dng.time = "2026-06-21 16:30:00";
  dng.calibrations = {
      {.illuminant = 17, .cct_kelvin = 2856, .color_matrix = sensor.color_matrix_a, .forward_matrix = {}},
      {.illuminant = 21, .cct_kelvin = 6504, .color_matrix = sensor.color_matrix_d65, .forward_matrix = {}}};
  dng.as_shot_neutral = color.neutral;
  dng.iso = request.iso > 0 ? request.iso : 100;
  dng.shutter_s = 1.0 / 250 * (100 / dng.iso);
  dng.aperture_f = 8;
  dng.focal_length_mm = 36 * request.camera.focal_length_px / std::max(request.camera.width, request.camera.height);
  dng.focal_length_35mm_mm = dng.focal_length_mm;
  if (request.iso > 0) {
    const double gain = request.iso / 100;
    for (std::size_t c = 0; c < 3; ++c) {
      dng.noise.push_back({sensor.noise_scale_iso100[c] * gain, sensor.noise_offset_iso100[c] * gain * gain});
    }
  }
  return dng;
}

}  // namespace

// Matrices: Adobe's ColorMatrix1 and 2 for the camera, as other raw developers publish them. Noise: of the order of
// darktable's measurements of that camera.
Sensor sony_a7_iii() {
  Sensor sensor;
  sensor.color_matrix_d65 = {0.7374, -0.2389, -0.0551, -0.5435, 1.3162, 0.2519, -0.1006, 0.1795, 0.6552};
  sensor.color_matrix_a = {0.6640, -0.1847, -0.0503, -0.5238, 1.3010, 0.2474, -0.0993, 0.1673, 0.6527};
  sensor.noise_scale_iso100 = {2.2e-5, 1.5e-5, 2.4e-5};
  sensor.noise_offset_iso100 = {6e-9, 6e-9, 6e-9};
  return sensor;
}

SensorColor sensor_color(const Sensor& sensor) {
  const color::Matrix3 camera_from_xyz{sensor.color_matrix_d65};
  const color::Matrix3 unscaled = camera_from_xyz * color::xyz_from_working;
  const color::Vector3 white = unscaled * color::Vector3{1, 1, 1};
  const color::Matrix3 scaled = (1 / white[1]) * unscaled;
  return {scaled.m, {white[0] / white[1], 1, white[2] / white[1]}};
}

SceneRaw photograph_raw(const RawRequest& wanted) {
  RawRequest request = wanted;
  if (request.linear) {
    request.sensor.black = 0;
    request.sensor.white = 65535;
  }
  const Rect& border = request.border;
  if (border.x < 0 || border.y < 0 || border.width < 0 || border.height < 0) {
    throw Error(ErrorKind::usage, "a raw's border must not be negative");
  }
  SceneRaw out;
  const Layout layout = layout_of(request);
  const SensorColor color = sensor_color(request.sensor);
  out.samples.resize(static_cast<std::size_t>(layout.width) * static_cast<std::size_t>(layout.height) *
                     (request.linear ? 3u : 1u));
  out.truth = Rgb32f(request.camera.width, request.camera.height);
  const Exposing exposing{request, layout, color, out};
  parallel_for(layout.height, 8, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) exposing.row(y);
  });
  out.dng = described(request, layout, color);
  out.dng.samples = out.samples;
  return out;
}

std::array<std::uint8_t, 4> cfa_from_name(const std::string& name) {
  std::array<std::uint8_t, 4> cfa{};
  bool good = name.size() == 4;
  for (std::size_t i = 0; good && i < 4; ++i) {
    const std::size_t color =
        std::string("RGB").find(static_cast<char>(std::toupper(static_cast<unsigned char>(name[i]))));
    good = color != std::string::npos;
    cfa[i] = static_cast<std::uint8_t>(color);
  }
  const bool bayer = good && std::count(cfa.begin(), cfa.end(), 1) == 2 && std::count(cfa.begin(), cfa.end(), 0) == 1 &&
                     (cfa[0] == 1) == (cfa[3] == 1);
  if (!bayer) throw Error(ErrorKind::usage, "unknown filter phase '" + name + "': use RGGB, GRBG, GBRG or BGGR");
  return cfa;
}

}  // namespace imago::scene
