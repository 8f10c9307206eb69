#pragma once

#include "base/field.h"

namespace imago::develop {

enum class DisplayCurve : std::int32_t { standard, linear };
inline constexpr std::string_view display_curves[] = {"standard", "linear"};

enum class ProfileUse : std::int32_t { use, ignore };
inline constexpr std::string_view profile_uses[] = {"use", "ignore"};

// How scene light becomes display light, before any tool of taste.
struct Look {
  std::int32_t display = 0;
  std::int32_t profile = 0;
};

inline constexpr Field look_fields[] = {
    {.name = "display", .label = "Display curve", .unit = "",
     .help = "A photographic tone curve, or none: light is shown as it is and clipped at white.",
     .kind = FieldKind::choice, .offset = offsetof(Look, display), .min = 0, .max = 1, .choices = display_curves},
    {.name = "profile", .label = "Camera profile's look", .unit = "",
     .help = "Look table and tone curve of the raw's camera profile (DNG, --camera-profile), with the standard display "
             "curve where it has none of its own.",
     .kind = FieldKind::choice, .offset = offsetof(Look, profile), .min = 0, .max = 1, .choices = profile_uses}};
static_assert(covers<Look>(look_fields));

}  // namespace imago::develop
