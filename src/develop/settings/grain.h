#pragma once

#include "base/field.h"

namespace imago::develop {

// Noise as of film, in places of the full frame: the same at every zoom.
struct Grain {
  float amount = 0;
  float size = 25;
  float roughness = 50;
};

inline constexpr Field grain_fields[] = {
    {.name = "amount", .label = "Amount", .unit = "", .help = "Strength.",
     .kind = FieldKind::f32, .offset = offsetof(Grain, amount), .min = 0, .max = 100},
    {.name = "size", .label = "Size", .unit = "", .help = "Size of the grains.",
     .kind = FieldKind::f32, .offset = offsetof(Grain, size), .min = 0, .max = 100},
    {.name = "roughness", .label = "Roughness", .unit = "", .help = "How irregular the grains are.",
     .kind = FieldKind::f32, .offset = offsetof(Grain, roughness), .min = 0, .max = 100}};
static_assert(covers<Grain>(grain_fields));

}  // namespace imago::develop
