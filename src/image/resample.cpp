#include "image/resample.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "base/parallel.h"
#include "base/simd.h"

namespace imago {
namespace {

constexpr int rows_per_chunk = 64;
constexpr double weight_unit = 1.0 / (1 << 22);

// Piecewise cubic of Mitchell & Netravali, for |x| < 2.
double cubic(double x, double b, double c) {
  x = std::abs(x);
  if (x < 1) return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + (6 - 2 * b)) / 6;
  if (x < 2) {
    return ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x + (8 * b + 24 * c)) / 6;
  }
  return 0;
}

double support_of(ResampleFilter filter) {
  switch (filter) {
    case ResampleFilter::box: return 0.5;
    case ResampleFilter::triangle: return 1;
    default: return 2;
  }
}

// Weight of the source pixel [i, i + 1) for a filter centred at `centre`, stretched by `stretch`.
double weight_of(ResampleFilter filter, double centre, double stretch, int i) {
  const double x = (i + 0.5 - centre) / stretch;
  switch (filter) {
    case ResampleFilter::mitchell: return cubic(x, 1.0 / 3, 1.0 / 3);
    case ResampleFilter::catmull_rom: return cubic(x, 0, 0.5);
    case ResampleFilter::triangle: return std::max(0.0, 1 - std::abs(x));
    case ResampleFilter::box: {  // the share of the pixel that the box covers
      const double low = std::max<double>(i, centre - stretch / 2);
      const double high = std::min<double>(i + 1, centre + stretch / 2);
      return std::max(0.0, high - low);
    }
  }
  return 0;
}

// Multiples of weight_unit with the sum 1; what rounding leaves over goes to the largest.
void quantise(std::vector<double>& weights) {
  double sum = 0;
  for (const double w : weights) sum += w;
  double left = 1;
  for (double& w : weights) {
    w = std::round(w / sum / weight_unit) * weight_unit;
    left -= w;
  }
  *std::max_element(weights.begin(), weights.end()) += left;
}

}  // namespace

ResampleTaps resample_taps(int source_size, int output_size, ResampleFilter filter) {
  assert(source_size > 0 && output_size > 0);
  const double scale = static_cast<double>(source_size) / output_size;
  const double stretch = std::max(1.0, scale);
  const double reach = support_of(filter) * stretch;
  ResampleTaps taps;
  taps.source_size = source_size;
  taps.output_size = output_size;
  // Groups of four suit the row loop.
  const int widest = static_cast<int>(std::ceil(2 * reach)) + 1;
  taps.tap_count = std::min((widest + 3) / 4 * 4, source_size);
  taps.start.resize(static_cast<std::size_t>(output_size));
  taps.weights.resize(static_cast<std::size_t>(output_size) * static_cast<std::size_t>(taps.tap_count));
  std::vector<double> weights(static_cast<std::size_t>(taps.tap_count));
  for (int i = 0; i < output_size; ++i) {
    const double centre = (i + 0.5) * scale;
    const int first = static_cast<int>(std::floor(centre - reach));
    const int start = std::clamp(first, 0, source_size - taps.tap_count);
    std::fill(weights.begin(), weights.end(), 0.0);
    for (int k = first; k < first + widest; ++k) {
      const int inside = std::clamp(k, 0, source_size - 1);
      const double w = weight_of(filter, centre, stretch, k);
      if (w != 0) weights[static_cast<std::size_t>(inside - start)] += w;
    }
    quantise(weights);
    taps.start[static_cast<std::size_t>(i)] = start;
    std::transform(weights.begin(), weights.end(),
                   taps.weights.begin() + static_cast<std::ptrdiff_t>(i) * taps.tap_count,
                   [](double w) { return static_cast<float>(w); });
  }
  return taps;
}

RowRange source_rows(const ResampleTaps& rows, RowRange output_rows) {
  if (output_rows.count() <= 0) return {};
  return {rows.start[static_cast<std::size_t>(output_rows.begin)],
          rows.start[static_cast<std::size_t>(output_rows.end - 1)] + rows.tap_count};
}

namespace {

using Float4 = float __attribute__((vector_size(16)));
using Float8 = float __attribute__((vector_size(32)));

// By reference: a returned Float8 would depend on the ABI of the instruction set.
template <typename Vector>
void load(const float* from, Vector& v) {
  std::memcpy(&v, from, sizeof v);
}

// One row: four taps of RGB are twelve neighbouring floats.
IMAGO_SIMD_CLONES
void resample_row(const float* source, const ResampleTaps& taps, float* out) {
  const float* weights = taps.weights.data();
  const int grouped = taps.tap_count / 4 * 4;
  for (int i = 0; i < taps.output_size; ++i, weights += taps.tap_count, out += 3) {
    const float* from = source + static_cast<std::ptrdiff_t>(taps.start[static_cast<std::size_t>(i)]) * 3;
    Float4 a{}, b{}, c{};
    for (int k = 0; k < grouped; k += 4, from += 12) {
      Float4 w, s, t, u;
      load(weights + k, w);
      load(from, s);
      load(from + 4, t);
      load(from + 8, u);
      a += __builtin_shufflevector(w, w, 0, 0, 0, 1) * s;
      b += __builtin_shufflevector(w, w, 1, 1, 2, 2) * t;
      c += __builtin_shufflevector(w, w, 2, 3, 3, 3) * u;
    }
    float sums[12];
    std::memcpy(sums, &a, sizeof a);
    std::memcpy(sums + 4, &b, sizeof b);
    std::memcpy(sums + 8, &c, sizeof c);
    for (int k = grouped; k < taps.tap_count; ++k, from += 3) {
      for (int channel = 0; channel < 3; ++channel) sums[(k - grouped) * 3 + channel] += weights[k] * from[channel];
    }
    for (int channel = 0; channel < 3; ++channel) {
      out[channel] = ((sums[channel] + sums[3 + channel]) + sums[6 + channel]) + sums[9 + channel];
    }
  }
}

// out[i] = sum of weights[k] * rows[k][i]
IMAGO_SIMD_CLONES
void weigh_rows(const float* const* rows, const float* weights, int tap_count, int count, float* out) {
  int i = 0;
  for (; i + 32 <= count; i += 32) {
    Float8 a{}, b{}, c{}, d{};
    for (int k = 0; k < tap_count; ++k) {
      const float* row = rows[k] + i;
      const float w = weights[k];
      Float8 s, t, u, v;
      load(row, s);
      load(row + 8, t);
      load(row + 16, u);
      load(row + 24, v);
      a += w * s;
      b += w * t;
      c += w * u;
      d += w * v;
    }
    std::memcpy(out + i, &a, sizeof a);
    std::memcpy(out + i + 8, &b, sizeof b);
    std::memcpy(out + i + 16, &c, sizeof c);
    std::memcpy(out + i + 24, &d, sizeof d);
  }
  for (; i < count; ++i) {
    float sum = 0.0f;
    for (int k = 0; k < tap_count; ++k) sum += weights[k] * rows[k][i];
    out[i] = sum;
  }
}

}  // namespace

void resample_rows(const Rgb32f& source, const ResampleTaps& columns, const ResampleTaps& rows, RowRange output_rows,
                   float* out) {
  assert(source.width == columns.source_size && source.height == rows.source_size);
  const std::size_t row_samples = static_cast<std::size_t>(columns.output_size) * 3;
  const std::size_t taps = static_cast<std::size_t>(rows.tap_count);
  // A ring of resized rows: source row y lives in slot y mod tap_count.
  PixelBuffer<float> ring(taps * row_samples);
  std::vector<const float*> window(taps);
  int ready_end = source_rows(rows, output_rows).begin;
  for (int y = output_rows.begin; y < output_rows.end; ++y, out += row_samples) {
    const int first = rows.start[static_cast<std::size_t>(y)];
    for (ready_end = std::max(ready_end, first); ready_end < first + rows.tap_count; ++ready_end) {
      float* slot = ring.data() + static_cast<std::size_t>(ready_end % rows.tap_count) * row_samples;
      if (columns.is_identity()) {
        std::memcpy(slot, source.row(ready_end), row_samples * sizeof(float));
      } else {
        resample_row(source.row(ready_end), columns, slot);
      }
    }
    for (int k = 0; k < rows.tap_count; ++k) {
      window[static_cast<std::size_t>(k)] =
          ring.data() + static_cast<std::size_t>((first + k) % rows.tap_count) * row_samples;
    }
    weigh_rows(window.data(), rows.weights.data() + static_cast<std::ptrdiff_t>(y) * rows.tap_count, rows.tap_count,
               static_cast<int>(row_samples), out);
  }
}

Rgb32f resample(const Rgb32f& source, const ResampleTaps& columns, const ResampleTaps& rows) {
  Rgb32f output(columns.output_size, rows.output_size);
  parallel_for(rows.output_size, rows_per_chunk,
               [&](RowRange range) { resample_rows(source, columns, rows, range, output.row(range.begin)); });
  return output;
}

}  // namespace imago
