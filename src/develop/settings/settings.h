// Everything a user can set about a picture: one struct a tool, in the order of the pipeline. `tools` lists them for
// every consumer of Field tables; the key of a setting is "<tool>.<field>".
#pragma once

#include <array>

#include "develop/settings/black_white.h"
#include "develop/settings/calibration.h"
#include "develop/settings/curve.h"
#include "develop/settings/exposure.h"
#include "develop/settings/geometry.h"
#include "develop/settings/grading.h"
#include "develop/settings/grain.h"
#include "develop/settings/hsl.h"
#include "develop/settings/look.h"
#include "develop/settings/lut.h"
#include "develop/settings/masks.h"
#include "develop/settings/noise.h"
#include "develop/settings/point_color.h"
#include "develop/settings/presence.h"
#include "develop/settings/saturation.h"
#include "develop/settings/sharpen.h"
#include "develop/settings/source.h"
#include "develop/settings/spots.h"
#include "develop/settings/tone.h"
#include "develop/settings/vignette.h"
#include "develop/settings/white_balance.h"

namespace imago::develop {

// Defaults and algorithms of a released version never change; sidecars say which one they were made with.
inline constexpr int process_version = 1;

struct Settings {
  SourceSettings source;
  Geometry geometry;
  Spots spots;
  Noise noise;
  Sharpen sharpen;
  Presence presence;
  Masks masks;
  WhiteBalance white_balance;
  Exposure exposure;
  Tone tone;
  Look look;
  Calibration calibration;
  Saturation saturation;
  Hsl hsl;
  PointColor point_color;
  BlackWhite black_white;
  Grading grading;
  Curve curve;
  Vignette vignette;
  LutSettings lut;
  Grain grain;
};

struct Tool {
  std::string_view name;
  std::string_view label;
  std::span<const Field> fields;
  std::size_t offset;  // of its struct in Settings
};

inline constexpr std::array tools = {
    Tool{"source", "Raw", source_fields, offsetof(Settings, source)},
    Tool{"geometry", "Geometry", geometry_fields, offsetof(Settings, geometry)},
    Tool{"spots", "Spots", spots_fields, offsetof(Settings, spots)},
    Tool{"noise", "Noise reduction", noise_fields, offsetof(Settings, noise)},
    Tool{"sharpen", "Sharpening", sharpen_fields, offsetof(Settings, sharpen)},
    Tool{"presence", "Presence", presence_fields, offsetof(Settings, presence)},
    Tool{"masks", "Masks", masks_fields, offsetof(Settings, masks)},
    Tool{"white_balance", "White balance", white_balance_fields, offsetof(Settings, white_balance)},
    Tool{"exposure", "Exposure", exposure_fields, offsetof(Settings, exposure)},
    Tool{"tone", "Tone", tone_fields, offsetof(Settings, tone)},
    Tool{"look", "Look", look_fields, offsetof(Settings, look)},
    Tool{"calibration", "Calibration", calibration_fields, offsetof(Settings, calibration)},
    Tool{"saturation", "Colour", saturation_fields, offsetof(Settings, saturation)},
    Tool{"hsl", "HSL", hsl_fields, offsetof(Settings, hsl)},
    Tool{"point_color", "Point colour", point_color_fields, offsetof(Settings, point_color)},
    Tool{"black_white", "Black and white", black_white_fields, offsetof(Settings, black_white)},
    Tool{"grading", "Colour grading", grading_fields, offsetof(Settings, grading)},
    Tool{"curve", "Curve", curve_fields, offsetof(Settings, curve)},
    Tool{"vignette", "Vignette", vignette_fields, offsetof(Settings, vignette)},
    Tool{"lut", "LUT", lut_fields, offsetof(Settings, lut)},
    Tool{"grain", "Grain", grain_fields, offsetof(Settings, grain)},
};

}  // namespace imago::develop
