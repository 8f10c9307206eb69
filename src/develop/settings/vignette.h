#pragma once

#include "base/field.h"

namespace imago::develop {

enum class VignetteStyle : std::int32_t { highlight_priority, color_priority, paint_overlay };
inline constexpr std::string_view vignette_styles[] = {"highlight_priority", "color_priority", "paint_overlay"};

// Corners darker or brighter than the middle, about the frame as it is cropped.
struct Vignette {
  std::int32_t style = 0;
  float amount = 0;
  float midpoint = 50;
  float roundness = 0;
  float feather = 50;
  float highlights = 0;
};

inline constexpr Field vignette_fields[] = {
    {.name = "style", .label = "Style", .unit = "", .help = "Acts on scene light, so that highlights come back; on finished colours; or paints with black or white.",
     .kind = FieldKind::choice, .offset = offsetof(Vignette, style), .min = 0, .max = 2, .choices = vignette_styles},
    {.name = "amount", .label = "Amount", .unit = "", .help = "Darkens (-) or brightens (+) the corners.",
     .kind = FieldKind::f32, .offset = offsetof(Vignette, amount), .min = -100, .max = 100},
    {.name = "midpoint", .label = "Midpoint", .unit = "", .help = "How far from the middle it sets in: 0 near, 100 only in the corners.",
     .kind = FieldKind::f32, .offset = offsetof(Vignette, midpoint), .min = 0, .max = 100},
    {.name = "roundness", .label = "Roundness", .unit = "", .help = "From a rounded rectangle (-100) over the ellipse of the frame (0) to a circle (100).",
     .kind = FieldKind::f32, .offset = offsetof(Vignette, roundness), .min = -100, .max = 100},
    {.name = "feather", .label = "Feather", .unit = "", .help = "Softness of its edge.",
     .kind = FieldKind::f32, .offset = offsetof(Vignette, feather), .min = 0, .max = 100},
    {.name = "highlights", .label = "Highlights", .unit = "", .help = "Keeps bright areas from being darkened.",
     .kind = FieldKind::f32, .offset = offsetof(Vignette, highlights), .min = 0, .max = 100}};
static_assert(covers<Vignette>(vignette_fields));

}  // namespace imago::develop
