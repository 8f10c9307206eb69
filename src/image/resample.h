// Separable resampling. The taps are computed once, in double precision, and used by CPU and GPU alike.
//
// Convention: pixel centres at +0.5, so output centre x reads around (x + 0.5) * source_size / output_size; a picture
// and its resized copy cover the same area. When shrinking, the filter is stretched by the ratio (a prefilter).
// The edge pixel repeats outwards: weights beyond it are added to it.
// Finite in, finite out; Mitchell and Catmull-Rom may go beyond the range of their input (overshoot, also below 0).
#pragma once

#include <cstdint>
#include <vector>

#include "base/rect.h"
#include "image/image.h"

namespace imago {

enum class ResampleFilter : std::uint8_t {
  mitchell,     // Mitchell & Netravali 1988, B = C = 1/3: little ringing, for shrinking
  catmull_rom,  // B = 0, C = 1/2: passes through the samples, for enlarging
  triangle,     // bilinear when enlarging
  box,          // area average when shrinking, nearest when enlarging
};

// Output pixel i is the sum over k < tap_count of weights[i * tap_count + k] * source[start[i] + k]. All taps lie
// inside the source. Weights are multiples of 2^-22 that sum to exactly 1: a constant picture keeps its value, exactly
// if that is a power of two, else within 2 ulp per axis.
struct ResampleTaps {
  int source_size = 0;
  int output_size = 0;
  int tap_count = 0;
  std::vector<std::int32_t> start;
  std::vector<float> weights;
  bool is_identity() const { return source_size == output_size; }
};

ResampleTaps resample_taps(int source_size, int output_size, ResampleFilter filter);

// The source rows that a range of output rows reads.
RowRange source_rows(const ResampleTaps& rows, RowRange output_rows);

// Rows first, then columns. Writes `output_rows` of the resized picture to `out`, rows of columns.output_size RGB
// pixels; needs room for rows.tap_count resized rows, no intermediate picture. Bits do not depend on how the rows are
// divided. Order of sums, for the mirror: along a row four partial sums (taps 0, 4, 8 … first), then ((s0 + s1) + s2)
// + s3; down a column one tap after the other.
void resample_rows(const Rgb32f& source, const ResampleTaps& columns, const ResampleTaps& rows, RowRange output_rows,
                   float* out);

// The whole picture on all threads.
Rgb32f resample(const Rgb32f& source, const ResampleTaps& columns, const ResampleTaps& rows);

}  // namespace imago
