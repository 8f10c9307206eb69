// geom: the camera's orientation, straighten, crop, quarter turns and flips in one gather.
//
// What a photographer sees: the upright, framed picture. Order: orientation -> straighten (about the centre of the
// upright frame) -> crop (in the straightened frame) -> quarter turns -> flips, so turns and flips act on the finished
// picture and carry the crop along.
// In, out: linear RGB, any colour space; values pass through, finite in gives finite out. A NaN spreads over the 4x4
// pixels of the filter.
// Filter: Catmull-Rom bicubic (Keys 1981, a = -1/2), bilinear in draft quality, both with the photo's edge repeated.
// A pixel whose centre falls outside the photo is blank: black.
// Without straighten every pixel is a copy, bit for bit; the identity copies nothing.
// Mirror: source positions are 32.32 fixed point, computed in integers on both sides, so the GPU takes the same pixels
// and the same filter fractions; only the sum of 16 products may round differently where a driver fuses.
#pragma once

#include <cstdint>

#include "base/rect.h"
#include "develop/settings/geometry.h"
#include "geometry/affine.h"
#include "image/image.h"
#include "image/pass.h"

namespace imago::develop {

enum class GeomFilter : std::uint8_t { bicubic, bilinear };

// Source position of output pixel (x, y): origin + x * step_x + y * step_y in units of 2^-32 px, so floor(position)
// is the pixel that it falls into. Steps are good to 2^-33, positions to 2^-16 px over 65535 pixels.
struct FixedAffine {
  std::int64_t x_origin = 0, x_from_x = 0, x_from_y = 0;
  std::int64_t y_origin = 0, y_from_x = 0, y_from_y = 0;
};

struct GeomPlan {
  int source_width = 0, source_height = 0;
  int output_width = 0, output_height = 0;
  GeomFilter filter = GeomFilter::bicubic;
  bool is_identity = false;             // output equals source
  bool is_copy = false;                 // every output pixel is one source pixel (orientation, turns, flips, crop)
  geometry::Affine source_from_output;  // continuous pixel positions, centres at +0.5
  FixedAffine fixed_source_from_output;
};

// source_width, source_height: of the picture as the sensor has it, at the level that is rendered; each at most 65535.
// orientation: EXIF 1 … 8, anything else counts as 1. The crop is rounded to whole pixels and keeps at least one.
GeomPlan plan_geom(const Geometry& geometry, int orientation, int source_width, int source_height,
                   GeomFilter filter = GeomFilter::bicubic);

// Fractions of the sensor frame (masks, spots) and pixel positions of this stage's output.
geometry::Affine sensor_from_output(const GeomPlan& plan);
geometry::Affine output_from_sensor(const GeomPlan& plan);

// The centre of output pixel (x, y) lies on the photo. The blank rule of both sides.
bool covers(const GeomPlan& plan, int x, int y);

// Rows of the output; `out` holds rows.count() rows of output_width RGB pixels. A pure function of the row.
void geom_rows(const GeomPlan& plan, const Rgb32f& source, RowRange rows, float* out);

// The whole picture on all threads. An identity moves its source through.
Rgb32f run_geom(const GeomPlan& plan, Rgb32f source);

// Adds the pass and returns the buffer that holds its output: the source's own when the plan is the identity.
int add_geom(const GeomPlan& plan, PassList& list, int source_buffer, StageKey key = 0);

// Equals `upstream` for an identity.
StageKey key(const GeomPlan& plan, StageKey upstream);

}  // namespace imago::develop
