// What stands far away (sky, sun, clouds, mountains) and the ground.
#pragma once

#include "scene/scene.h"

namespace imago::scene {

inline constexpr double ground_y = 1.6;

// Unit vector towards the sun: behind the viewer, to the left.
inline constexpr Vector sun_direction = {-0.5, -0.6, -0.62449979984};
inline constexpr Rgb sun_light = from_rec709(0.92f, 0.80f, 0.62f);  // on a surface that faces the sun
inline constexpr Rgb sky_light = from_rec709(0.22f, 0.27f, 0.36f);  // on a surface that faces up

// Light from infinity along a unit direction.
Rgb sky(const Vector& direction, double spread_rad);

// The ground at a point of the plane y = ground_y, unlit part removed: its albedo. Extents of the pixel along x and z.
Rgb ground_albedo(double x, double z, float width_x, float width_z);

// Light that the air adds on the way; share of what lies behind that still arrives.
float clear_air(double distance_m);
inline constexpr Rgb haze = from_rec709(0.66f, 0.74f, 0.86f);

}  // namespace imago::scene
