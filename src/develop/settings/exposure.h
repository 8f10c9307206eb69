#pragma once

#include "base/field.h"

namespace imago::develop {

// Gain on scene-linear light: out = in * 2^ev.
struct Exposure {
  float ev = 0;
};

inline constexpr Field exposure_fields[] = {
    {.name = "ev", .label = "Exposure", .unit = "EV", .help = "Gain in stops.", .kind = FieldKind::f32,
     .offset = offsetof(Exposure, ev), .min = -5, .max = 5}};
static_assert(covers<Exposure>(exposure_fields));

}  // namespace imago::develop
