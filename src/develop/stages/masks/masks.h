// masks: where a local adjustment acts, one byte a pixel, 255 = fully.
//
// Placed in fractions of the sensor frame and carried through geom's map, so framing leaves a mask on its subject.
// Linear: t runs from 0 at `start` to 1 at `end` along the straight line between them, measured in sensor pixels;
// the mask is 3t^2 - 2t^3 of t clamped to 0 … 1, rounded to a byte; `invert` takes 255 minus it. When both points are
// the same there is no direction: 0 everywhere (255 inverted).
// Radial, q the distance from the centre in radii: smooth step of (1 - q) / feather. Brush: each dab is such a circle c
// and lays flow * c of what is missing to `density`, or takes flow * c of what is there. Luminance: the cube root of Y
// between `low` and `high` with soft ends. Color: the distance between the shares of red and blue in the cube roots of
// the channels. Parts of one mask: add takes the larger, subtract m (1 - p), intersect m p; the bytes are those of the
// entry that began, those of its parts are 0. Range masks look at the scene without noise and haze.
// `amount` is not part of the mask: it scales the adjustments (mask_terms), so that its drag rebuilds nothing.
// Mirror: t and the ramp are f32; where a driver fuses or re-associates, about four bytes in a million round to their
// neighbour.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "base/rect.h"
#include "develop/settings/masks.h"
#include "geometry/affine.h"
#include "image/image.h"
#include "image/pass.h"

namespace imago::develop {

// t(x, y) = t_origin + x * t_from_x + y * t_from_y for the centre of output pixel (x, y).
struct LinearMask {
  float t_origin = 0;
  float t_from_x = 0;
  float t_from_y = 0;
  std::uint32_t invert = 0;
};

// u and v: position in radii from the centre, along the ellipse's own axes; affine in the output's pixels.
struct RadialMask {
  float u_origin = 0, u_from_x = 0, u_from_y = 0;
  float v_origin = 0, v_from_x = 0, v_from_y = 0;
  float inverse_feather = 1;
};

struct DabShape {
  RadialMask shape;
  float flow = 1, density = 1;
  std::uint32_t erase = 0;
};

struct RangeMask {
  float low = 0, high = 1, inverse_width = 1;  // of lightness
  float a = 0, b = 0, inverse_tolerance = 1;   // of chromaticity
};

struct MaskShape {
  MaskKind kind = MaskKind::linear;
  MaskCombine combine = MaskCombine::begin;
  std::uint32_t invert = 0;
  RadialMask radial;
  RangeMask range;
  std::vector<DabShape> dabs;
};

struct MasksPlan {
  int width = 0, height = 0;      // of the output
  std::vector<LinearMask> masks;  // one an entry; of other kinds it means nothing
  std::vector<MaskShape> shapes;  // one an entry
  // Four masks share a u32: mask i is byte i % 4 of word i / 4 of its pixel.
  bool is_linear() const;       // ramps alone, none combined: what the kernel does
  bool looks_at_scene() const;  // a luminance or colour range
  int words_per_pixel() const { return (static_cast<int>(masks.size()) + 3) / 4; }
};

// sensor_from_output: output pixel positions -> fractions of the sensor (geom's map after resize's scale).
// sensor_width, sensor_height: only their ratio matters.
MasksPlan plan_masks(const Masks& masks, const geometry::Affine& sensor_from_output, int sensor_width,
                     int sensor_height, int output_width, int output_height);

// A mask's value at an output pixel.
std::uint8_t mask_at(const LinearMask& mask, int x, int y);

// Rows of the packed masks: rows.count() * width * words_per_pixel() words, the GPU's layout.
// scene: of the plan's size, may be null unless the plan looks_at_scene().
void mask_rows(const MasksPlan& plan, RowRange rows, std::uint32_t* out, const Rgb32f* scene = nullptr);

// What mask_rows is made of. sensor_from_output in sensor pixels here.
float linear_value(const LinearMask& mask, float x, float y);  // 0 … 1, not inverted
std::vector<DabShape> brush_dabs(const Mask& mask, const geometry::Affine& sensor_from_output, double sensor_width,
                                 double sensor_height);
MaskShape mask_shape(const Mask& mask, const geometry::Affine& sensor_from_output, double sensor_width,
                     double sensor_height);
void shape_rows(const MasksPlan& plan, RowRange rows, const Rgb32f* scene, std::uint32_t* out);
void hash_shape(Hash64& hash, const MaskShape& shape);

// The packed masks as a buffer of words_per_pixel() u32 channels; -1 when there is no mask. For plans
// that are is_linear().
int add_masks(const MasksPlan& plan, PassList& list, StageKey key = 0);

StageKey key(const MasksPlan& plan, StageKey upstream);

}  // namespace imago::develop
