#pragma once

#include "base/field.h"

namespace imago::develop {

// Local contrast at two sizes, and haze.
struct Presence {
  float texture = 0;
  float clarity = 0;
  float dehaze = 0;
};

inline constexpr Field presence_fields[] = {
    {.name = "texture", .label = "Texture", .unit = "", .help = "Brings out (+) or smooths (-) fine detail.",
     .kind = FieldKind::f32, .offset = offsetof(Presence, texture), .min = -100, .max = 100},
    {.name = "clarity", .label = "Clarity", .unit = "", .help = "Strengthens (+) or softens (-) local contrast.",
     .kind = FieldKind::f32, .offset = offsetof(Presence, clarity), .min = -100, .max = 100},
    {.name = "dehaze", .label = "Dehaze", .unit = "", .help = "Clears (+) or adds (-) haze.", .kind = FieldKind::f32,
     .offset = offsetof(Presence, dehaze), .min = -100, .max = 100}};
static_assert(covers<Presence>(presence_fields));

}  // namespace imago::develop
