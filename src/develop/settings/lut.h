#pragma once

#include "base/field.h"

namespace imago::develop {

enum class LutSpace : std::int32_t { srgb, rec709, adobe_rgb, p3, rec2020, linear };
inline constexpr std::string_view lut_spaces[] = {"srgb", "rec709", "adobe_rgb", "p3", "rec2020", "linear"};

// A look from a file.
struct LutSettings {
  std::string file;
  float amount = 100;
  std::int32_t space = 0;
};

inline constexpr Field lut_fields[] = {
    {.name = "file", .label = "File", .unit = "", .help = "A .cube file or a HaldCLUT picture; empty: none.",
     .kind = FieldKind::text, .offset = offsetof(LutSettings, file)},
    {.name = "amount", .label = "Amount", .unit = "%", .help = "How much of the look is mixed in.",
     .kind = FieldKind::f32, .offset = offsetof(LutSettings, amount), .min = 0, .max = 100},
    {.name = "space", .label = "Space", .unit = "", .help = "The colours that the table was made for, in and out.",
     .kind = FieldKind::choice, .offset = offsetof(LutSettings, space), .min = 0, .max = 5, .choices = lut_spaces}};
static_assert(covers<LutSettings>(lut_fields));

}  // namespace imago::develop
