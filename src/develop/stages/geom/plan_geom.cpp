#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "base/hash.h"
#include "develop/stages/geom/geom.h"

namespace imago::develop {

using geometry::Affine;
using geometry::Position;

namespace {

struct Size {
  double width, height;
};

bool swaps_axes(int orientation) { return orientation >= 5 && orientation <= 8; }

// Where a position of the upright frame lies on a sensor of that size. EXIF 2.32, tag 0x0112.
Affine sensor_from_upright(int orientation, Size sensor) {
  const double w = sensor.width, h = sensor.height;
  switch (orientation) {
    case 2: return {-1, 0, w, 0, 1, 0};
    case 3: return {-1, 0, w, 0, -1, h};
    case 4: return {1, 0, 0, 0, -1, h};
    case 5: return {0, 1, 0, 1, 0, 0};
    case 6: return {0, 1, 0, -1, 0, h};
    case 7: return {0, -1, w, -1, 0, h};
    case 8: return {0, -1, w, 1, 0, 0};
    default: return {};
  }
}

// The picture turns clockwise by angle about the centre of its frame; this is the way back.
Affine upright_from_straight(double angle_deg, Size frame) {
  const double angle = angle_deg * std::numbers::pi / 180;
  const double c = std::cos(angle), s = std::sin(angle);
  const double cx = frame.width / 2, cy = frame.height / 2;
  return {c, s, cx - c * cx - s * cy, -s, c, cy + s * cx - c * cy};
}

// First pixel and count of a crop in fractions of `size` pixels.
struct Span {
  int begin, count;
};

Span crop_span(float low, float high, double size) {
  const auto edge = [size](float fraction, double missing) {
    return std::isfinite(fraction) ? std::round(std::clamp(static_cast<double>(fraction), 0.0, 1.0) * size) : missing;
  };
  const double begin = std::min(edge(low, 0), size - 1);
  const double end = std::max(edge(high, size), begin + 1);
  return {static_cast<int>(begin), static_cast<int>(end - begin)};
}

// Quarter turns clockwise, then flips, of a picture of that size.
Affine unturned_from_output(const Geometry& geometry, Size unturned) {
  static constexpr int orientation_of_turns[] = {1, 6, 3, 8};
  const int turns = ((geometry.quarter_turns % 4) + 4) % 4;
  const bool swaps = turns % 2 != 0;
  const double width = swaps ? unturned.height : unturned.width;
  const double height = swaps ? unturned.width : unturned.height;
  Affine turned_from_output;
  if (geometry.flip_horizontal != 0) turned_from_output = {-1, 0, width, 0, 1, 0};
  if (geometry.flip_vertical != 0) turned_from_output = compose(turned_from_output, Affine{1, 0, 0, 0, -1, height});
  return compose(sensor_from_upright(orientation_of_turns[turns], unturned), turned_from_output);
}

std::int64_t fixed(double value) { return std::llround(value * 4294967296.0); }

FixedAffine fixed_of(const Affine& map) {
  const Position<double> origin = apply(map, Position<double>{0.5, 0.5});
  return {fixed(origin.x), fixed(map.xx), fixed(map.xy), fixed(origin.y), fixed(map.yx), fixed(map.yy)};
}

}  // namespace

GeomPlan plan_geom(const Geometry& geometry, int orientation, int source_width, int source_height, GeomFilter filter) {
  assert(source_width > 0 && source_height > 0 && source_width < 65536 && source_height < 65536);
  const Size sensor{static_cast<double>(source_width), static_cast<double>(source_height)};
  const Size upright = swaps_axes(orientation) ? Size{sensor.height, sensor.width} : sensor;
  const Span columns = crop_span(geometry.crop_left, geometry.crop_right, upright.width);
  const Span rows = crop_span(geometry.crop_top, geometry.crop_bottom, upright.height);
  const bool is_turned = std::isfinite(geometry.straighten_deg) && geometry.straighten_deg != 0.0f;

  Affine map = sensor_from_upright(orientation, sensor);
  if (is_turned) map = compose(map, upright_from_straight(static_cast<double>(geometry.straighten_deg), upright));
  map = compose(map, Affine{1, 0, static_cast<double>(columns.begin), 0, 1, static_cast<double>(rows.begin)});
  map = compose(map,
                unturned_from_output(geometry, {static_cast<double>(columns.count), static_cast<double>(rows.count)}));

  GeomPlan plan;
  plan.source_width = source_width;
  plan.source_height = source_height;
  const bool swaps = geometry.quarter_turns % 2 != 0;
  plan.output_width = swaps ? rows.count : columns.count;
  plan.output_height = swaps ? columns.count : rows.count;
  plan.filter = filter;
  plan.source_from_output = map;
  plan.fixed_source_from_output = fixed_of(map);
  plan.is_copy = !is_turned;
  plan.is_identity =
      plan.is_copy && map == Affine{} && plan.output_width == source_width && plan.output_height == source_height;
  return plan;
}

Affine sensor_from_output(const GeomPlan& plan) {
  return compose(Affine{1.0 / plan.source_width, 0, 0, 0, 1.0 / plan.source_height, 0}, plan.source_from_output);
}

Affine output_from_sensor(const GeomPlan& plan) {
  return compose(inverse(plan.source_from_output),
                 Affine{static_cast<double>(plan.source_width), 0, 0, 0, static_cast<double>(plan.source_height), 0});
}

bool covers(const GeomPlan& plan, int x, int y) {
  const FixedAffine& map = plan.fixed_source_from_output;
  const std::int64_t column = (map.x_origin + x * map.x_from_x + y * map.x_from_y) >> 32;
  const std::int64_t row = (map.y_origin + x * map.y_from_x + y * map.y_from_y) >> 32;
  return column >= 0 && column < plan.source_width && row >= 0 && row < plan.source_height;
}

StageKey key(const GeomPlan& plan, StageKey upstream) {
  if (plan.is_identity) return upstream;
  const FixedAffine& map = plan.fixed_source_from_output;
  Hash64 hash;
  hash.add("geom").add(upstream).add(plan.source_width).add(plan.source_height);
  hash.add(plan.output_width).add(plan.output_height).add(static_cast<std::int32_t>(plan.filter));
  for (const std::int64_t value :
       {map.x_origin, map.x_from_x, map.x_from_y, map.y_origin, map.y_from_x, map.y_from_y}) {
    hash.add(value);
  }
  return hash.value();
}

}  // namespace imago::develop
