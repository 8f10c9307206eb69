// planes: base layers, the picture without its fine detail, kept apart so that tone can move large areas without
// flattening what lies in them.
//
// base = guided filter of L with itself as the guide, L = log2(luminance): smooth within areas, sharp at strong edges.
//   L    = log2(clamp(Y, 2^-14, 2^16)), Y = Rec.2020 luminance; NaN counts as 2^-14
//   a, b = per window: a = var / (var + epsilon), b = (1 - a) * mean;   base = mean(a) * L + mean(b)
// He, Sun, Tang 2013; fast form He & Sun 2015: a and b live on a grid of block means, read back bilinearly. In log2 a
// gain only shifts L, so the filter does not depend on exposure: it reads the scene before exposure and tone, and a
// drag of either rebuilds nothing.
// In: scene-linear Rec.2020. Out: one plane, stops (log2), always finite and within the range of L give or take the
// rounding of one blend.
// Lengths: the radius is a fraction of the full frame's diagonal, so a preview shows what the export will.
// Blocks are anchored at pixel 0 of the full frame; windows are clipped at the frame and averaged over what is inside.
// Covariances are taken about the frame's mean of L (an integer sum of L in 1/1024 stops, the same bits on both
// sides), so that nothing cancels.
// Mirror: same order of sums; tolerance 2e-5 stops, from fused multiply-add where a driver has it.
#pragma once

#include "image/image.h"
#include "image/pass.h"

namespace imago::develop {

// Radius of the base layer that highlights, shadows and clarity use: 1/60 of the full frame's diagonal.
inline constexpr double base_radius_of_diagonal = 1.0 / 60;
// (half a stop)^2: smaller variation counts as detail, larger as an edge.
inline constexpr float base_epsilon = 0.25f;

struct PlanesPlan {
  int width = 0, height = 0;  // of the picture
  int step = 1;               // edge of a block in pixels
  int grid_width = 0, grid_height = 0;
  int radius = 0;  // of the window in blocks: 2 * radius + 1 whole ones …
  float edge = 0;  // … and this share of the next one on each side
  float epsilon = base_epsilon;
};

// Block edge for a window of that radius in pixels: the window is then about 12 blocks wide.
int guided_fast_step(double radius_px);

// full_diagonal_px: diagonal of the uncropped frame in pixels of this level (as if it were rendered whole).
PlanesPlan plan_planes(int width, int height, double full_diagonal_px,
                       double radius_of_diagonal = base_radius_of_diagonal, float epsilon = base_epsilon);

// The base layer on all threads.
Plane base_layer(const PlanesPlan& plan, const Rgb32f& scene);

// The mean of L over the blocks of the frame, in whole 1/1024 stops: what covariances are taken about.
float frame_mean(const PlanesPlan& plan, const Rgb32f& scene);

// Adds the passes and returns the buffer of the base layer: width x height, one f32 channel.
int add_planes(const PlanesPlan& plan, PassList& list, int scene_buffer, StageKey key = 0);

StageKey key(const PlanesPlan& plan, StageKey upstream);

}  // namespace imago::develop
