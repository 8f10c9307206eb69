#include "develop/stages/spots/spots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/hash.h"
#include "base/parallel.h"
#include "develop/tools/pixel.h"

namespace imago::develop {
namespace {

constexpr std::size_t rim_points = 48;
constexpr int directions = 16;
constexpr double distances[] = {2.2, 3.2, 4.5};  // in radii

struct RimPoint {
  float x, y;
  std::array<float, 3> difference;  // target less source
};
using Rim = std::array<RimPoint, rim_points>;

// The mean of 3 x 3 pixels: single noisy ones must not streak across the disc.
std::array<float, 3> mean_around(const Rgb32f& scene, int x, int y) {
  std::array<float, 3> sum{};
  for (int j = -1; j <= 1; ++j) {
    const float* row = scene.row(std::clamp(y + j, 0, scene.height - 1));
    for (int i = -1; i <= 1; ++i) {
      const float* rgb = row + 3 * std::clamp(x + i, 0, scene.width - 1);
      for (std::size_t c = 0; c < 3; ++c) sum[c] += finite(rgb[c]);
    }
  }
  for (float& value : sum) value *= 1.0f / 9.0f;
  return sum;
}

Rim rim_of(const Rgb32f& scene, const SpotShape& spot, int offset_x, int offset_y) {
  Rim rim{};
  for (std::size_t i = 0; i < rim_points; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / rim_points;
    rim[i].x = spot.x + spot.radius * static_cast<float>(std::cos(angle));
    rim[i].y = spot.y + spot.radius * static_cast<float>(std::sin(angle));
    const int x = static_cast<int>(std::floor(rim[i].x)), y = static_cast<int>(std::floor(rim[i].y));
    const std::array<float, 3> target = mean_around(scene, x, y);
    const std::array<float, 3> source = mean_around(scene, x + offset_x, y + offset_y);
    for (std::size_t c = 0; c < 3; ++c) rim[i].difference[c] = target[c] - source[c];
  }
  return rim;
}

// How badly a source's surroundings fit: a constant difference can be healed, structure cannot.
double misfit(const Rim& rim, SpotKind kind) {
  double total = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    double sum = 0, square = 0;
    for (const RimPoint& point : rim) {
      const double d = static_cast<double>(point.difference[c]);
      sum += d;
      square += d * d;
    }
    total += kind == SpotKind::heal ? square - 0.9 * sum * sum / rim_points : square;
  }
  return total;
}

struct Offset {
  int x = 0, y = 0;
};

Offset best_source(const Rgb32f& scene, const SpotShape& spot) {
  Offset best;
  double least = std::numeric_limits<double>::infinity();
  for (const double distance : distances) {
    for (int i = 0; i < directions; ++i) {
      const double angle = 2 * std::numbers::pi * i / directions;
      const double reach = std::max(distance * static_cast<double>(spot.radius), 2.0);
      const Offset offset{static_cast<int>(std::lround(reach * std::cos(angle))),
                          static_cast<int>(std::lround(reach * std::sin(angle)))};
      const float x = spot.x + static_cast<float>(offset.x), y = spot.y + static_cast<float>(offset.y);
      const float reaches = spot.radius + 1;
      const bool is_inside = x - reaches >= 0 && y - reaches >= 0 && x + reaches <= static_cast<float>(scene.width) &&
                             y + reaches <= static_cast<float>(scene.height);
      if (!is_inside) continue;
      const double cost = misfit(rim_of(scene, spot, offset.x, offset.y), spot.kind);
      if (cost < least) {
        least = cost;
        best = offset;
      }
    }
  }
  return best;
}

// The membrane at a pixel's centre.
std::array<float, 3> membrane(const Rim& rim, float x, float y) {
  float weights = 0;
  std::array<float, 3> sum{};
  for (const RimPoint& point : rim) {
    const float dx = x - point.x, dy = y - point.y;
    const float w = 1.0f / (dx * dx + dy * dy + 0.25f);
    weights += w;
    for (std::size_t c = 0; c < 3; ++c) sum[c] += w * point.difference[c];
  }
  for (float& value : sum) value /= weights;
  return sum;
}

Rect box_of(const SpotShape& spot, const Rgb32f& scene) {
  const auto low = [&](float at, int size) {
    return static_cast<int>(std::clamp(std::floor(at - spot.radius), 0.0f, static_cast<float>(size)));
  };
  const auto high = [&](float at, int size) {
    return static_cast<int>(std::clamp(std::ceil(at + spot.radius), 0.0f, static_cast<float>(size)));
  };
  const int x = low(spot.x, scene.width), y = low(spot.y, scene.height);
  return {x, y, high(spot.x, scene.width) - x, high(spot.y, scene.height) - y};
}

void fill_spot(const SpotShape& spot, Rgb32f& scene) {
  const Rect box = box_of(spot, scene);
  if (box.width <= 0 || box.height <= 0) return;
  const Offset offset = spot.is_automatic ? best_source(scene, spot) : Offset{spot.offset_x, spot.offset_y};
  if (offset.x == 0 && offset.y == 0) return;
  const Rim rim = rim_of(scene, spot, offset.x, offset.y);
  // A copy: source and target may overlap.
  Rgb32f source(box.width, box.height);
  for (int y = 0; y < box.height; ++y) {
    const float* row = scene.row(std::clamp(box.y + y + offset.y, 0, scene.height - 1));
    for (int x = 0; x < box.width; ++x) {
      std::copy_n(row + 3 * std::clamp(box.x + x + offset.x, 0, scene.width - 1), 3, source.at(x, y));
    }
  }
  parallel_for(box.height, 16, [&](RowRange rows) {
    for (int j = rows.begin; j < rows.end; ++j) {
      for (int i = 0; i < box.width; ++i) {
        const float x = static_cast<float>(box.x + i) + 0.5f, y = static_cast<float>(box.y + j) + 0.5f;
        const float dx = x - spot.x, dy = y - spot.y;
        const float q = std::sqrt(dx * dx + dy * dy) / spot.radius;
        const float m = spot.opacity * smooth_step((1.0f - q) * spot.inverse_feather);
        if (!(m > 0.0f)) continue;
        const std::array<float, 3> shift = spot.kind == SpotKind::heal ? membrane(rim, x, y) : std::array<float, 3>{};
        float* out = scene.at(box.x + i, box.y + j);
        for (std::size_t c = 0; c < 3; ++c) {
          const float in = finite(out[c]);
          out[c] = in + m * ((finite(source.at(i, j)[c]) + shift[c]) - in);
        }
      }
    }
  });
}

}  // namespace

SpotsPlan plan_spots(const Spots& spots, const geometry::Affine& output_from_sensor, int sensor_width, double level) {
  SpotsPlan plan;
  for (const Spot& spot : spots.list) {
    if (spot.opacity == 0) continue;
    using Position = geometry::Position<double>;
    const auto target = apply(output_from_sensor, Position{static_cast<double>(spot.x), static_cast<double>(spot.y)});
    const auto source =
        apply(output_from_sensor, Position{static_cast<double>(spot.source_x), static_cast<double>(spot.source_y)});
    SpotShape shape;
    shape.kind = static_cast<SpotKind>(spot.kind);
    shape.x = static_cast<float>(target.x);
    shape.y = static_cast<float>(target.y);
    shape.radius = static_cast<float>(static_cast<double>(spot.radius) * sensor_width * level);
    shape.is_automatic = spot.automatic != 0;
    shape.offset_x = static_cast<int>(std::lround(source.x - target.x));
    shape.offset_y = static_cast<int>(std::lround(source.y - target.y));
    shape.inverse_feather = 1.0f / std::max(spot.feather * 0.01f, 1e-3f);
    shape.opacity = spot.opacity * 0.01f;
    plan.spots.push_back(shape);
  }
  return plan;
}

void fill_spots(const SpotsPlan& plan, Rgb32f& scene) {
  for (const SpotShape& spot : plan.spots) fill_spot(spot, scene);
}

StageKey key(const SpotsPlan& plan, StageKey upstream) {
  if (plan.is_identity()) return upstream;
  Hash64 hash;
  hash.add("spots").add(upstream);
  for (const SpotShape& spot : plan.spots) {
    hash.add(static_cast<std::int32_t>(spot.kind)).add(spot.x).add(spot.y).add(spot.radius).add(spot.is_automatic);
    hash.add(spot.offset_x).add(spot.offset_y).add(spot.inverse_feather).add(spot.opacity);
  }
  return hash.value();
}

}  // namespace imago::develop
