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

// A flat sign that hangs above the place, its name legible to who looks up with the back to the front.
inline constexpr double sign_y = -9, sign_half_size = 2.2;
Rgb sign_color(double x, double z, float width);

}  // namespace imago::scene
