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

// Curves on encoded values: a parametric one (four regions), then point curves, monotone cubic between the points. An
// empty list is the identity.
struct Curve {
  std::vector<CurvePoint> rgb;
  std::vector<CurvePoint> red;
  std::vector<CurvePoint> green;
  std::vector<CurvePoint> blue;
  float shadows = 0;
  float darks = 0;
  float lights = 0;
  float highlights = 0;
  float shadow_split = 25;
  float midtone_split = 50;
  float highlight_split = 75;
  float refine_saturation = 100;
};

inline constexpr Field curve_fields[] = {
    {.name = "rgb", .label = "Curve", .unit = "", .help = "Points of the curve on all channels.",
     .kind = FieldKind::list, .offset = offsetof(Curve, rgb), .list = &curve_point_list},
    {.name = "red", .label = "Red curve", .unit = "", .help = "Points of the red curve.", .kind = FieldKind::list,
     .offset = offsetof(Curve, red), .list = &curve_point_list},
    {.name = "green", .label = "Green curve", .unit = "", .help = "Points of the green curve.",
     .kind = FieldKind::list, .offset = offsetof(Curve, green), .list = &curve_point_list},
    {.name = "blue", .label = "Blue curve", .unit = "", .help = "Points of the blue curve.", .kind = FieldKind::list,
     .offset = offsetof(Curve, blue), .list = &curve_point_list},
    {.name = "shadows", .label = "Shadows", .unit = "", .help = "Darkens (-) or brightens (+) the darkest quarter.",
     .kind = FieldKind::f32, .offset = offsetof(Curve, shadows), .min = -100, .max = 100},
    {.name = "darks", .label = "Darks", .unit = "", .help = "Darkens (-) or brightens (+) dark middle tones.",
     .kind = FieldKind::f32, .offset = offsetof(Curve, darks), .min = -100, .max = 100},
    {.name = "lights", .label = "Lights", .unit = "", .help = "Darkens (-) or brightens (+) bright middle tones.",
     .kind = FieldKind::f32, .offset = offsetof(Curve, lights), .min = -100, .max = 100},
    {.name = "highlights", .label = "Highlights", .unit = "", .help = "Darkens (-) or brightens (+) the brightest quarter.",
     .kind = FieldKind::f32, .offset = offsetof(Curve, highlights), .min = -100, .max = 100},
    {.name = "shadow_split", .label = "Shadow split", .unit = "%", .help = "Where shadows end and darks begin.",
     .kind = FieldKind::f32, .offset = offsetof(Curve, shadow_split), .min = 10, .max = 70},
    {.name = "midtone_split", .label = "Midtone split", .unit = "%", .help = "Where darks end and lights begin.",
     .kind = FieldKind::f32, .offset = offsetof(Curve, midtone_split), .min = 20, .max = 80},
    {.name = "highlight_split", .label = "Highlight split", .unit = "%", .help = "Where lights end and highlights begin.",
     .kind = FieldKind::f32, .offset = offsetof(Curve, highlight_split), .min = 30, .max = 90},
    {.name = "refine_saturation", .label = "Refine saturation", .unit = "", .help = "How much the parametric curve and the curve on all channels change saturation: 100 as channel by channel, 0 not at all.",
     .kind = FieldKind::f32, .offset = offsetof(Curve, refine_saturation), .min = 0, .max = 200}};
static_assert(covers<Curve>(curve_fields));

}  // namespace imago::develop
