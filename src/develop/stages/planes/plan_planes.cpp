#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/hash.h"
#include "develop/stages/planes/planes.h"

namespace imago::develop {

int guided_fast_step(double radius_px) { return std::clamp(static_cast<int>(radius_px / 6), 1, 64); }

PlanesPlan plan_planes(int width, int height, double full_diagonal_px, double radius_of_diagonal, float epsilon) {
  assert(width > 0 && height > 0 && full_diagonal_px > 0);
  const double radius_px = full_diagonal_px * radius_of_diagonal;
  PlanesPlan plan;
  plan.epsilon = epsilon;
  plan.width = width;
  plan.height = height;
  plan.step = guided_fast_step(radius_px);
  plan.grid_width = (width + plan.step - 1) / plan.step;
  plan.grid_height = (height + plan.step - 1) / plan.step;
  // The window reaches radius + 1/2 pixels from a centre; in blocks: radius + 1/2 + edge.
  const double reach = std::max(0.0, (radius_px + 0.5) / plan.step - 0.5);
  plan.radius = static_cast<int>(reach);
  plan.edge = static_cast<float>(reach - plan.radius);
  return plan;
}

StageKey key(const PlanesPlan& plan, StageKey upstream) {
  return Hash64().add("planes").add(upstream).add(plan.step).add(plan.radius).add(plan.edge).add(plan.epsilon).value();
}

}  // namespace imago::develop
