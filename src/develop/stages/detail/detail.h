// detail: clarity, texture and sharpening, as one gain on scene-linear light.
//
//   L       = log2 luminance (planes.h)
//   clarity = 0.7 * clarity * M(base) * soft(L - base, 1.5)         base: the wide base layer; M fades away from
//   mid-grey texture = 0.9 * texture * soft(L - fine, 0.6)                   fine: a base layer of 1/24 of the radius
//   edges   = 1.5 * amount * mask * (L - gauss(L, radius)), held within the 3 x 3 extremes of L give or take `slack`
//   out     = in * 2^(D(L) * (clarity + texture + edges))           D fades to 0 from 2^-8 to 2^-13: sensor noise
//   soft(x, s) = x / (1 + |x| / s),   slack = detail^2 + 0.02 stops
//   mask    = smooth step of |grad gauss(L)| up to 0.3 * masking stops a pixel of the full frame
//
// All channels get one gain: hue and saturation stay. It commutes with exposure, white balance and the tools that
// follow the base layer, so they need not come first: their drags rebuild nothing here. In, out: scene-linear Rec.2020;
// with everything at 0 no pass runs. A pixel that is not a number stays so.
// Lengths are pixels of the full frame, scaled by the level. The frame's edge pixels repeat outwards.
// Mirror: sums of up to 19 taps, poly_log2, poly_exp2: 2e-5 stops.
#pragma once

#include <vector>

#include "develop/settings/presence.h"
#include "develop/settings/sharpen.h"
#include "develop/stages/planes/planes.h"

namespace imago::develop {

inline constexpr double fine_radius_of_diagonal = base_radius_of_diagonal / 24;
inline constexpr float fine_epsilon = 0.02f;

struct DetailPlan {
  int width = 0, height = 0;
  float clarity = 0, texture = 0, sharpen = 0;  // with their factors
  float slack = 0;
  float mask_from_gradient = 0;  // 0: no mask
  int tap_reach = 0;
  std::vector<float> taps;  // of the blur: the centre, then outwards
  PlanesPlan fine;          // used when texture is not 0
  bool is_identity() const { return clarity == 0 && texture == 0 && sharpen == 0; }
  bool needs_base() const { return clarity != 0; }
};

// level: output pixels per pixel of the full frame. full_diagonal_px: see plan_planes.
DetailPlan plan_detail(const Sharpen& sharpen, const Presence& presence, int width, int height, double level,
                       double full_diagonal_px);

// The scene with its detail, on all threads. base: of this scene, may be null unless the plan needs_base().
Rgb32f apply_detail(const DetailPlan& plan, const Rgb32f& scene, const Plane* base);

// Equals `upstream` for an identity.
StageKey key(const DetailPlan& plan, StageKey upstream);

}  // namespace imago::develop
