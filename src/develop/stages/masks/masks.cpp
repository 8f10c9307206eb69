#include "develop/stages/masks/masks.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/simd.h"

namespace imago::develop {

using geometry::Affine;

namespace {

LinearMask linear_mask(const Mask& mask, const Affine& sensor_from_output, double sensor_width, double sensor_height) {
  // In sensor pixels, where the two axes have the same scale.
  const double start_x = static_cast<double>(mask.start_x) * sensor_width;
  const double start_y = static_cast<double>(mask.start_y) * sensor_height;
  const double along_x = static_cast<double>(mask.end_x) * sensor_width - start_x;
  const double along_y = static_cast<double>(mask.end_y) * sensor_height - start_y;
  const double length_squared = along_x * along_x + along_y * along_y;
  LinearMask out;
  out.invert = mask.invert;
  if (!(length_squared > 0) || !std::isfinite(length_squared)) return out;
  const double gx = along_x / length_squared, gy = along_y / length_squared;
  const Affine sensor = compose(Affine{sensor_width, 0, 0, 0, sensor_height, 0}, sensor_from_output);
  const double from_x = gx * sensor.xx + gy * sensor.yx;
  const double from_y = gx * sensor.xy + gy * sensor.yy;
  const double at_corner = gx * (sensor.x0 - start_x) + gy * (sensor.y0 - start_y);
  out.t_from_x = static_cast<float>(from_x);
  out.t_from_y = static_cast<float>(from_y);
  out.t_origin = static_cast<float>(at_corner + (from_x + from_y) / 2);
  return out;
}

float clamped_t(const LinearMask& mask, float x, float y) {
  const float t = (mask.t_origin + y * mask.t_from_y) + x * mask.t_from_x;
  return std::min(std::max(t, 0.0f), 1.0f);
}

float ramp_of(float t) { return t * t * (3.0f - 2.0f * t); }

std::uint32_t mask_value(const LinearMask& mask, float x, float y) {
  const float t = clamped_t(mask, x, y);
  const float ramp = ramp_of(t);
  const auto value = static_cast<std::uint32_t>(static_cast<std::int32_t>(ramp * 255.0f + 0.5f));
  return mask.invert != 0 ? 255u - value : value;
}

IMAGO_SIMD_CLONES
void add_mask_row(const LinearMask& mask, int y, int width, int shift, int stride, std::uint32_t* out) {
  const float row = static_cast<float>(y);
  for (int x = 0; x < width; ++x) out[x * stride] |= mask_value(mask, static_cast<float>(x), row) << shift;
}

}  // namespace

MasksPlan plan_masks(const Masks& masks, const Affine& sensor_from_output, int sensor_width, int sensor_height,
                     int output_width, int output_height) {
  MasksPlan plan;
  plan.width = output_width;
  plan.height = output_height;
  const Affine sensor_pixels = compose(
      Affine{static_cast<double>(sensor_width), 0, 0, 0, static_cast<double>(sensor_height), 0}, sensor_from_output);
  for (const Mask& mask : masks.list) {
    plan.shapes.push_back(mask_shape(mask, sensor_pixels, sensor_width, sensor_height));
    plan.masks.push_back(linear_mask(mask, sensor_from_output, sensor_width, sensor_height));
  }
  return plan;
}

bool MasksPlan::is_linear() const {
  return std::ranges::all_of(shapes, [](const MaskShape& shape) {
    return shape.kind == MaskKind::linear && shape.combine == MaskCombine::begin;
  });
}

bool MasksPlan::looks_at_scene() const {
  return std::ranges::any_of(shapes, [](const MaskShape& shape) {
    return shape.kind == MaskKind::luminance || shape.kind == MaskKind::color;
  });
}

float linear_value(const LinearMask& mask, float x, float y) { return ramp_of(clamped_t(mask, x, y)); }

std::uint8_t mask_at(const LinearMask& mask, int x, int y) {
  return static_cast<std::uint8_t>(mask_value(mask, static_cast<float>(x), static_cast<float>(y)));
}

void mask_rows(const MasksPlan& plan, RowRange rows, std::uint32_t* out, const Rgb32f* scene) {
  if (!plan.is_linear()) return shape_rows(plan, rows, scene, out);
  const int words = plan.words_per_pixel();
  const std::size_t row_words = static_cast<std::size_t>(plan.width) * static_cast<std::size_t>(words);
  for (int y = rows.begin; y < rows.end; ++y, out += row_words) {
    std::fill(out, out + row_words, 0u);
    for (int i = 0; i < static_cast<int>(plan.masks.size()); ++i) {
      add_mask_row(plan.masks[static_cast<std::size_t>(i)], y, plan.width, 8 * (i % 4), words, out + i / 4);
    }
  }
}

StageKey key(const MasksPlan& plan, StageKey upstream) {
  Hash64 hash;
  hash.add("masks").add(upstream).add(plan.width).add(plan.height);
  for (const LinearMask& mask : plan.masks) {
    hash.add(mask.t_origin).add(mask.t_from_x).add(mask.t_from_y).add(mask.invert);
  }
  if (!plan.is_linear()) {
    for (const MaskShape& shape : plan.shapes) hash_shape(hash, shape);
  }
  return hash.value();
}

}  // namespace imago::develop
