#pragma once

#include "base/field.h"

namespace imago::develop {

enum class HighlightMethod : std::int32_t { opposed, clip };
inline constexpr std::string_view highlight_methods[] = {"opposed", "clip"};

enum class SourceWhite : std::int32_t { as_shot, automatic, daylight };
inline constexpr std::string_view source_whites[] = {"as_shot", "auto", "daylight"};

// How a raw becomes a picture, before any look.
struct SourceSettings {
  std::int32_t highlights = 0;
  std::int32_t white = 0;
};

inline constexpr Field source_fields[] = {
    {.name = "highlights", .label = "Highlight reconstruction", .unit = "",
     .help = "What fills clipped areas: the opposed channels, or nothing.", .kind = FieldKind::choice,
     .offset = offsetof(SourceSettings, highlights), .min = 0, .max = 1, .choices = highlight_methods},
    {.name = "white", .label = "White of a raw", .unit = "",
     .help = "What the raw's colours start from: the camera's white, one estimated from the picture, or daylight.",
     .kind = FieldKind::choice, .offset = offsetof(SourceSettings, white), .min = 0, .max = 2,
     .choices = source_whites}};
static_assert(covers<SourceSettings>(source_fields));

}  // namespace imago::develop
