// masks: where a local adjustment acts, one byte a pixel, 255 = fully.
//
// Placed in fractions of the sensor frame and carried through geom's map, so framing leaves a mask on its subject.
// Linear: t runs from 0 at `start` to 1 at `end` along the straight line between them, measured in sensor pixels;
// the mask is 3t^2 - 2t^3 of t clamped to 0 … 1, rounded to a byte; `invert` takes 255 minus it. When both points are
// the same there is no direction: 0 everywhere (255 inverted).
// `amount` is not part of the mask: it scales the adjustments (mask_terms), so that its drag rebuilds nothing.
// Mirror: t and the ramp are f32; where a driver fuses or re-associates, about four bytes in a million round to their
// neighbour.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rect.h"
#include "develop/settings/masks.h"
#include "geometry/affine.h"
#include "image/pass.h"

namespace imago::develop {

// t(x, y) = t_origin + x * t_from_x + y * t_from_y for the centre of output pixel (x, y).
struct LinearMask {
  float t_origin = 0;
  float t_from_x = 0;
  float t_from_y = 0;
  std::uint32_t invert = 0;
};

struct MasksPlan {
  int width = 0, height = 0;  // of the output
  std::vector<LinearMask> masks;
  // Four masks share a u32: mask i is byte i % 4 of word i / 4 of its pixel.
  int words_per_pixel() const { return (static_cast<int>(masks.size()) + 3) / 4; }
};

// sensor_from_output: output pixel positions -> fractions of the sensor (geom's map after resize's scale).
// sensor_width, sensor_height: only their ratio matters.
MasksPlan plan_masks(const Masks& masks, const geometry::Affine& sensor_from_output, int sensor_width,
                     int sensor_height, int output_width, int output_height);

// A mask's value at an output pixel.
std::uint8_t mask_at(const LinearMask& mask, int x, int y);

// Rows of the packed masks: rows.count() * width * words_per_pixel() words, the GPU's layout.
void mask_rows(const MasksPlan& plan, RowRange rows, std::uint32_t* out);

// The packed masks as a buffer of words_per_pixel() u32 channels; -1 when there is no mask.
int add_masks(const MasksPlan& plan, PassList& list, StageKey key = 0);

StageKey key(const MasksPlan& plan, StageKey upstream);

}  // namespace imago::develop
