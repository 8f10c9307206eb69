#pragma once

#include "base/field.h"

namespace imago::develop {

enum class MaskKind : std::int32_t { linear };
inline constexpr std::string_view mask_kinds[] = {"linear"};

// A local adjustment. Places are fractions of the sensor frame (before orientation and crop), so that framing leaves
// them where they are. Linear: 0 on the far side of (start_x, start_y), 1 beyond (end_x, end_y), a smooth ramp between.
struct Mask {
  std::int32_t kind = 0;
  float start_x = 0.5f;
  float start_y = 0.25f;
  float end_x = 0.5f;
  float end_y = 0.75f;
  std::uint32_t invert = 0;
  float amount = 100;
  float exposure_ev = 0;
};

inline constexpr Field mask_fields[] = {
    {.name = "kind", .label = "Mask", .unit = "", .help = "Shape of the mask.", .kind = FieldKind::choice,
     .offset = offsetof(Mask, kind), .min = 0, .max = 0, .choices = mask_kinds},
    {.name = "start_x", .label = "Start x", .unit = "", .help = "Where the ramp is 0, fraction of the sensor width.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, start_x), .min = -1, .max = 2},
    {.name = "start_y", .label = "Start y", .unit = "", .help = "Where the ramp is 0, fraction of the sensor height.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, start_y), .min = -1, .max = 2},
    {.name = "end_x", .label = "End x", .unit = "", .help = "Where the ramp is 1, fraction of the sensor width.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, end_x), .min = -1, .max = 2},
    {.name = "end_y", .label = "End y", .unit = "", .help = "Where the ramp is 1, fraction of the sensor height.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, end_y), .min = -1, .max = 2},
    {.name = "invert", .label = "Invert", .unit = "", .help = "Swaps inside and outside.", .kind = FieldKind::flag,
     .offset = offsetof(Mask, invert), .min = 0, .max = 1},
    {.name = "amount", .label = "Amount", .unit = "%", .help = "Strength of all adjustments of this mask.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, amount), .min = 0, .max = 200},
    {.name = "exposure_ev", .label = "Exposure", .unit = "EV", .help = "Local gain in stops.", .kind = FieldKind::f32,
     .offset = offsetof(Mask, exposure_ev), .min = -5, .max = 5}};
static_assert(covers<Mask>(mask_fields));
inline constexpr FieldList mask_list = field_list<Mask>(mask_fields, 64);

struct Masks {
  std::vector<Mask> list;
};

inline constexpr Field masks_fields[] = {{.name = "list", .label = "Masks", .unit = "", .help = "Local adjustments.",
                                          .kind = FieldKind::list, .offset = offsetof(Masks, list),
                                          .list = &mask_list}};
static_assert(covers<Masks>(masks_fields));

}  // namespace imago::develop
