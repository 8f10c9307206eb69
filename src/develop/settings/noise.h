#pragma once

#include "base/field.h"

namespace imago::develop {

// Noise reduction, sized by what is known of the sensor's noise. At amount 0 nothing is touched.
struct Noise {
  float luminance = 0;
  float luminance_detail = 50;
  float luminance_contrast = 0;
  float color = 0;
  float color_detail = 50;
  float color_smoothness = 50;
};

inline constexpr Field noise_fields[] = {
    {.name = "luminance", .label = "Luminance", .unit = "", .help = "Removes grain in lightness.",
     .kind = FieldKind::f32, .offset = offsetof(Noise, luminance), .min = 0, .max = 100},
    {.name = "luminance_detail", .label = "Luminance detail", .unit = "",
     .help = "Higher keeps more of what may be detail, and more noise with it.", .kind = FieldKind::f32,
     .offset = offsetof(Noise, luminance_detail), .min = 0, .max = 100},
    {.name = "luminance_contrast", .label = "Luminance contrast", .unit = "",
     .help = "Higher keeps coarse texture, and coarse noise with it.", .kind = FieldKind::f32,
     .offset = offsetof(Noise, luminance_contrast), .min = 0, .max = 100},
    {.name = "color", .label = "Color", .unit = "", .help = "Removes coloured specks and blotches.",
     .kind = FieldKind::f32, .offset = offsetof(Noise, color), .min = 0, .max = 100},
    {.name = "color_detail", .label = "Color detail", .unit = "", .help = "Higher keeps thin coloured edges.",
     .kind = FieldKind::f32, .offset = offsetof(Noise, color_detail), .min = 0, .max = 100},
    {.name = "color_smoothness", .label = "Color smoothness", .unit = "", .help = "Higher removes larger blotches.",
     .kind = FieldKind::f32, .offset = offsetof(Noise, color_smoothness), .min = 0, .max = 100}};
static_assert(covers<Noise>(noise_fields));

}  // namespace imago::develop
