// What stands on the ground besides the boards: balls, trees, lamps on a wire and the sign overhead.
#pragma once

#include <array>
#include <vector>

#include "scene/scene.h"

namespace imago::scene {

enum class Surface { chrome, glossy_red, matte_blue, striped, lamp, leaves, bark };

struct Ball {
  Vector centre;
  double radius;
  Surface surface;
  Rgb color;
};

struct Trunk {
  double x, z, radius, top_y;
};

// Balls that are tested only when their enclosing ball is hit.
struct Group {
  Vector centre;
  double radius;
  std::vector<Ball> balls;
  std::vector<Trunk> trunks;
};

const std::vector<Group>& groups();

// The wire that carries the lamps hangs in the plane z = wire_z, between x = -wire_half_length and +.
inline constexpr double wire_z = 8.2, wire_half_length = 5.6;
constexpr double wire_height(double x) { return -1.53 - 0.0277 * x * x; }  // y of the wire

// Small lamps below the wire, lamp_pitch apart from x = -lamps_half_length on; some have colours beyond Rec.709.
inline constexpr int lamp_count = 17;
inline constexpr double lamps_half_length = 5.2, lamp_pitch = 2 * lamps_half_length / (lamp_count - 1);
const std::array<Ball, lamp_count>& lamps();

// A flat sign that hangs above the place, its name legible to who looks up with the back to the front.
inline constexpr double sign_y = -9, sign_half_size = 2.2;
Rgb sign_color(double x, double z, float width);

}  // namespace imago::scene
