#pragma once

#include "base/field.h"

namespace imago::develop {

enum class HighlightMethod : std::int32_t { opposed, clip };
inline constexpr std::string_view highlight_methods[] = {"opposed", "clip"};

// How a raw becomes a picture, before any look.
struct SourceSettings {
  std::int32_t highlights = 0;
};

inline constexpr Field source_fields[] = {
    {.name = "highlights", .label = "Highlight reconstruction", .unit = "",
     .help = "What fills clipped areas: the opposed channels, or nothing.", .kind = FieldKind::choice,
     .offset = offsetof(SourceSettings, highlights), .min = 0, .max = 1, .choices = highlight_methods}};
static_assert(covers<SourceSettings>(source_fields));

}  // namespace imago::develop
