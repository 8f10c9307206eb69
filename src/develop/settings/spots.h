#pragma once

#include "base/field.h"

namespace imago::develop {

enum class SpotKind : std::int32_t { heal, clone };
inline constexpr std::string_view spot_kinds[] = {"heal", "clone"};

// A circle that is filled from another place. Places are fractions of the sensor frame (before orientation and crop).
struct Spot {
  std::int32_t kind = 0;
  float x = 0.5f;
  float y = 0.5f;
  float radius = 0.01f;
  std::uint32_t automatic = 1;
  float source_x = 0.5f;
  float source_y = 0.5f;
  float feather = 30;
  float opacity = 100;
};

inline constexpr Field spot_fields[] = {
    {.name = "kind", .label = "Spot", .unit = "", .help = "Matched to its surroundings, or copied as it is.",
     .kind = FieldKind::choice, .offset = offsetof(Spot, kind), .min = 0, .max = 1, .choices = spot_kinds},
    {.name = "x", .label = "X", .unit = "", .help = "Centre, fraction of the sensor width.", .kind = FieldKind::f32,
     .offset = offsetof(Spot, x), .min = 0, .max = 1},
    {.name = "y", .label = "Y", .unit = "", .help = "Centre, fraction of the sensor height.", .kind = FieldKind::f32,
     .offset = offsetof(Spot, y), .min = 0, .max = 1},
    {.name = "radius", .label = "Size", .unit = "", .help = "Radius, fraction of the sensor width.",
     .kind = FieldKind::f32, .offset = offsetof(Spot, radius), .min = 0.0002, .max = 0.25},
    {.name = "automatic", .label = "Automatic source", .unit = "",
     .help = "Looks for a source nearby whose surroundings fit.", .kind = FieldKind::flag,
     .offset = offsetof(Spot, automatic), .min = 0, .max = 1},
    {.name = "source_x", .label = "Source x", .unit = "", .help = "Centre of the source, fraction of the sensor width.",
     .kind = FieldKind::f32, .offset = offsetof(Spot, source_x), .min = 0, .max = 1},
    {.name = "source_y", .label = "Source y", .unit = "",
     .help = "Centre of the source, fraction of the sensor height.", .kind = FieldKind::f32,
     .offset = offsetof(Spot, source_y), .min = 0, .max = 1},
    {.name = "feather", .label = "Feather", .unit = "%", .help = "Share of the radius that is soft.",
     .kind = FieldKind::f32, .offset = offsetof(Spot, feather), .min = 0, .max = 100},
    {.name = "opacity", .label = "Opacity", .unit = "%", .help = "How much of the source is laid over.",
     .kind = FieldKind::f32, .offset = offsetof(Spot, opacity), .min = 0, .max = 100}};
static_assert(covers<Spot>(spot_fields));
inline constexpr FieldList spot_list = field_list<Spot>(spot_fields, 1024);

struct Spots {
  std::vector<Spot> list;
};

inline constexpr Field spots_fields[] = {{.name = "list", .label = "Spots", .unit = "",
                                          .help = "Blemishes to remove, in order.", .kind = FieldKind::list,
                                          .offset = offsetof(Spots, list), .list = &spot_list}};
static_assert(covers<Spots>(spots_fields));

}  // namespace imago::develop
