#pragma once

#include "base/field.h"

namespace imago::develop {

// What the camera calls red, green and blue.
struct Calibration {
  float shadow_tint = 0;
  float red_hue = 0;
  float red_saturation = 0;
  float green_hue = 0;
  float green_saturation = 0;
  float blue_hue = 0;
  float blue_saturation = 0;
};

inline constexpr Field calibration_fields[] = {
    {.name = "shadow_tint", .label = "Shadow tint", .unit = "", .help = "Moves dark tones to magenta (+) or green (-).",
     .kind = FieldKind::f32, .offset = offsetof(Calibration, shadow_tint), .min = -100, .max = 100},
    {.name = "red_hue", .label = "Red primary hue", .unit = "", .help = "Turns the red primary, + towards yellow.",
     .kind = FieldKind::f32, .offset = offsetof(Calibration, red_hue), .min = -100, .max = 100},
    {.name = "red_saturation", .label = "Red primary saturation", .unit = "", .help = "Moves the red primary away from grey (+) or towards it (-).",
     .kind = FieldKind::f32, .offset = offsetof(Calibration, red_saturation), .min = -100, .max = 100},
    {.name = "green_hue", .label = "Green primary hue", .unit = "", .help = "Turns the green primary, + towards aqua.",
     .kind = FieldKind::f32, .offset = offsetof(Calibration, green_hue), .min = -100, .max = 100},
    {.name = "green_saturation", .label = "Green primary saturation", .unit = "", .help = "Moves the green primary away from grey (+) or towards it (-).",
     .kind = FieldKind::f32, .offset = offsetof(Calibration, green_saturation), .min = -100, .max = 100},
    {.name = "blue_hue", .label = "Blue primary hue", .unit = "", .help = "Turns the blue primary, + towards magenta.",
     .kind = FieldKind::f32, .offset = offsetof(Calibration, blue_hue), .min = -100, .max = 100},
    {.name = "blue_saturation", .label = "Blue primary saturation", .unit = "", .help = "Moves the blue primary away from grey (+) or towards it (-).",
     .kind = FieldKind::f32, .offset = offsetof(Calibration, blue_saturation), .min = -100, .max = 100}};
static_assert(covers<Calibration>(calibration_fields));

}  // namespace imago::develop
