#include "pano/masks/mask_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/parallel.h"

namespace imago::pano {
namespace {

constexpr int chunk_rows = 64;

// The largest of each window of 2 * radius + 1 values of a row of 0 and 255: how far away the next 255 is.
void dilate_row(const std::uint8_t* in, std::uint8_t* out, int count, int radius) {
  int last = -radius - 1;  // column of the latest 255
  for (int x = 0; x < count; ++x) {
    if (in[x] != 0) last = x;
    out[x] = x - last <= radius ? 255 : 0;
  }
  int next = count + radius;
  for (int x = count - 1; x >= 0; --x) {
    if (in[x] != 0) next = x;
    if (next - x <= radius) out[x] = 255;
  }
}

// Calls mark(direction in the panorama's axes, unit length) for every pixel that is not masked yet.
template <typename IsMasked>
void mark_directions(Plane8& mask, const FaceView& view, const IsMasked& is_masked) {
  const geometry::Mat3<double> pano_from_cam = geometry::transposed(view.cam_from_pano);
  parallel_for(mask.height, chunk_rows, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) {
      std::uint8_t* row = mask.row(y);
      for (int x = 0; x < mask.width; ++x) {
        const geometry::Vec3<double> in_cam{x + 0.5 - view.size / 2.0, y + 0.5 - view.size / 2.0, view.focal_px};
        if (row[x] == 0 && is_masked(geometry::normalized(pano_from_cam * in_cam))) row[x] = 255;
      }
    }
  });
}

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

template <typename Picture>
Picture quarter_turn(const Picture& in) {
  Picture out(in.height, in.width);
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      std::copy_n(in.at(y, in.height - 1 - x), Picture::channels, out.at(x, y));
    }
  }
  return out;
}

template <typename Picture>
Picture copy_of(const Picture& in) {
  Picture out(in.width, in.height);
  std::copy(in.pixels.begin(), in.pixels.end(), out.pixels.begin());
  return out;
}

template <typename Picture>
Picture turn(const Picture& in, int turns) {
  Picture out = copy_of(in);
  for (int i = 0; i < turns; ++i) out = quarter_turn(out);
  return out;
}

}  // namespace

void dilate(Plane8& mask, int radius_px) {
  if (radius_px <= 0) return;
  Plane8 across(mask.width, mask.height);
  parallel_for(mask.height, chunk_rows, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) dilate_row(mask.row(y), across.row(y), mask.width, radius_px);
  });
  // Down the columns, a stripe of them at a time: how many rows ago each column was masked.
  parallel_for(mask.width, 256, [&](RowRange columns) {
    const int count = columns.count();
    std::vector<int> since(static_cast<std::size_t>(count), radius_px + 1);
    const auto pass = [&](int y, bool first) {
      const std::uint8_t* in = across.row(y) + columns.begin;
      std::uint8_t* out = mask.row(y) + columns.begin;
      for (int x = 0; x < count; ++x) {
        int& rows_ago = since[static_cast<std::size_t>(x)];
        rows_ago = in[x] != 0 ? 0 : rows_ago + 1;
        const std::uint8_t value = rows_ago <= radius_px ? 255 : 0;
        out[x] = first ? value : std::max(out[x], value);
      }
    };
    for (int y = 0; y < mask.height; ++y) pass(y, true);
    std::fill(since.begin(), since.end(), radius_px + 1);
    for (int y = mask.height - 1; y >= 0; --y) pass(y, false);
  });
}

void add_to(Plane8& mask, const Plane8& other) {
  for (std::size_t i = 0; i < mask.pixels.size(); ++i) mask.pixels[i] |= other.pixels[i];
}

void add_nadir_cone(Plane8& mask, const FaceView& view, double half_angle_deg) {
  if (half_angle_deg <= 0) return;
  const double least = std::cos(radians(half_angle_deg));
  mark_directions(mask, view, [&](const geometry::Vec3<double>& d) { return d.y >= least; });  // y points down
}

void add_stitch_seam(Plane8& mask, const FaceView& view, double half_width_deg) {
  if (half_width_deg <= 0) return;
  const double most = std::sin(radians(half_width_deg));
  mark_directions(mask, view, [&](const geometry::Vec3<double>& d) { return std::fabs(d.z) <= most; });
}

void add_overexposed(Plane8& mask, const Rgba8& picture, int level) {
  for (std::size_t i = 0; i < mask.pixels.size(); ++i) {
    const std::uint8_t* p = picture.pixels.data() + 4 * i;
    if (std::min({p[0], p[1], p[2]}) >= level) mask.pixels[i] = 255;
  }
}

Rgba8 turned(const Rgba8& picture, int turns) { return turn(picture, turns); }
Plane8 turned(const Plane8& mask, int turns) { return turn(mask, turns); }

double coverage_of(const Plane8& mask) {
  if (mask.empty()) return 0;
  const auto masked = std::count(mask.pixels.begin(), mask.pixels.end(), std::uint8_t{255});
  return static_cast<double>(masked) / static_cast<double>(mask.pixels.size());
}

void to_file_convention(Plane8& mask) {
  for (std::uint8_t& value : mask.pixels) value = value != 0 ? 0 : 255;
}

Rgb8 overlay(const Rgba8& picture, const Plane8& mask) {
  Rgb8 out(picture.width, picture.height);
  for (std::size_t i = 0; i < mask.pixels.size(); ++i) {
    const std::uint8_t* from = picture.pixels.data() + 4 * i;
    std::uint8_t* to = out.pixels.data() + 3 * i;
    const bool masked = mask.pixels[i] != 0;
    to[0] = static_cast<std::uint8_t>(masked ? (from[0] + 255) / 2 : from[0]);
    to[1] = static_cast<std::uint8_t>(masked ? from[1] / 2 : from[1]);
    to[2] = static_cast<std::uint8_t>(masked ? from[2] / 2 : from[2]);
  }
  return out;
}

}  // namespace imago::pano
