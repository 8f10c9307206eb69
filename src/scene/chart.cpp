#include "scene/chart.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "scene/boards.h"

namespace imago::scene {
namespace {

constexpr double pitch_m = 0.225;
constexpr double first_u_m = 0.1675;  // middle of the first patch
constexpr double first_v_m = 0.335;

// Rec.709, linear; close to a real chart's reflectances under D65. Decimal constants, so that they are exact facts.
constexpr std::array<Rgb, 24> patches = {{
    from_rec709(0.171f, 0.085f, 0.058f), from_rec709(0.539f, 0.305f, 0.223f), from_rec709(0.122f, 0.195f, 0.337f),
    from_rec709(0.095f, 0.150f, 0.056f), from_rec709(0.235f, 0.216f, 0.434f), from_rec709(0.136f, 0.509f, 0.402f),
    from_rec709(0.673f, 0.209f, 0.025f), from_rec709(0.080f, 0.105f, 0.381f), from_rec709(0.533f, 0.102f, 0.125f),
    from_rec709(0.112f, 0.045f, 0.150f), from_rec709(0.337f, 0.503f, 0.051f), from_rec709(0.745f, 0.366f, 0.027f),
    from_rec709(0.040f, 0.047f, 0.305f), from_rec709(0.061f, 0.296f, 0.067f), from_rec709(0.429f, 0.037f, 0.045f),
    from_rec709(0.797f, 0.571f, 0.014f), from_rec709(0.496f, 0.093f, 0.301f), from_rec709(0.002f, 0.235f, 0.356f),
    from_rec709(0.890f, 0.890f, 0.880f), from_rec709(0.578f, 0.584f, 0.581f), from_rec709(0.352f, 0.356f, 0.356f),
    from_rec709(0.190f, 0.191f, 0.191f), from_rec709(0.088f, 0.089f, 0.090f), from_rec709(0.031f, 0.031f, 0.032f),
}};

}  // namespace

Rgb chart_patch(int index) { return patches[static_cast<std::size_t>(index)]; }

std::array<Rgb, 24> chart_patches() { return patches; }

std::optional<int> chart_patch_beside(double u, double v, double side_u, double side_v) {
  const double column = std::round((u - first_u_m) / pitch_m + 0.5) - 0.5 + side_u;
  const double row = std::round((v - first_v_m) / pitch_m + 0.5) - 0.5 + side_v;
  if (column < -0.25 || column > chart_columns - 0.75 || row < -0.25 || row > chart_rows - 0.75) return std::nullopt;
  return static_cast<int>(row + 0.5) * chart_columns + static_cast<int>(column + 0.5);
}

ChartPlace chart_place(int index) {
  assert(index >= 0 && index < chart_columns * chart_rows);
  const int column = index % chart_columns, row = index / chart_columns;
  return {first_u_m + column * pitch_m, first_v_m + row * pitch_m};
}

Vector chart_patch_centre(int index) {
  const Board& board = boards()[2];
  assert(board.pattern == Pattern::chart);
  const ChartPlace place = chart_place(index);
  return board.centre + board.right * (place.u - board.width_m / 2) + Vector{0, place.v - board.height_m / 2, 0};
}

}  // namespace imago::scene
