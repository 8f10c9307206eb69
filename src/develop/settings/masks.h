#pragma once

#include "base/field.h"

namespace imago::develop {

enum class MaskKind : std::int32_t { linear, radial, brush, luminance, color };
inline constexpr std::string_view mask_kinds[] = {"linear", "radial", "brush", "luminance", "color"};

enum class MaskCombine : std::int32_t { begin, add, subtract, intersect };
inline constexpr std::string_view mask_combines[] = {"new", "add", "subtract", "intersect"};

// One touch of a brush. A stroke is a row of them.
struct BrushDab {
  float x = 0.5f;
  float y = 0.5f;
  float size = 0.05f;
  float feather = 50;
  float flow = 100;
  float density = 100;
  std::uint32_t erase = 0;
};

inline constexpr Field brush_dab_fields[] = {
    {.name = "x", .label = "X", .unit = "", .help = "Centre, fraction of the sensor width.", .kind = FieldKind::f32,
     .offset = offsetof(BrushDab, x), .min = -1, .max = 2},
    {.name = "y", .label = "Y", .unit = "", .help = "Centre, fraction of the sensor height.", .kind = FieldKind::f32,
     .offset = offsetof(BrushDab, y), .min = -1, .max = 2},
    {.name = "size", .label = "Size", .unit = "", .help = "Radius, fraction of the sensor width.",
     .kind = FieldKind::f32, .offset = offsetof(BrushDab, size), .min = 0.0005, .max = 1},
    {.name = "feather", .label = "Feather", .unit = "%", .help = "Share of the radius that is soft.",
     .kind = FieldKind::f32, .offset = offsetof(BrushDab, feather), .min = 0, .max = 100},
    {.name = "flow", .label = "Flow", .unit = "%", .help = "How much of what is missing one touch lays on.",
     .kind = FieldKind::f32, .offset = offsetof(BrushDab, flow), .min = 0, .max = 100},
    {.name = "density", .label = "Density", .unit = "%", .help = "The most that touches lay on.",
     .kind = FieldKind::f32, .offset = offsetof(BrushDab, density), .min = 0, .max = 100},
    {.name = "erase", .label = "Erase", .unit = "", .help = "Takes away instead.", .kind = FieldKind::flag,
     .offset = offsetof(BrushDab, erase), .min = 0, .max = 1}};
static_assert(covers<BrushDab>(brush_dab_fields));
inline constexpr FieldList brush_dab_list = field_list<BrushDab>(brush_dab_fields, 4096);

// A local adjustment, or a part of the one before it (`combine`; a part's own adjustments count for nothing). Places
// are fractions of the sensor frame (before orientation and crop), so that framing leaves them where they are.
// Linear: 0 on the far side of (start_x, start_y), 1 beyond (end_x, end_y), a smooth ramp between. Radial: 1 inside an
// ellipse, falling to 0 at its edge over `feather` of its radius. Brush: where `dabs` touched. Luminance: lightness
// between `low` and `high`. Color: like the sample's colour, whatever its brightness.
struct Mask {
  std::int32_t kind = 0;
  float start_x = 0.5f;
  float start_y = 0.25f;
  float end_x = 0.5f;
  float end_y = 0.75f;
  std::uint32_t invert = 0;
  float amount = 100;
  float exposure_ev = 0;
  std::int32_t combine = 0;
  float center_x = 0.5f;
  float center_y = 0.5f;
  float radius_x = 0.25f;
  float radius_y = 0.25f;
  float angle_deg = 0;
  float feather = 50;
  float low = 0;
  float high = 100;
  float smoothness = 25;
  float red = 0.5f;
  float green = 0.5f;
  float blue = 0.5f;
  float tolerance = 25;
  std::vector<BrushDab> dabs;
};

inline constexpr Field mask_fields[] = {
    {.name = "kind", .label = "Mask", .unit = "", .help = "Shape of the mask.", .kind = FieldKind::choice,
     .offset = offsetof(Mask, kind), .min = 0, .max = 4, .choices = mask_kinds},
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
     .offset = offsetof(Mask, exposure_ev), .min = -5, .max = 5},
    {.name = "combine", .label = "Combine", .unit = "",
     .help = "A mask of its own, or added to, taken from or limiting the one before it.", .kind = FieldKind::choice,
     .offset = offsetof(Mask, combine), .min = 0, .max = 3, .choices = mask_combines},
    {.name = "center_x", .label = "Center x", .unit = "", .help = "Of the ellipse, fraction of the sensor width.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, center_x), .min = -1, .max = 2},
    {.name = "center_y", .label = "Center y", .unit = "", .help = "Of the ellipse, fraction of the sensor height.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, center_y), .min = -1, .max = 2},
    {.name = "radius_x", .label = "Radius x", .unit = "", .help = "Of the ellipse, fraction of the sensor width.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, radius_x), .min = 0.001, .max = 4},
    {.name = "radius_y", .label = "Radius y", .unit = "", .help = "Of the ellipse, fraction of the sensor height.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, radius_y), .min = 0.001, .max = 4},
    {.name = "angle_deg", .label = "Angle", .unit = "deg", .help = "Turns the ellipse, + is clockwise.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, angle_deg), .min = -180, .max = 180},
    {.name = "feather", .label = "Feather", .unit = "%", .help = "Share of the ellipse's radius that is soft.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, feather), .min = 0, .max = 100},
    {.name = "low", .label = "From", .unit = "", .help = "Lowest lightness of the luminance range.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, low), .min = 0, .max = 100},
    {.name = "high", .label = "To", .unit = "",
     .help = "Highest lightness of the luminance range; 100 takes in all that is lighter.", .kind = FieldKind::f32,
     .offset = offsetof(Mask, high), .min = 0, .max = 100},
    {.name = "smoothness", .label = "Smoothness", .unit = "", .help = "Width of the range's soft ends.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, smoothness), .min = 0, .max = 100},
    {.name = "red", .label = "Sample red", .unit = "", .help = "Of the colour range's sample, linear Rec.2020.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, red), .min = 0, .max = 1},
    {.name = "green", .label = "Sample green", .unit = "", .help = "Of the colour range's sample, linear Rec.2020.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, green), .min = 0, .max = 1},
    {.name = "blue", .label = "Sample blue", .unit = "", .help = "Of the colour range's sample, linear Rec.2020.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, blue), .min = 0, .max = 1},
    {.name = "tolerance", .label = "Tolerance", .unit = "", .help = "How far colours may lie from the sample.",
     .kind = FieldKind::f32, .offset = offsetof(Mask, tolerance), .min = 1, .max = 100},
    {.name = "dabs", .label = "Brush", .unit = "", .help = "Touches of the brush, in order.", .kind = FieldKind::list,
     .offset = offsetof(Mask, dabs), .list = &brush_dab_list}};
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
