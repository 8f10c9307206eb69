#pragma once

#include "base/field.h"

namespace imago::develop {

// The light that counts as white. As the camera chose it, or as these say.
struct WhiteBalance {
  float temperature_k = 0;
  float tint = 0;
};

inline constexpr Field white_balance_fields[] = {
    {.name = "temperature_k", .label = "Temperature", .unit = "K",
     .help = "Colour temperature of the light, 2000 to 50000; 0 is the camera's choice.", .kind = FieldKind::f32,
     .offset = offsetof(WhiteBalance, temperature_k), .min = 0, .max = 50000},
    {.name = "tint", .label = "Tint", .unit = "",
     .help = "Takes green (+) or magenta (-) out; added to the camera's tint while temperature_k is 0.",
     .kind = FieldKind::f32, .offset = offsetof(WhiteBalance, tint), .min = -150, .max = 150}};
static_assert(covers<WhiteBalance>(white_balance_fields));

}  // namespace imago::develop
