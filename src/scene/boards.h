// Flat boards that stand around the viewer, each with a test pattern. They are lit evenly: the pattern's values are the
// light that leaves them.
#pragma once

#include <array>
#include <string_view>

#include "scene/scene.h"

namespace imago::scene {

enum class Pattern { welcome, zone_plate, chart, ramps, star, checker };

struct Board {
  Pattern pattern;
  std::string_view title;  // names the axis that it stands on, or what it shows
  double azimuth_deg;      // where its middle stands, seen from the origin, which it faces
  double distance_m;
  double width_m, height_m;
  double middle_y;                // below the eye
  Vector centre, right, forward;  // forward: away from the viewer
};

// Where a ray meets a board's plane, in metres from its top left corner, and a pixel's extent there.
struct BoardPoint {
  double u = 0, v = 0;
  float width_u = 0, width_v = 0;
};

const std::array<Board, 6>& boards();

Rgb board_color(const Board& board, const BoardPoint& at);

// Share of the pixel that the board, its frame and its posts fill. v may lie below the board.
float board_coverage(const Board& board, const BoardPoint& at, double ground_v);

// Texts that name the axes outside the boards: on the ground and on the sign overhead.
float axis_label_coverage(std::string_view text, double u, double v, double height_m, float width_m);

}  // namespace imago::scene
