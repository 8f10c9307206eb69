#pragma once

#include "base/field.h"

namespace imago::develop {

// Local tone over an edge-aware base layer, in percent as Lightroom has it.
struct Tone {
  float highlights = 0;
  float shadows = 0;
};

inline constexpr Field tone_fields[] = {
    {.name = "highlights", .label = "Highlights", .unit = "", .help = "Brightens (+) or recovers (-) bright areas.",
     .kind = FieldKind::f32, .offset = offsetof(Tone, highlights), .min = -100, .max = 100},
    {.name = "shadows", .label = "Shadows", .unit = "", .help = "Opens (+) or deepens (-) dark areas.",
     .kind = FieldKind::f32, .offset = offsetof(Tone, shadows), .min = -100, .max = 100}};
static_assert(covers<Tone>(tone_fields));

}  // namespace imago::develop
