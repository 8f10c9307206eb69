#pragma once

#include "base/field.h"

namespace imago::develop {

// Tone of areas (highlights and shadows, over an edge-aware base layer) and of single pixels (contrast, whites, blacks),
// in percent as Lightroom has it.
struct Tone {
  float contrast = 0;
  float highlights = 0;
  float shadows = 0;
  float whites = 0;
  float blacks = 0;
};

inline constexpr Field tone_fields[] = {
    {.name = "contrast", .label = "Contrast", .unit = "", .help = "Spreads (+) or draws together (-) tones about mid-grey.",
     .kind = FieldKind::f32, .offset = offsetof(Tone, contrast), .min = -100, .max = 100},
    {.name = "highlights", .label = "Highlights", .unit = "", .help = "Brightens (+) or recovers (-) bright areas.",
     .kind = FieldKind::f32, .offset = offsetof(Tone, highlights), .min = -100, .max = 100},
    {.name = "shadows", .label = "Shadows", .unit = "", .help = "Opens (+) or deepens (-) dark areas.",
     .kind = FieldKind::f32, .offset = offsetof(Tone, shadows), .min = -100, .max = 100},
    {.name = "whites", .label = "Whites", .unit = "", .help = "Brightens (+) or darkens (-) the brightest tones.",
     .kind = FieldKind::f32, .offset = offsetof(Tone, whites), .min = -100, .max = 100},
    {.name = "blacks", .label = "Blacks", .unit = "", .help = "Lifts (+) or deepens (-) the darkest tones.",
     .kind = FieldKind::f32, .offset = offsetof(Tone, blacks), .min = -100, .max = 100}};
static_assert(covers<Tone>(tone_fields));

}  // namespace imago::develop
