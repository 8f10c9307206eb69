#pragma once

#include "base/field.h"

namespace imago::develop {

// Strength of colours. Vibrance changes muted colours more than strong ones, and skin the least.
struct Saturation {
  float vibrance = 0;
  float saturation = 0;
};

inline constexpr Field saturation_fields[] = {
    {.name = "vibrance", .label = "Vibrance", .unit = "",
     .help = "Strengthens (+) or weakens (-) muted colours, sparing skin.", .kind = FieldKind::f32,
     .offset = offsetof(Saturation, vibrance), .min = -100, .max = 100},
    {.name = "saturation", .label = "Saturation", .unit = "", .help = "Strengthens (+) or weakens (-) all colours.",
     .kind = FieldKind::f32, .offset = offsetof(Saturation, saturation), .min = -100, .max = 100}};
static_assert(covers<Saturation>(saturation_fields));

}  // namespace imago::develop
