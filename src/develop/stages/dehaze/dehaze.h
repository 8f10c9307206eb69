// dehaze: clears or adds the veil that distance lays over light.
//
//   I = J t + A (1 - t)          what the camera saw: the scene J, the airlight A, the share t that came through
//   dark = min over a patch of min over c of I_c / A_c;   t = 1 - 0.95 dark, refined by a guided filter on log2
//   luminance amount s > 0:  J = A + (I - A) / max(1 - s (1 - t), 0.15), at least I / 20 amount s < 0:  I (1 - h) + A
//   h,   h = -s (0.2 + 0.6 (1 - t))
// He, Sun, Tang 2009 (dark channel), 2013 (guided filter). A is the mean colour of the half percent of blocks with the
// lightest dark channel, of the whole frame whatever part of it is rendered.
// In, out: scene-linear Rec.2020. At 0 no pass runs. A value that is not a number stays so.
// Lengths: the patch is 1/150 of the full frame's diagonal; blocks are a quarter of that, anchored at pixel 0.
#pragma once

#include <array>

#include "develop/settings/presence.h"
#include "image/image.h"
#include "image/pass.h"

namespace imago::develop {

struct DehazePlan {
  int width = 0, height = 0;
  float amount = 0;  // -1 … 1
  int step = 1;      // edge of a block in pixels
  int grid_width = 0, grid_height = 0;
  int patch = 0;   // radius in blocks
  int radius = 0;  // of the guided filter in blocks
  bool is_identity() const { return amount == 0; }
};

using Airlight = std::array<float, 3>;

// full_diagonal_px: see plan_planes.
DehazePlan plan_dehaze(const Presence& presence, int width, int height, double full_diagonal_px);

// Of a whole frame. White, 1, for a frame without light.
Airlight airlight_of(const DehazePlan& plan, const Rgb32f& scene);

// On all threads, in place.
void dehaze(const DehazePlan& plan, const Airlight& airlight, Rgb32f& scene);

// Equals `upstream` for an identity.
StageKey key(const DehazePlan& plan, StageKey upstream);

}  // namespace imago::develop
