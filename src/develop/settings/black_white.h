#pragma once

#include "base/field.h"

namespace imago::develop {

// A picture in greys, mixed from eight bands of hue.
struct BlackWhite {
  std::uint32_t enabled = 0;
  float red = 0;
  float orange = 0;
  float yellow = 0;
  float green = 0;
  float aqua = 0;
  float blue = 0;
  float purple = 0;
  float magenta = 0;
};

inline constexpr Field black_white_fields[] = {
    {.name = "enabled", .label = "Black and white", .unit = "", .help = "Makes the picture grey.", .kind = FieldKind::flag,
     .offset = offsetof(BlackWhite, enabled), .min = 0, .max = 1},
    {.name = "red", .label = "Red", .unit = "", .help = "Brightens (+) or darkens (-) what was red.",
     .kind = FieldKind::f32, .offset = offsetof(BlackWhite, red), .min = -100, .max = 100},
    {.name = "orange", .label = "Orange", .unit = "", .help = "Brightens (+) or darkens (-) what was orange.",
     .kind = FieldKind::f32, .offset = offsetof(BlackWhite, orange), .min = -100, .max = 100},
    {.name = "yellow", .label = "Yellow", .unit = "", .help = "Brightens (+) or darkens (-) what was yellow.",
     .kind = FieldKind::f32, .offset = offsetof(BlackWhite, yellow), .min = -100, .max = 100},
    {.name = "green", .label = "Green", .unit = "", .help = "Brightens (+) or darkens (-) what was green.",
     .kind = FieldKind::f32, .offset = offsetof(BlackWhite, green), .min = -100, .max = 100},
    {.name = "aqua", .label = "Aqua", .unit = "", .help = "Brightens (+) or darkens (-) what was aqua.",
     .kind = FieldKind::f32, .offset = offsetof(BlackWhite, aqua), .min = -100, .max = 100},
    {.name = "blue", .label = "Blue", .unit = "", .help = "Brightens (+) or darkens (-) what was blue.",
     .kind = FieldKind::f32, .offset = offsetof(BlackWhite, blue), .min = -100, .max = 100},
    {.name = "purple", .label = "Purple", .unit = "", .help = "Brightens (+) or darkens (-) what was purple.",
     .kind = FieldKind::f32, .offset = offsetof(BlackWhite, purple), .min = -100, .max = 100},
    {.name = "magenta", .label = "Magenta", .unit = "", .help = "Brightens (+) or darkens (-) what was magenta.",
     .kind = FieldKind::f32, .offset = offsetof(BlackWhite, magenta), .min = -100, .max = 100}};
static_assert(covers<BlackWhite>(black_white_fields));

}  // namespace imago::develop
