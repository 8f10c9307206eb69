// Masks other than ramps, and what becomes of several that are combined.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/math.h"
#include "base/simd.h"
#include "develop/stages/masks/masks.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

using geometry::Affine;

namespace {

struct Ellipse {
  double center_x, center_y, radius_x, radius_y, angle;  // sensor pixels, radians
};

RadialMask radial_mask(const Ellipse& ellipse, float feather_percent, const Affine& sensor) {
  const double c = std::cos(ellipse.angle), s = std::sin(ellipse.angle);
  // Of the middle of output pixel (0, 0).
  const double x0 = sensor.x0 + (sensor.xx + sensor.xy) / 2 - ellipse.center_x;
  const double y0 = sensor.y0 + (sensor.yx + sensor.yy) / 2 - ellipse.center_y;
  RadialMask out;
  out.u_origin = static_cast<float>((c * x0 + s * y0) / ellipse.radius_x);
  out.u_from_x = static_cast<float>((c * sensor.xx + s * sensor.yx) / ellipse.radius_x);
  out.u_from_y = static_cast<float>((c * sensor.xy + s * sensor.yy) / ellipse.radius_x);
  out.v_origin = static_cast<float>((c * y0 - s * x0) / ellipse.radius_y);
  out.v_from_x = static_cast<float>((c * sensor.yx - s * sensor.xx) / ellipse.radius_y);
  out.v_from_y = static_cast<float>((c * sensor.yy - s * sensor.xy) / ellipse.radius_y);
  out.inverse_feather = 1.0f / std::max(feather_percent * 0.01f, 1e-3f);
  return out;
}

float radial_value(const RadialMask& mask, float x, float y) {
  const float u = (mask.u_origin + y * mask.u_from_y) + x * mask.u_from_x;
  const float v = (mask.v_origin + y * mask.v_from_y) + x * mask.v_from_x;
  return smooth_step((1.0f - std::sqrt(u * u + v * v)) * mask.inverse_feather);
}

IMAGO_SIMD_CLONES
void radial_row(const RadialMask& mask, float y, int first, int last, float* out) {
  for (int x = first; x <= last; ++x) out[x] = radial_value(mask, static_cast<float>(x), y);
}

// The columns of a row that a circle can reach: where |u| <= 1.
RowRange columns_within(const RadialMask& mask, int y, int width) {
  const float at = mask.u_origin + static_cast<float>(y) * mask.u_from_y;
  const float across = mask.v_origin + static_cast<float>(y) * mask.v_from_y;
  float low = 0, high = static_cast<float>(width - 1);
  for (const auto& [origin, step] : {std::pair{at, mask.u_from_x}, {across, mask.v_from_x}}) {
    if (std::abs(step) < 1e-12f) {
      if (std::abs(origin) > 1) return {0, 0};
      continue;
    }
    const float a = (-1 - origin) / step, b = (1 - origin) / step;
    low = std::max(low, std::min(a, b) - 1);
    high = std::min(high, std::max(a, b) + 1);
  }
  if (!(low <= high)) return {0, 0};
  return {static_cast<int>(low), static_cast<int>(high) + 1};
}

void brush_row(const std::vector<DabShape>& dabs, int y, int width, float* out) {
  std::vector<float> touch(static_cast<std::size_t>(width));
  std::fill(out, out + width, 0.0f);
  for (const DabShape& dab : dabs) {
    const RowRange columns = columns_within(dab.shape, y, width);
    if (columns.begin >= columns.end) continue;
    radial_row(dab.shape, static_cast<float>(y), columns.begin, columns.end - 1, touch.data());
    for (int x = columns.begin; x < columns.end; ++x) {
      const float laid = dab.flow * touch[static_cast<std::size_t>(x)];
      const float missing = dab.density - out[x];
      out[x] = dab.erase != 0 ? out[x] - laid * out[x] : out[x] + (missing > 0.0f ? laid * missing : 0.0f);
    }
  }
}

// 0 … 1 along a cube root, about as the eye has it.
float lightness(const float* rgb) {
  return unit(poly_cbrt(working_luminance({finite(rgb[0]), finite(rgb[1]), finite(rgb[2])})));
}

void luminance_row(const RangeMask& range, const float* rgb, int width, float* out) {
  for (int x = 0; x < width; ++x) {
    const float l = lightness(rgb + 3 * x);
    out[x] = smooth_step((l - range.low) * range.inverse_width + 1.0f) *
             smooth_step((range.high - l) * range.inverse_width + 1.0f);
  }
}

struct Chromaticity {
  float a, b;
};

// Shares of the cube roots of red and blue in all three: brightness falls out.
Chromaticity chromaticity(float red, float green, float blue) {
  const float r = poly_cbrt(larger(red, 0.0f)), g = poly_cbrt(larger(green, 0.0f)), b = poly_cbrt(larger(blue, 0.0f));
  const float sum = larger((r + g) + b, 1e-6f);
  return {r / sum, b / sum};
}

void color_row(const RangeMask& range, const float* rgb, int width, float* out) {
  for (int x = 0; x < width; ++x) {
    const Chromaticity c = chromaticity(finite(rgb[3 * x]), finite(rgb[3 * x + 1]), finite(rgb[3 * x + 2]));
    const float da = c.a - range.a, db = c.b - range.b;
    out[x] = smooth_step((1.0f - std::sqrt(da * da + db * db) * range.inverse_tolerance) * 2.0f);
  }
}

RangeMask range_mask(const Mask& mask) {
  const Chromaticity sample = chromaticity(mask.red, mask.green, mask.blue);
  RangeMask out;
  out.low = mask.low * 0.01f;
  // Light beyond white counts as white.
  out.high = mask.high * 0.01f;
  out.inverse_width = 1.0f / std::max(mask.smoothness * 0.005f, 1e-3f);
  out.a = sample.a;
  out.b = sample.b;
  out.inverse_tolerance = 1.0f / std::max(mask.tolerance * 0.003f, 1e-4f);
  return out;
}

float combined(MaskCombine combine, float before, float value) {
  switch (combine) {
    case MaskCombine::begin: return value;
    case MaskCombine::add: return larger(before, value);
    case MaskCombine::subtract: return before * (1.0f - value);
    case MaskCombine::intersect: return before * value;
  }
  return value;
}

void shape_row(const MaskShape& shape, const LinearMask& linear, int y, int width, const float* rgb, float* out) {
  switch (shape.kind) {
    case MaskKind::linear:
      for (int x = 0; x < width; ++x) out[x] = linear_value(linear, static_cast<float>(x), static_cast<float>(y));
      break;
    case MaskKind::radial: radial_row(shape.radial, static_cast<float>(y), 0, width - 1, out); break;
    case MaskKind::brush: brush_row(shape.dabs, y, width, out); break;
    case MaskKind::luminance: luminance_row(shape.range, rgb, width, out); break;
    case MaskKind::color: color_row(shape.range, rgb, width, out); break;
  }
  if (shape.invert != 0) {
    for (int x = 0; x < width; ++x) out[x] = 1.0f - out[x];
  }
}

}  // namespace

std::vector<DabShape> brush_dabs(const Mask& mask, const Affine& sensor, double sensor_width, double sensor_height) {
  std::vector<DabShape> out;
  for (const BrushDab& dab : mask.dabs) {
    const double radius = static_cast<double>(dab.size) * sensor_width;
    const Ellipse circle{static_cast<double>(dab.x) * sensor_width, static_cast<double>(dab.y) * sensor_height, radius,
                         radius, 0};
    out.push_back({radial_mask(circle, dab.feather, sensor), dab.flow * 0.01f, dab.density * 0.01f, dab.erase});
  }
  return out;
}

MaskShape mask_shape(const Mask& mask, const Affine& sensor, double sensor_width, double sensor_height) {
  MaskShape shape;
  shape.kind = static_cast<MaskKind>(mask.kind);
  shape.combine = static_cast<MaskCombine>(mask.combine);
  shape.invert = mask.invert;
  switch (shape.kind) {
    case MaskKind::linear: break;
    case MaskKind::radial: {
      const Ellipse ellipse{
          static_cast<double>(mask.center_x) * sensor_width, static_cast<double>(mask.center_y) * sensor_height,
          static_cast<double>(mask.radius_x) * sensor_width, static_cast<double>(mask.radius_y) * sensor_height,
          static_cast<double>(mask.angle_deg) * std::numbers::pi / 180};
      shape.radial = radial_mask(ellipse, mask.feather, sensor);
      break;
    }
    case MaskKind::brush: shape.dabs = brush_dabs(mask, sensor, sensor_width, sensor_height); break;
    case MaskKind::luminance:
    case MaskKind::color: shape.range = range_mask(mask); break;
  }
  return shape;
}

void shape_rows(const MasksPlan& plan, RowRange rows, const Rgb32f* scene, std::uint32_t* out) {
  const int words = plan.words_per_pixel();
  const auto width = static_cast<std::size_t>(plan.width);
  std::vector<float> whole(width), part(width);
  for (int y = rows.begin; y < rows.end; ++y, out += width * static_cast<std::size_t>(words)) {
    std::fill(out, out + width * static_cast<std::size_t>(words), 0u);
    const float* rgb = scene != nullptr ? scene->row(y) : nullptr;
    std::size_t owner = 0;
    for (std::size_t i = 0; i < plan.shapes.size(); ++i) {
      // The first of a list can only begin.
      const MaskCombine combine = i == 0 ? MaskCombine::begin : plan.shapes[i].combine;
      if (combine == MaskCombine::begin) owner = i;
      shape_row(plan.shapes[i], plan.masks[i], y, plan.width, rgb, part.data());
      for (std::size_t x = 0; x < width; ++x) whole[x] = combined(combine, whole[x], part[x]);
      const bool is_last = i + 1 == plan.shapes.size() || plan.shapes[i + 1].combine == MaskCombine::begin;
      if (!is_last) continue;
      const std::size_t shift = 8 * (owner % 4);
      for (std::size_t x = 0; x < width; ++x) {
        const auto value = static_cast<std::uint32_t>(static_cast<std::int32_t>(whole[x] * 255.0f + 0.5f));
        out[x * static_cast<std::size_t>(words) + owner / 4] |= value << shift;
      }
    }
  }
}

void hash_shape(Hash64& hash, const MaskShape& shape) {
  const auto add_radial = [&](const RadialMask& r) {
    hash.add(r.u_origin).add(r.u_from_x).add(r.u_from_y).add(r.v_origin).add(r.v_from_x).add(r.v_from_y);
    hash.add(r.inverse_feather);
  };
  hash.add(static_cast<std::int32_t>(shape.kind)).add(static_cast<std::int32_t>(shape.combine)).add(shape.invert);
  add_radial(shape.radial);
  const RangeMask& range = shape.range;
  hash.add(range.low).add(range.high).add(range.inverse_width).add(range.a).add(range.b).add(range.inverse_tolerance);
  for (const DabShape& dab : shape.dabs) {
    add_radial(dab.shape);
    hash.add(dab.flow).add(dab.density).add(dab.erase);
  }
}

}  // namespace imago::develop
