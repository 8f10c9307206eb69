#pragma once

#include "base/field.h"

namespace imago::develop {

// Sharpening of luminance.
struct Sharpen {
  float amount = 0;
  float radius_px = 1;
  float detail = 25;
  float masking = 0;
};

inline constexpr Field sharpen_fields[] = {
    {.name = "amount", .label = "Amount", .unit = "", .help = "Strength of the sharpening.", .kind = FieldKind::f32,
     .offset = offsetof(Sharpen, amount), .min = 0, .max = 150},
    {.name = "radius_px", .label = "Radius", .unit = "px", .help = "Size of the details that are sharpened, at full size.",
     .kind = FieldKind::f32, .offset = offsetof(Sharpen, radius_px), .min = 0.5, .max = 3},
    {.name = "detail", .label = "Detail", .unit = "", .help = "Lower holds back halos, higher brings out fine texture.",
     .kind = FieldKind::f32, .offset = offsetof(Sharpen, detail), .min = 0, .max = 100},
    {.name = "masking", .label = "Masking", .unit = "", .help = "Higher sharpens edges alone and leaves areas smooth.",
     .kind = FieldKind::f32, .offset = offsetof(Sharpen, masking), .min = 0, .max = 100}};
static_assert(covers<Sharpen>(sharpen_fields));

}  // namespace imago::develop
