// The 24 patches of the colour chart and where they lie on its board.
#pragma once

#include "scene/scene.h"

namespace imago::scene {

struct ChartPoint {
  int index = 0;                               // nearest patch
  double from_centre_u = 0, from_centre_v = 0;  // metres
};

// u, v in metres from the board's top left corner.
ChartPoint chart_point(double u, double v);
Rgb chart_patch(int index);

// Middle of a patch in metres from the board's top left corner.
struct ChartPlace {
  double u, v;
};
ChartPlace chart_place(int index);

}  // namespace imago::scene
