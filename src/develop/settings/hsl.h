#pragma once

#include "base/field.h"

namespace imago::develop {

// Hue, saturation and luminance of eight bands of hue, each -100 to 100.
struct Hsl {
  float hue_red = 0;
  float hue_orange = 0;
  float hue_yellow = 0;
  float hue_green = 0;
  float hue_aqua = 0;
  float hue_blue = 0;
  float hue_purple = 0;
  float hue_magenta = 0;
  float saturation_red = 0;
  float saturation_orange = 0;
  float saturation_yellow = 0;
  float saturation_green = 0;
  float saturation_aqua = 0;
  float saturation_blue = 0;
  float saturation_purple = 0;
  float saturation_magenta = 0;
  float luminance_red = 0;
  float luminance_orange = 0;
  float luminance_yellow = 0;
  float luminance_green = 0;
  float luminance_aqua = 0;
  float luminance_blue = 0;
  float luminance_purple = 0;
  float luminance_magenta = 0;
};

inline constexpr Field hsl_fields[] = {
    {.name = "hue_red", .label = "Hue red", .unit = "", .help = "Turns red towards the next band (+) or the one before (-).",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, hue_red), .min = -100, .max = 100},
    {.name = "hue_orange", .label = "Hue orange", .unit = "", .help = "Turns orange towards the next band (+) or the one before (-).",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, hue_orange), .min = -100, .max = 100},
    {.name = "hue_yellow", .label = "Hue yellow", .unit = "", .help = "Turns yellow towards the next band (+) or the one before (-).",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, hue_yellow), .min = -100, .max = 100},
    {.name = "hue_green", .label = "Hue green", .unit = "", .help = "Turns green towards the next band (+) or the one before (-).",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, hue_green), .min = -100, .max = 100},
    {.name = "hue_aqua", .label = "Hue aqua", .unit = "", .help = "Turns aqua towards the next band (+) or the one before (-).",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, hue_aqua), .min = -100, .max = 100},
    {.name = "hue_blue", .label = "Hue blue", .unit = "", .help = "Turns blue towards the next band (+) or the one before (-).",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, hue_blue), .min = -100, .max = 100},
    {.name = "hue_purple", .label = "Hue purple", .unit = "", .help = "Turns purple towards the next band (+) or the one before (-).",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, hue_purple), .min = -100, .max = 100},
    {.name = "hue_magenta", .label = "Hue magenta", .unit = "", .help = "Turns magenta towards the next band (+) or the one before (-).",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, hue_magenta), .min = -100, .max = 100},
    {.name = "saturation_red", .label = "Saturation red", .unit = "", .help = "Strengthens (+) or weakens (-) red.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, saturation_red), .min = -100, .max = 100},
    {.name = "saturation_orange", .label = "Saturation orange", .unit = "", .help = "Strengthens (+) or weakens (-) orange.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, saturation_orange), .min = -100, .max = 100},
    {.name = "saturation_yellow", .label = "Saturation yellow", .unit = "", .help = "Strengthens (+) or weakens (-) yellow.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, saturation_yellow), .min = -100, .max = 100},
    {.name = "saturation_green", .label = "Saturation green", .unit = "", .help = "Strengthens (+) or weakens (-) green.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, saturation_green), .min = -100, .max = 100},
    {.name = "saturation_aqua", .label = "Saturation aqua", .unit = "", .help = "Strengthens (+) or weakens (-) aqua.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, saturation_aqua), .min = -100, .max = 100},
    {.name = "saturation_blue", .label = "Saturation blue", .unit = "", .help = "Strengthens (+) or weakens (-) blue.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, saturation_blue), .min = -100, .max = 100},
    {.name = "saturation_purple", .label = "Saturation purple", .unit = "", .help = "Strengthens (+) or weakens (-) purple.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, saturation_purple), .min = -100, .max = 100},
    {.name = "saturation_magenta", .label = "Saturation magenta", .unit = "", .help = "Strengthens (+) or weakens (-) magenta.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, saturation_magenta), .min = -100, .max = 100},
    {.name = "luminance_red", .label = "Luminance red", .unit = "", .help = "Brightens (+) or darkens (-) red.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, luminance_red), .min = -100, .max = 100},
    {.name = "luminance_orange", .label = "Luminance orange", .unit = "", .help = "Brightens (+) or darkens (-) orange.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, luminance_orange), .min = -100, .max = 100},
    {.name = "luminance_yellow", .label = "Luminance yellow", .unit = "", .help = "Brightens (+) or darkens (-) yellow.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, luminance_yellow), .min = -100, .max = 100},
    {.name = "luminance_green", .label = "Luminance green", .unit = "", .help = "Brightens (+) or darkens (-) green.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, luminance_green), .min = -100, .max = 100},
    {.name = "luminance_aqua", .label = "Luminance aqua", .unit = "", .help = "Brightens (+) or darkens (-) aqua.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, luminance_aqua), .min = -100, .max = 100},
    {.name = "luminance_blue", .label = "Luminance blue", .unit = "", .help = "Brightens (+) or darkens (-) blue.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, luminance_blue), .min = -100, .max = 100},
    {.name = "luminance_purple", .label = "Luminance purple", .unit = "", .help = "Brightens (+) or darkens (-) purple.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, luminance_purple), .min = -100, .max = 100},
    {.name = "luminance_magenta", .label = "Luminance magenta", .unit = "", .help = "Brightens (+) or darkens (-) magenta.",
     .kind = FieldKind::f32, .offset = offsetof(Hsl, luminance_magenta), .min = -100, .max = 100}};
static_assert(covers<Hsl>(hsl_fields));

}  // namespace imago::develop
