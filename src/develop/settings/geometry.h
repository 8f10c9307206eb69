#pragma once

#include "base/field.h"

namespace imago::develop {

// Framing, applied after the camera's own orientation. The crop is given in fractions of the upright frame and lies
// in the straightened picture.
struct Geometry {
  float crop_left = 0;
  float crop_top = 0;
  float crop_right = 1;
  float crop_bottom = 1;
  float straighten_deg = 0;
  std::int32_t quarter_turns = 0;
  std::uint32_t flip_horizontal = 0;
  std::uint32_t flip_vertical = 0;
};

inline constexpr Field geometry_fields[] = {
    {.name = "crop_left", .label = "Crop left", .unit = "", .help = "Left edge as a fraction of the width.",
     .kind = FieldKind::f32, .offset = offsetof(Geometry, crop_left), .min = 0, .max = 1},
    {.name = "crop_top", .label = "Crop top", .unit = "", .help = "Top edge as a fraction of the height.",
     .kind = FieldKind::f32, .offset = offsetof(Geometry, crop_top), .min = 0, .max = 1},
    {.name = "crop_right", .label = "Crop right", .unit = "", .help = "Right edge as a fraction of the width.",
     .kind = FieldKind::f32, .offset = offsetof(Geometry, crop_right), .min = 0, .max = 1},
    {.name = "crop_bottom", .label = "Crop bottom", .unit = "", .help = "Bottom edge as a fraction of the height.",
     .kind = FieldKind::f32, .offset = offsetof(Geometry, crop_bottom), .min = 0, .max = 1},
    {.name = "straighten_deg", .label = "Straighten", .unit = "deg", .help = "Turns the picture, + is clockwise.",
     .kind = FieldKind::f32, .offset = offsetof(Geometry, straighten_deg), .min = -45, .max = 45},
    {.name = "quarter_turns", .label = "Rotate", .unit = "", .help = "Quarter turns clockwise.",
     .kind = FieldKind::i32, .offset = offsetof(Geometry, quarter_turns), .min = 0, .max = 3},
    {.name = "flip_horizontal", .label = "Flip horizontally", .unit = "", .help = "Mirrors left and right.",
     .kind = FieldKind::flag, .offset = offsetof(Geometry, flip_horizontal), .min = 0, .max = 1},
    {.name = "flip_vertical", .label = "Flip vertically", .unit = "", .help = "Mirrors top and bottom.",
     .kind = FieldKind::flag, .offset = offsetof(Geometry, flip_vertical), .min = 0, .max = 1}};
static_assert(covers<Geometry>(geometry_fields));

}  // namespace imago::develop
