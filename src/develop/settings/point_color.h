#pragma once

#include "base/field.h"

namespace imago::develop {

// A colour picked in the picture, and what happens to colours like it.
struct PointColorSample {
  float lightness = 0.6f;
  float chroma = 0.12f;
  float hue_deg = 40;
  float hue_shift = 0;
  float saturation_shift = 0;
  float luminance_shift = 0;
  float hue_range = 50;
  float saturation_range = 50;
  float luminance_range = 50;
  float variance = 0;
};

inline constexpr Field point_color_sample_fields[] = {
    {.name = "lightness", .label = "Lightness", .unit = "", .help = "Lightness of the colour picked, in OkLab.",
     .kind = FieldKind::f32, .offset = offsetof(PointColorSample, lightness), .min = 0, .max = 1},
    {.name = "chroma", .label = "Chroma", .unit = "", .help = "Its chroma.",
     .kind = FieldKind::f32, .offset = offsetof(PointColorSample, chroma), .min = 0, .max = 0.5},
    {.name = "hue_deg", .label = "Hue", .unit = "deg", .help = "Its hue.",
     .kind = FieldKind::f32, .offset = offsetof(PointColorSample, hue_deg), .min = 0, .max = 360},
    {.name = "hue_shift", .label = "Hue shift", .unit = "", .help = "Turns colours in range by up to 30 degrees.",
     .kind = FieldKind::f32, .offset = offsetof(PointColorSample, hue_shift), .min = -100, .max = 100},
    {.name = "saturation_shift", .label = "Saturation shift", .unit = "", .help = "Strengthens (+) or weakens (-) colours in range.",
     .kind = FieldKind::f32, .offset = offsetof(PointColorSample, saturation_shift), .min = -100, .max = 100},
    {.name = "luminance_shift", .label = "Luminance shift", .unit = "", .help = "Brightens (+) or darkens (-) colours in range.",
     .kind = FieldKind::f32, .offset = offsetof(PointColorSample, luminance_shift), .min = -100, .max = 100},
    {.name = "hue_range", .label = "Hue range", .unit = "", .help = "How far from its hue colours are in range.",
     .kind = FieldKind::f32, .offset = offsetof(PointColorSample, hue_range), .min = 0, .max = 100},
    {.name = "saturation_range", .label = "Saturation range", .unit = "", .help = "How far from its chroma.",
     .kind = FieldKind::f32, .offset = offsetof(PointColorSample, saturation_range), .min = 0, .max = 100},
    {.name = "luminance_range", .label = "Luminance range", .unit = "", .help = "How far from its lightness.",
     .kind = FieldKind::f32, .offset = offsetof(PointColorSample, luminance_range), .min = 0, .max = 100},
    {.name = "variance", .label = "Variance", .unit = "", .help = "Draws colours in range together (-) or apart (+).",
     .kind = FieldKind::f32, .offset = offsetof(PointColorSample, variance), .min = -100, .max = 100}};
static_assert(covers<PointColorSample>(point_color_sample_fields));
inline constexpr FieldList point_color_sample_list = field_list<PointColorSample>(point_color_sample_fields, 8);

struct PointColor {
  std::vector<PointColorSample> list;
};

inline constexpr Field point_color_fields[] = {{.name = "list", .label = "Samples", .unit = "", .help = "Colours picked.",
                                                .kind = FieldKind::list, .offset = offsetof(PointColor, list),
                                                .list = &point_color_sample_list}};
static_assert(covers<PointColor>(point_color_fields));

}  // namespace imago::develop
