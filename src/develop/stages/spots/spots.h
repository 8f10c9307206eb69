// spots: circles filled from elsewhere in the picture, one after the other, each seeing what those before it left.
//
//   out  = in + m (fill - in),   m = opacity * smooth step of (1 - q) / feather, q the distance from the centre in
//   radii clone: fill(p) = in(p + offset) heal:  fill(p) = in(p + offset) + c(p), c the membrane through in(b) - in(b +
//   offset) at points b round the circle.
//          On a disc that is Poisson's integral: the mean of the differences weighted by 1 / |p - b|^2.
// Offsets are whole pixels, so nothing is blurred. An automatic source is the one of 48 places around, 2.2, 3.2 and 4.5
// radii away and wholly inside the frame, with the least squared differences round the circle less their mean; it is
// looked for at the size that is rendered. Pixels beyond the frame repeat its edge.
// Placed in fractions of the sensor frame and carried through geom's map. In, out: scene-linear Rec.2020. Finite in,
// finite out; differences that are no numbers count as 0.
#pragma once

#include <vector>

#include "develop/settings/spots.h"
#include "geometry/affine.h"
#include "image/image.h"
#include "image/pass.h"

namespace imago::develop {

struct SpotShape {
  SpotKind kind = SpotKind::heal;
  float x = 0, y = 0, radius = 1;  // pixels of the output
  bool is_automatic = false;
  int offset_x = 0, offset_y = 0;  // source less target
  float inverse_feather = 1;
  float opacity = 1;
};

struct SpotsPlan {
  std::vector<SpotShape> spots;
  bool is_identity() const { return spots.empty(); }
};

// output_from_sensor: fractions of the sensor -> pixel positions. level: output pixels per pixel of the sensor.
SpotsPlan plan_spots(const Spots& spots, const geometry::Affine& output_from_sensor, int sensor_width, double level);

// In place, on all threads.
void fill_spots(const SpotsPlan& plan, Rgb32f& scene);

// Equals `upstream` for an identity.
StageKey key(const SpotsPlan& plan, StageKey upstream);

}  // namespace imago::develop
