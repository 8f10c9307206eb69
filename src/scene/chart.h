// The 24 patches of the colour chart and where they lie on its board.
#pragma once

#include <optional>

#include "scene/scene.h"

namespace imago::scene {

// u, v in metres from the board's top left corner. The patches around a point are found with sides -0.5 and 0.5: the
// one to the left or right of the nearest gap and above or below it; none beyond the chart.
std::optional<int> chart_patch_beside(double u, double v, double side_u, double side_v);

Rgb chart_patch(int index);

// Middle of a patch in metres from the board's top left corner.
struct ChartPlace {
  double u, v;
};
ChartPlace chart_place(int index);

}  // namespace imago::scene
