#include "pano/projection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "image/resample.h"
#include "pano/equirect_coordinates.h"

namespace imago::pano {
namespace {

constexpr std::array<std::pair<Projection, const char*>, 6> names = {{{Projection::equirect, "equirect"},
                                                                      {Projection::squeezed, "squeezed"},
                                                                      {Projection::stereo_top_bottom, "top-bottom"},
                                                                      {Projection::stereo_left_right, "left-right"},
                                                                      {Projection::dual_fisheye, "dual-fisheye"},
                                                                      {Projection::unknown, "unknown"}}};

double mean_difference(const Plane8& luma, int x0, int x1) {
  double sum = 0;
  for (int y = 0; y < luma.height; ++y) sum += std::abs(luma.row(y)[x0] - luma.row(y)[x1]);
  return sum / luma.height;
}

double spread_of_row(const Plane8& luma, int y) {
  double sum = 0, squares = 0;
  for (int x = 0; x < luma.width; ++x) {
    const double v = luma.row(y)[x];
    sum += v;
    squares += v * v;
  }
  const double mean = sum / luma.width;
  return std::sqrt(std::max(0.0, squares / luma.width - mean * mean));
}

// The whole sphere: its ends meet like neighbours, and its first and last row are one point each.
bool is_whole_sphere(const Plane8& luma) {
  double neighbours = 0;
  for (int x = 1; x < luma.width; ++x) neighbours += mean_difference(luma, x - 1, x);
  neighbours /= luma.width - 1;
  const bool meets = mean_difference(luma, 0, luma.width - 1) < 2.5 * neighbours + 1;
  double middle = 0;
  for (int y = luma.height / 4; y < luma.height * 3 / 4; ++y) middle += spread_of_row(luma, y);
  middle /= luma.height / 2.0;
  const double poles = 0.5 * (spread_of_row(luma, 0) + spread_of_row(luma, luma.height - 1));
  return meets && poles < 0.4 * middle + 1;
}

// Two discs on black: the corners of both halves are dark and even, their middles are not.
bool is_dual_fisheye(const Plane8& luma) {
  const int half = luma.width / 2, n = luma.height;
  const double r = std::min(half, n) / 2.0;
  double inside = 0, outside = 0;
  long inside_count = 0, outside_count = 0;
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < luma.width; ++x) {
      const double dx = x % half + 0.5 - half / 2.0, dy = y + 0.5 - n / 2.0;
      const double distance = std::hypot(dx, dy);
      if (distance > 1.12 * r) {
        outside += luma.row(y)[x];
        ++outside_count;
      } else if (distance < 0.8 * r) {
        inside += luma.row(y)[x];
        ++inside_count;
      }
    }
  }
  if (outside_count == 0 || inside_count == 0) return false;
  outside /= static_cast<double>(outside_count);
  inside /= static_cast<double>(inside_count);
  return outside < 26 && inside > outside + 25;
}

double correlation_of_halves(const Plane8& luma, bool top_bottom) {
  const int width = top_bottom ? luma.width : luma.width / 2;
  const int height = top_bottom ? luma.height / 2 : luma.height;
  double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double a = luma.row(y)[x];
      const double b = top_bottom ? luma.row(y + height)[x] : luma.row(y)[x + width];
      sa += a;
      sb += b;
      saa += a * a;
      sbb += b * b;
      sab += a * b;
    }
  }
  const double n = static_cast<double>(width) * height;
  const double variances = (saa - sa * sa / n) * (sbb - sb * sb / n);
  return variances > 0 ? (sab - sa * sb / n) / std::sqrt(variances) : 1;
}

bool near(double value, double wanted) { return std::abs(value / wanted - 1) < 0.012; }

// --- dual fisheye ---------------------------------------------------------------------------------------------------

struct Sample {
  double r, g, b;
};

Sample bilinear(const Rgba8& picture, double x, double y, int x_begin, int x_end) {
  x = std::clamp(x - 0.5, static_cast<double>(x_begin), x_end - 1.0);
  y = std::clamp(y - 0.5, 0.0, picture.height - 1.0);
  const int ix = std::min(static_cast<int>(x), x_end - 2), iy = std::min(static_cast<int>(y), picture.height - 2);
  const double fx = x - ix, fy = y - iy;
  const std::uint8_t* a = picture.at(ix, iy);
  const std::uint8_t* b = picture.at(ix, iy + 1);
  const auto mix = [&](int c) {
    return (a[c] * (1 - fx) + a[c + 4] * fx) * (1 - fy) + (b[c] * (1 - fx) + b[c + 4] * fx) * fy;
  };
  return {mix(0), mix(1), mix(2)};
}

// Where a direction (x right, y down, z ahead) falls in the picture of one lens.
struct LensPoint {
  double x, y;
};
LensPoint lens_point(const Fisheye& lens, int half, bool back, double dx, double dy, double dz) {
  const double ahead = back ? -dz : dz, right = back ? -dx : dx;
  const double flat = std::sqrt(right * right + dy * dy);
  const double turns = static_cast<double>(turns_atan2(static_cast<float>(flat), static_cast<float>(ahead)));
  const double distance = lens.radius * turns * 720 / lens.fov_deg;
  const double share = flat > 0 ? distance / flat : 0;
  return {lens.centre_x + right * share + (back ? 0 : half), lens.centre_y + dy * share};
}

Sample lens_sample(const Rgba8& picture, const LensPoint& at, bool back) {
  const int half = picture.width / 2;
  return bilinear(picture, at.x, at.y, back ? 0 : half, back ? half : 2 * half);
}

// Mean difference of the two lenses over the ring that both see, when their field of view is fov_deg.
double disagreement(const Rgba8& picture, Fisheye lens, double fov_deg) {
  lens.fov_deg = fov_deg;
  double sum = 0;
  int count = 0;
  for (int i = 0; i < 720; ++i) {
    const double turn = i * std::numbers::pi / 360;
    for (const double off : {-0.02, 0.0, 0.02}) {  // radians before and behind the plane between the lenses
      const double c = std::cos(off);
      const double dx = c * std::cos(turn), dy = c * std::sin(turn), dz = std::sin(off);
      const Sample a = lens_sample(picture, lens_point(lens, picture.width / 2, false, dx, dy, dz), false);
      const Sample b = lens_sample(picture, lens_point(lens, picture.width / 2, true, dx, dy, dz), true);
      sum += std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b);
      ++count;
    }
  }
  return sum / count;
}

int brightness(const Rgba8& picture, int x, int y) {
  const std::uint8_t* p = picture.at(x, y);
  return std::max({p[0], p[1], p[2]});
}

// First and last place along a line of the left half that is not black.
std::pair<int, int> lit_span(const Rgba8& picture, bool along_x, int other) {
  const int count = along_x ? picture.width / 2 : picture.height;
  int first = count, last = -1;
  for (int i = 0; i < count; ++i) {
    if (brightness(picture, along_x ? i : other, along_x ? other : i) < 20) continue;
    first = std::min(first, i);
    last = i;
  }
  return {first, last};
}

Rgba8 from_dual_fisheye(const Rgba8& picture, const Fisheye& lens) {
  const int height = picture.height / 2 * 2, width = 2 * height;
  const int half = picture.width / 2;
  const double reach = lens.fov_deg * std::numbers::pi / 360;
  const double ring = std::clamp(reach - std::numbers::pi / 2, 0.005, 0.12);  // half the width of the blend
  std::vector<double> sines, cosines;
  for (int x = 0; x < width; ++x) {
    const double theta = 2 * std::numbers::pi * ((x + 0.5) / width - 0.5);
    sines.push_back(std::sin(theta));
    cosines.push_back(std::cos(theta));
  }
  Rgba8 out(width, height);
  parallel_for(height, 8, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) {
      const double phi = std::numbers::pi * (0.5 - (y + 0.5) / height);
      const double flat = std::cos(phi), dy = -std::sin(phi);
      for (int x = 0; x < width; ++x) {
        const double dx = flat * sines[static_cast<std::size_t>(x)], dz = flat * cosines[static_cast<std::size_t>(x)];
        const double share = std::clamp(0.5 + dz / (2 * ring), 0.0, 1.0);
        Sample sum{0, 0, 0};
        for (const bool back : {false, true}) {
          const double weight = back ? 1 - share : share;
          if (weight == 0) continue;
          const Sample s = lens_sample(picture, lens_point(lens, half, back, dx, dy, dz), back);
          sum = {sum.r + weight * s.r, sum.g + weight * s.g, sum.b + weight * s.b};
        }
        std::uint8_t* to = out.at(x, y);
        to[0] = static_cast<std::uint8_t>(sum.r + 0.5);
        to[1] = static_cast<std::uint8_t>(sum.g + 0.5);
        to[2] = static_cast<std::uint8_t>(sum.b + 0.5);
        to[3] = 255;
      }
    }
  });
  return out;
}

Rgba8 cut(const Rgba8& picture, int x0, int y0, int width, int height) {
  Rgba8 out(width, height);
  for (int y = 0; y < height; ++y) std::copy_n(picture.at(x0, y0 + y), out.row_samples(), out.row(y));
  return out;
}

// The whole sphere in any shape to 2:1: the width stays.
Rgba8 unsqueezed(Rgba8 picture) {
  if (picture.width % 2 != 0) picture = cut(picture, 0, 0, picture.width - 1, picture.height);
  if (picture.width == 2 * picture.height) return picture;
  return with_height(picture, picture.width / 2);
}

}  // namespace

std::string name_of(Projection projection) {
  for (const auto& [value, name] : names) {
    if (value == projection) return name;
  }
  return "unknown";
}

std::optional<Projection> projection_from_name(const std::string& name) {
  for (const auto& [value, known] : names) {
    if (name == known && value != Projection::unknown) return value;
  }
  return std::nullopt;
}

Recognised recognise(const Plane8& luma, int width, int height, const ProjectionHints& hints) {
  if (hints.projection == "cubemap" || hints.projection == "tiled equirectangular") {
    return {Projection::unknown, fmt::format("its projection is {}: export it as equirectangular", hints.projection)};
  }
  if (hints.stereo == io::StereoLayout::top_bottom) return {Projection::stereo_top_bottom, "the file says stereo"};
  if (hints.stereo == io::StereoLayout::left_right) return {Projection::stereo_left_right, "the file says stereo"};
  const double ratio = width * hints.pixel_aspect / height;
  if (near(ratio, 2)) {
    if (hints.projection.empty() && is_dual_fisheye(luma)) {
      return {Projection::dual_fisheye, "two round pictures on black"};
    }
    if (width == 2 * height) return {Projection::equirect, "2:1"};
    return {Projection::squeezed,
            fmt::format("{}x{} with pixels {:.4g} wide is 2:1", width, height, hints.pixel_aspect)};
  }
  if (near(ratio, 1) && correlation_of_halves(luma, true) > 0.5) {
    return {Projection::stereo_top_bottom, "1:1, both halves alike"};
  }
  if (near(ratio, 4) && correlation_of_halves(luma, false) > 0.5) {
    return {Projection::stereo_left_right, "4:1, both halves alike"};
  }
  if (ratio > 1.2 && ratio < 2.5 && (!hints.projection.empty() || is_whole_sphere(luma))) {
    return {Projection::squeezed, fmt::format("{}x{} whose ends meet: a sphere squeezed", width, height)};
  }
  return {Projection::unknown,
          fmt::format("{}x{} is no full panorama: stitch it to a 2:1 equirectangular one first (Insta360 Studio, GoPro "
                      "Player, DJI Studio), or say what it is by --projection",
                      width, height)};
}

Fisheye estimated(const Rgba8& picture, Fisheye lens) {
  if (lens.radius == 0) {
    const auto [left, right] = lit_span(picture, true, picture.height / 2);
    const auto [top, bottom] = lit_span(picture, false, picture.width / 4);
    if (right - left < picture.height / 4 || bottom - top < picture.height / 4) {
      throw Error(ErrorKind::input, "no round picture found in the left half: give --fisheye-circle");
    }
    lens.centre_x = (left + right + 1) / 2.0;
    lens.centre_y = (top + bottom + 1) / 2.0;
    lens.radius = std::max(right - left + 1, bottom - top + 1) / 2.0;
  }
  if (lens.fov_deg != 0) return lens;
  double best = 0, least = 1e300;
  for (double fov = 180; fov <= 240; fov += 0.5) {
    const double now = disagreement(picture, lens, fov);
    if (now >= least) continue;
    least = now;
    best = fov;
  }
  lens.fov_deg = best;
  return lens;
}

Rgba8 with_height(const Rgba8& picture, int height) {
  const ResampleTaps taps = resample_taps(picture.height, height, ResampleFilter::mitchell);
  Rgba8 out(picture.width, height);
  parallel_for(height, 8, [&](RowRange rows) {
    std::vector<float> sums(picture.row_samples());
    for (int y = rows.begin; y < rows.end; ++y) {
      std::fill(sums.begin(), sums.end(), 0.5f);
      const auto index = static_cast<std::size_t>(y);
      for (int k = 0; k < taps.tap_count; ++k) {
        const float weight =
            taps.weights[index * static_cast<std::size_t>(taps.tap_count) + static_cast<std::size_t>(k)];
        const std::uint8_t* row = picture.row(taps.start[index] + k);
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += weight * static_cast<float>(row[i]);
      }
      std::uint8_t* to = out.row(y);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        to[i] = static_cast<std::uint8_t>(sums[i] < 0 ? 0.0f : sums[i] > 255 ? 255.0f : sums[i]);
      }
    }
  });
  return out;
}

Rgba8 to_equirect(Rgba8 picture, Projection projection, const ConvertOptions& options) {
  const int second = options.eye == Eye::right ? 1 : 0;
  switch (projection) {
    case Projection::squeezed: return unsqueezed(std::move(picture));
    case Projection::stereo_top_bottom:
      return unsqueezed(cut(picture, 0, second * (picture.height / 2), picture.width, picture.height / 2));
    case Projection::stereo_left_right:
      return unsqueezed(cut(picture, second * (picture.width / 2), 0, picture.width / 2, picture.height));
    case Projection::dual_fisheye: return from_dual_fisheye(picture, options.fisheye);
    case Projection::equirect:
    case Projection::unknown: break;
  }
  return picture;
}

}  // namespace imago::pano
