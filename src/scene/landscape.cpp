#include "scene/landscape.h"

#include <array>
#include <cmath>

#include "scene/band_limited.h"
#include "scene/boards.h"

namespace imago::scene {
namespace {

float as_float(double value) { return static_cast<float>(value); }

// A range of hills, farthest first: its skyline is a noise along the circle of horizontal directions.
struct Range {
  double detail;         // bumps a radian
  float lowest, relief;  // tangent of the elevation
  float haze_share;
  Rgb color;
  std::uint32_t seed;
};

constexpr std::array<Range, 3> ranges = {{
    {5.0, 0.045f, 0.36f, 0.52f, from_rec709(0.16f, 0.20f, 0.27f), 11},
    {7.0, 0.020f, 0.20f, 0.30f, from_rec709(0.10f, 0.16f, 0.14f), 23},
    {11.0, 0.000f, 0.10f, 0.10f, from_rec709(0.055f, 0.11f, 0.04f), 37},
}};

Rgb clouds_over(Rgb blue, const Vector& d, float spread) {
  const double height = -d.y + 0.08;
  const double x = d.x / height * 1.3 + 3.7, z = d.z / height * 1.3 + 1.1;
  const float width = spread * as_float(1.3 / (height * height));
  const float shape =
      octaves(x * 0.8, z * 0.8, width * 0.8f, 7, 101) + octaves(x * 0.25, z * 0.25, width * 0.25f, 2, 57);
  const float thick = smooth(0.02f, 0.42f, shape);
  const float near_horizon = smooth(0.02f, 0.16f, as_float(-d.y));
  const Rgb lit = mix(from_rec709(1.25f, 1.18f, 1.08f), from_rec709(0.62f, 0.67f, 0.76f), smooth(0.25f, 0.75f, shape));
  return mix(blue, lit, thick * near_horizon * 0.92f);
}

Rgb open_sky(const Vector& d, float spread) {
  const float up = std::max(0.0f, as_float(-d.y));
  const float low = (1.0f - up) * (1.0f - up);
  Rgb color = mix(from_rec709(0.09f, 0.22f, 0.60f), from_rec709(0.62f, 0.72f, 0.86f), low * low);
  if (d.y < -0.01) color = clouds_over(color, d, spread);
  // The sun: squared distance on the sphere instead of an angle.
  const float away2 = as_float(2.0 - 2.0 * geometry::dot(d, sun_direction));
  const float glow = 0.0025f / (away2 + 0.004f) + 0.06f / (away2 + 0.25f);
  color = color + from_rec709(1.0f, 0.86f, 0.62f) * glow;
  constexpr float sun_radius = 0.0075f;
  const float disc = coverage(sun_radius - std::sqrt(std::max(away2, 0.0f)), spread);
  return color + from_rec709(430.0f, 390.0f, 320.0f) * disc;
}

Rgb hill_color(const Range& range, double cx, double cz, float slope, float skyline, float width) {
  const double k = range.detail * 6;
  const double elevation = static_cast<double>(slope) * k;
  const float rock =
      octaves(cx * k + elevation * 0.8, cz * k - elevation * 0.6, width * as_float(k), 6, range.seed + 5);
  Rgb color = range.color * (1.0f + 1.1f * rock);
  const float snow_line = range.relief > 0.3f ? 0.24f + 0.1f * rock : 10.0f;
  color = mix(color, from_rec709(0.80f, 0.82f, 0.86f), smooth(-0.015f, 0.03f, slope - snow_line) * 0.85f);
  const float low = smooth(0.0f, skyline + 0.02f, skyline - slope);
  return mix(color, haze, std::min(1.0f, range.haze_share + 0.45f * low * low));
}

}  // namespace

Rgb sky(const Vector& direction, double spread_rad) {
  const double flat = std::sqrt(direction.x * direction.x + direction.z * direction.z) + 1e-12;
  const float spread = as_float(spread_rad);
  const float slope = as_float(-direction.y / flat);
  constexpr float highest = 0.6f;
  if (slope > highest + 3 * spread) return open_sky(direction, spread);
  const double cx = direction.x / flat, cz = direction.z / flat;
  const float slope_width = spread * (1.0f + slope * slope);
  const float width = spread * as_float(1.0 / flat);
  // Nearest range first; what lies behind a solid one is never looked at.
  Rgb color;
  float open = 1;
  for (auto range = ranges.rbegin(); range != ranges.rend() && open > 0; ++range) {
    const double k = range->detail;
    const float wide = noise(cx * k * 0.3 + 9.1, cz * k * 0.3 + 2.7, range->seed + 2);
    constexpr float most_fine = 1.0f;  // octaves() stays below
    if (slope > range->lowest + range->relief * (0.75f * wide + 0.85f * most_fine + 0.06f) + 2 * slope_width) continue;
    const float fine = octaves(cx * k, cz * k, width * as_float(k), 7, range->seed);
    const float skyline = range->lowest + range->relief * std::max(0.0f, 0.75f * wide + 0.85f * fine + 0.06f);
    const float inside = coverage(skyline - slope, slope_width * 1.5f);
    if (inside > 0) color = color + hill_color(*range, cx, cz, slope, skyline, width) * (open * inside);
    open *= 1.0f - inside;
  }
  return open > 0 ? color + open_sky(direction, spread) * open : color;
}

float clear_air(double distance_m) { return poly_exp2(as_float(-distance_m / 220)); }

namespace {

constexpr double plaza_radius = 8.5;

constexpr double stone_length = 0.6, stone_depth = 0.4;

// What sets a stone apart from its neighbours, -0.5 … 0.5.
struct Stone {
  float tint, warmth;
};

Stone mix(Stone a, Stone b, float share_of_b) {
  return {a.tint + (b.tint - a.tint) * share_of_b, a.warmth + (b.warmth - a.warmth) * share_of_b};
}

double row_shift(std::int64_t row) { return static_cast<double>(unit_from_hash(hash(key(row), 7, 301))); }

Stone stone_in_row(std::int64_t row, double x, float width_x) {
  const double column = x / stone_length + row_shift(row);
  const auto own = [row](double index) {
    const std::uint32_t h = hash(key(static_cast<std::int64_t>(index)), key(row), 77);
    return Stone{unit_from_hash(h) - 0.5f, unit_from_hash(h * 3u + 1u) - 0.5f};
  };
  const double joint = std::round(column);
  const float after = coverage(as_float((column - joint) * stone_length), width_x);
  if (after <= 0) return own(joint - 1);
  if (after >= 1) return own(joint);
  return mix(own(joint - 1), own(joint), after);
}

Stone stone_at(double x, double z, float width_x, float width_z) {
  const double joint = std::round(z / stone_depth);
  const auto row = static_cast<std::int64_t>(joint);
  const float after = coverage(as_float(z - joint * stone_depth), width_z);
  if (after <= 0) return stone_in_row(row - 1, x, width_x);
  if (after >= 1) return stone_in_row(row, x, width_x);
  return mix(stone_in_row(row - 1, x, width_x), stone_in_row(row, x, width_x), after);
}

float joint_coverage(double x, double z, float width_x, float width_z) {
  constexpr float half_joint = 0.007f;
  const double row = z / stone_depth;
  const double edge = std::round(row);
  const auto upright = [&](double row_index) {
    const double column = x / stone_length + row_shift(static_cast<std::int64_t>(row_index));
    return line_coverage(as_float(std::abs(column - std::round(column)) * stone_length), half_joint, width_x);
  };
  const float after = coverage(as_float((row - edge) * stone_depth), width_z);
  const float before_share = after < 1 ? (1 - after) * upright(edge - 1) : 0;
  const float between = before_share + (after > 0 ? after * upright(edge) : 0);
  const float along = line_coverage(as_float(std::abs(row - edge) * stone_depth), half_joint, width_z);
  return along + between * (1 - along);
}

// Paving in a running bond: every stone has its own tint; specks and pebbles give corners to track.
Rgb paving(double x, double z, float width_x, float width_z) {
  const float width = std::max(width_x, width_z);
  const Stone stone = stone_at(x, z, width_x, width_z);
  const float own = visible(1.2f, width);
  const float speckle = octaves(x * 14, z * 14, width * 14, 4, 401) * visible(3.0f, width);
  const float grain = visible(45, width);
  const float pebbles = grain > 0 ? grain * smooth(0.66f, 0.74f, noise(x * 45, z * 45, 407)) : 0.0f;
  const float blotch = octaves(x * 1.7, z * 1.7, width * 1.7f, 3, 409);
  const float value =
      0.30f * (1.0f + 0.55f * own * stone.tint + 0.75f * speckle + 0.30f * blotch) * (1.0f - 0.45f * pebbles);
  const float warm = own * stone.warmth;
  const Rgb color = Rgb{value * (1.04f + 0.14f * warm), value, value * (0.93f - 0.14f * warm)};
  return mix(color, from_rec709(0.075f, 0.068f, 0.055f), joint_coverage(x, z, width_x, width_z));
}

Rgb meadow(double x, double z, float width) {
  const float patch = octaves(x * 0.22, z * 0.22, width * 0.22f, 4, 501);
  const float blades = octaves(x * 9, z * 9, width * 9, 4, 503);
  const Rgb green = mix(from_rec709(0.060f, 0.120f, 0.020f), from_rec709(0.20f, 0.20f, 0.055f), 0.45f + 0.8f * patch);
  Rgb color = green * std::max(0.1f, 1.0f + 1.25f * blades);
  const float flowers = visible(6.0f, width);
  if (flowers > 0) {
    const Cell i = cell_of(x * 3.1), j = cell_of(z * 3.1);
    const std::uint32_t h = hash(key(i.index), key(j.index), 509);
    if (h % 5 == 0) {
      const float dx = i.fraction - 0.3f - 0.4f * unit_from_hash(h * 5u + 1u);
      const float dz = j.fraction - 0.3f - 0.4f * unit_from_hash(h * 7u + 3u);
      const float inside = coverage(0.11f - std::sqrt(dx * dx + dz * dz), width * 3.1f);
      constexpr std::array<Rgb, 4> petals = {from_rec709(0.85f, 0.80f, 0.75f), from_rec709(0.85f, 0.62f, 0.03f),
                                             from_rec709(0.70f, 0.06f, 0.10f), from_rec709(0.35f, 0.14f, 0.62f)};
      color = mix(color, petals[(h >> 8) % 4], inside * flowers);
    }
  }
  return color;
}

// Axes painted on the stones: x red, z blue, a tick every metre, and the name of the axis that points down.
void paint_axes(Rgb& color, double x, double z, float width_x, float width_z) {
  if (std::abs(x) > 4.2 || std::abs(z) > 4.2) return;
  const float end_x = coverage(as_float(4 - std::abs(x)), width_x),
              end_z = coverage(as_float(4 - std::abs(z)), width_z);
  const float clear = coverage(as_float(std::max(std::abs(x), std::abs(z)) - 0.75), std::max(width_x, width_z));
  const float x_line = line_coverage(as_float(std::abs(z)), 0.02f, width_z) * end_x * clear;
  const float z_line = line_coverage(as_float(std::abs(x)), 0.02f, width_x) * end_z * clear;
  const float x_tick = line_coverage(as_float(std::abs(x - std::round(x))), 0.015f, width_x) *
                       coverage(as_float(0.1 - std::abs(z)), width_z) * clear;
  const float z_tick = line_coverage(as_float(std::abs(z - std::round(z))), 0.015f, width_z) *
                       coverage(as_float(0.1 - std::abs(x)), width_x) * clear;
  color = mix(color, from_rec709(0.62f, 0.05f, 0.04f), std::max(x_line, x_tick));
  color = mix(color, from_rec709(0.04f, 0.13f, 0.60f), std::max(z_line, z_tick));
  if (std::abs(x) < 0.8 && std::abs(z) < 0.5) {
    const float name = axis_label_coverage("DOWN +Y", x, 0.1 - z, 0.2, std::max(width_x, width_z));
    color = mix(color, gray(0.75f), name);
  }
}

}  // namespace

Rgb ground_albedo(double x, double z, float width_x, float width_z) {
  const double radius = std::sqrt(x * x + z * z);
  const float width = std::max(width_x, width_z);
  const float on_plaza = coverage(as_float(plaza_radius - radius), width);
  Rgb color;
  if (on_plaza > 0) {
    color = paving(x, z, width_x, width_z);
    const float kerb = line_coverage(as_float(std::abs(radius - plaza_radius + 0.15)), 0.1f, width);
    color = mix(color, gray(0.42f), kerb);
    paint_axes(color, x, z, width_x, width_z);
  }
  if (on_plaza < 1) color = mix(meadow(x, z, width), color, on_plaza);
  return color;
}

}  // namespace imago::scene
