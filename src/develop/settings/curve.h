#pragma once

#include "base/field.h"

namespace imago::develop {

// A point of a tone curve, both axes in encoded values 0 … 1.
struct CurvePoint {
  float x = 0;
  float y = 0;
  bool operator==(const CurvePoint&) const = default;
};

inline constexpr Field curve_point_fields[] = {
    {.name = "x", .label = "Input", .unit = "", .help = "Encoded value in.", .kind = FieldKind::f32,
     .offset = offsetof(CurvePoint, x), .min = 0, .max = 1},
    {.name = "y", .label = "Output", .unit = "", .help = "Encoded value out.", .kind = FieldKind::f32,
     .offset = offsetof(CurvePoint, y), .min = 0, .max = 1}};
static_assert(covers<CurvePoint>(curve_point_fields));
inline constexpr FieldList curve_point_list = field_list<CurvePoint>(curve_point_fields, 16);

// Point curves on encoded values, monotone cubic between the points. An empty list is the identity.
struct Curve {
  std::vector<CurvePoint> rgb;
  std::vector<CurvePoint> red;
  std::vector<CurvePoint> green;
  std::vector<CurvePoint> blue;
};

inline constexpr Field curve_fields[] = {
    {.name = "rgb", .label = "Curve", .unit = "", .help = "Points of the curve on all channels.",
     .kind = FieldKind::list, .offset = offsetof(Curve, rgb), .list = &curve_point_list},
    {.name = "red", .label = "Red curve", .unit = "", .help = "Points of the red curve.", .kind = FieldKind::list,
     .offset = offsetof(Curve, red), .list = &curve_point_list},
    {.name = "green", .label = "Green curve", .unit = "", .help = "Points of the green curve.",
     .kind = FieldKind::list, .offset = offsetof(Curve, green), .list = &curve_point_list},
    {.name = "blue", .label = "Blue curve", .unit = "", .help = "Points of the blue curve.", .kind = FieldKind::list,
     .offset = offsetof(Curve, blue), .list = &curve_point_list}};
static_assert(covers<Curve>(curve_fields));

}  // namespace imago::develop
