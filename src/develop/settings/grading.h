#pragma once

#include "base/field.h"

namespace imago::develop {

// A hue and a lightness for shadows, midtones, highlights and the whole picture.
struct Grading {
  float shadows_hue_deg = 0;
  float shadows_saturation = 0;
  float shadows_luminance = 0;
  float midtones_hue_deg = 0;
  float midtones_saturation = 0;
  float midtones_luminance = 0;
  float highlights_hue_deg = 0;
  float highlights_saturation = 0;
  float highlights_luminance = 0;
  float global_hue_deg = 0;
  float global_saturation = 0;
  float global_luminance = 0;
  float blending = 50;
  float balance = 0;
};

inline constexpr Field grading_fields[] = {
    {.name = "shadows_hue_deg", .label = "Shadows hue", .unit = "deg", .help = "Hue that dark tones lean to, as on the colour wheel: 0 red, 120 green, 240 blue.",
     .kind = FieldKind::f32, .offset = offsetof(Grading, shadows_hue_deg), .min = 0, .max = 360},
    {.name = "shadows_saturation", .label = "Shadows saturation", .unit = "", .help = "How far dark tones lean to that hue.",
     .kind = FieldKind::f32, .offset = offsetof(Grading, shadows_saturation), .min = 0, .max = 100},
    {.name = "shadows_luminance", .label = "Shadows luminance", .unit = "", .help = "Brightens (+) or darkens (-) dark tones.",
     .kind = FieldKind::f32, .offset = offsetof(Grading, shadows_luminance), .min = -100, .max = 100},
    {.name = "midtones_hue_deg", .label = "Midtones hue", .unit = "deg", .help = "Hue that middle tones lean to, as on the colour wheel: 0 red, 120 green, 240 blue.",
     .kind = FieldKind::f32, .offset = offsetof(Grading, midtones_hue_deg), .min = 0, .max = 360},
    {.name = "midtones_saturation", .label = "Midtones saturation", .unit = "", .help = "How far middle tones lean to that hue.",
     .kind = FieldKind::f32, .offset = offsetof(Grading, midtones_saturation), .min = 0, .max = 100},
    {.name = "midtones_luminance", .label = "Midtones luminance", .unit = "", .help = "Brightens (+) or darkens (-) middle tones.",
     .kind = FieldKind::f32, .offset = offsetof(Grading, midtones_luminance), .min = -100, .max = 100},
    {.name = "highlights_hue_deg", .label = "Highlights hue", .unit = "deg", .help = "Hue that bright tones lean to, as on the colour wheel: 0 red, 120 green, 240 blue.",
     .kind = FieldKind::f32, .offset = offsetof(Grading, highlights_hue_deg), .min = 0, .max = 360},
    {.name = "highlights_saturation", .label = "Highlights saturation", .unit = "", .help = "How far bright tones lean to that hue.",
     .kind = FieldKind::f32, .offset = offsetof(Grading, highlights_saturation), .min = 0, .max = 100},
    {.name = "highlights_luminance", .label = "Highlights luminance", .unit = "", .help = "Brightens (+) or darkens (-) bright tones.",
     .kind = FieldKind::f32, .offset = offsetof(Grading, highlights_luminance), .min = -100, .max = 100},
    {.name = "global_hue_deg", .label = "All hue", .unit = "deg", .help = "Hue that all tones lean to, as on the colour wheel: 0 red, 120 green, 240 blue.",
     .kind = FieldKind::f32, .offset = offsetof(Grading, global_hue_deg), .min = 0, .max = 360},
    {.name = "global_saturation", .label = "All saturation", .unit = "", .help = "How far all tones lean to that hue.",
     .kind = FieldKind::f32, .offset = offsetof(Grading, global_saturation), .min = 0, .max = 100},
    {.name = "global_luminance", .label = "All luminance", .unit = "", .help = "Brightens (+) or darkens (-) all tones.",
     .kind = FieldKind::f32, .offset = offsetof(Grading, global_luminance), .min = -100, .max = 100},
    {.name = "blending", .label = "Blending", .unit = "", .help = "How far shadows, midtones and highlights reach into each other.",
     .kind = FieldKind::f32, .offset = offsetof(Grading, blending), .min = 0, .max = 100},
    {.name = "balance", .label = "Balance", .unit = "", .help = "Counts more tones as highlights (+) or as shadows (-).",
     .kind = FieldKind::f32, .offset = offsetof(Grading, balance), .min = -100, .max = 100}};
static_assert(covers<Grading>(grading_fields));

}  // namespace imago::develop
