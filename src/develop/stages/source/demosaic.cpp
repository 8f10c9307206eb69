// Works down a block of columns row by row. Each step of the method is a function of one row; a step lags as many rows
// behind the one before it as it looks ahead, so that all that is alive are a few rows of every quantity, in rings that
// stay in the L2 cache. Rows are split: samples of even columns first, then those of odd columns. One half of a row
// then holds green only and the other half one colour only, whatever the phase, and no vector lane is idle.
#include "develop/stages/source/demosaic.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/parallel.h"
#include "base/simd.h"

namespace imago::develop {
namespace {

constexpr int block_columns = 992;  // of output; 1024 with margins
constexpr int band_rows = 160;      // of output
constexpr int margin_half = demosaic_margin / 2;
constexpr int half_capacity = block_columns / 2 + 2 * margin_half + 8;  // 8: a block may begin on an odd column
constexpr int median_passes = 2;
constexpr int look_ahead = 11 + median_passes;  // rows between the newest one read and the one written
constexpr int ring_rows = 32;
static_assert(look_ahead <= demosaic_margin && 2 * look_ahead < ring_rows);

// Square root encoding, linear below zero with the same slope: keeps noise even and negative samples alive.
constexpr float toe = 0.03f;

// The 9 taps of a Gaussian, sigma 2, sum 1.
constexpr float smooth_0 = 0.20416369f;
constexpr float smooth_1 = 0.18017383f;
constexpr float smooth_2 = 0.12383154f;
constexpr float smooth_3 = 0.066282243f;
constexpr float smooth_4 = 0.027630551f;

// Added to variances: equal weights where nothing varies.
constexpr float variance_floor = 1e-9f;

// A split row: `chroma` is the half with red or blue samples, `green` the other. `odd` is 1 when the chroma samples
// stand in odd columns: the green neighbours of chroma[i] are then green[i] and green[i + 1], else green[i - 1] and
// green[i].
struct SplitRow {
  float* chroma;
  float* green;
};

class Ring {
 public:
  explicit Ring(int half_count) : half_(half_count), samples_(static_cast<std::size_t>(ring_rows * 2 * half_count)) {
    std::fill(samples_.begin(), samples_.end(), 0.0f);
  }
  float* row(int y) { return samples_.data() + static_cast<std::size_t>((y & (ring_rows - 1)) * 2 * half_); }
  SplitRow split(int y, int odd) { return {row(y) + odd * half_, row(y) + (1 - odd) * half_}; }

 private:
  int half_;
  PixelBuffer<float> samples_;
};

IMAGO_SIMD_CLONES void encode_row(const float* in, float* even, float* odd, int count) {
  for (int i = 0; i < count; ++i) {
    const float a = in[2 * i];
    const float b = in[2 * i + 1];
    const float a_above = a > 0.0f ? a : 0.0f;
    const float b_above = b > 0.0f ? b : 0.0f;
    even[i] = std::sqrt(a_above + toe * toe) - toe + (a - a_above) * (0.5f / toe);
    odd[i] = std::sqrt(b_above + toe * toe) - toe + (b - b_above) * (0.5f / toe);
  }
}

// Green minus chroma along the row, at every sample: the missing one by the five-tap filter of Hamilton and Adams.
IMAGO_SIMD_CLONES void difference_across(const float* chroma, const float* green, int odd, float* at_chroma,
                                         float* at_green, int first, int last) {
  const float* green_left = green - 1 + odd;
  const float* green_right = green + odd;
  const float* chroma_left = chroma - odd;
  const float* chroma_right = chroma + 1 - odd;
  for (int i = first; i < last; ++i) {
    at_chroma[i] = 0.5f * (green_left[i] + green_right[i] - chroma[i]) - 0.25f * (chroma[i - 1] + chroma[i + 1]);
    at_green[i] = 0.25f * (green[i - 1] + green[i + 1]) + 0.5f * (green[i] - chroma_left[i] - chroma_right[i]);
  }
}

// The same down the columns, for one half of a row; `sign` is 1 where the row's own sample is chroma, -1 at green.
IMAGO_SIMD_CLONES void difference_down(const float* up2, const float* up1, const float* own, const float* down1,
                                       const float* down2, float sign, float* out, int count) {
  for (int i = 0; i < count; ++i) {
    out[i] = sign * (0.5f * (up1[i] + down1[i] - own[i]) - 0.25f * (up2[i] + down2[i]));
  }
}

IMAGO_SIMD_CLONES void smooth_across(const float* at_chroma, const float* at_green, int odd, float* out_chroma,
                                     float* out_green, int first, int last) {
  const float* green_left = at_green - 1 + odd;
  const float* chroma_left = at_chroma - odd;
  for (int i = first; i < last; ++i) {
    out_chroma[i] = smooth_0 * at_chroma[i] + smooth_1 * (green_left[i] + green_left[i + 1]) +
                    smooth_2 * (at_chroma[i - 1] + at_chroma[i + 1]) +
                    smooth_3 * (green_left[i - 1] + green_left[i + 2]) +
                    smooth_4 * (at_chroma[i - 2] + at_chroma[i + 2]);
    out_green[i] = smooth_0 * at_green[i] + smooth_1 * (chroma_left[i] + chroma_left[i + 1]) +
                   smooth_2 * (at_green[i - 1] + at_green[i + 1]) +
                   smooth_3 * (chroma_left[i - 1] + chroma_left[i + 2]) +
                   smooth_4 * (at_green[i - 2] + at_green[i + 2]);
  }
}

// Nine rows of one quantity, the middle one at [4].
using NineRows = std::array<const float*, 9>;

IMAGO_SIMD_CLONES void smooth_down(const NineRows& in, float* out, int count) {
  const float *a = in[0], *b = in[1], *c = in[2], *d = in[3], *e = in[4], *f = in[5], *g = in[6], *h = in[7],
              *k = in[8];
  for (int i = 0; i < count; ++i) {
    out[i] = smooth_0 * e[i] + smooth_1 * (d[i] + f[i]) + smooth_2 * (c[i] + g[i]) + smooth_3 * (b[i] + h[i]) +
             smooth_4 * (a[i] + k[i]);
  }
}

// Estimate of the difference at the chroma samples of a row, and the variance of its error.
struct Estimate {
  float* value;
  float* variance;
};

inline float square(float x) { return x * x; }

// Linear minimum mean square-error estimate from nine smoothed values s and raw values r, r4 and s4 in the middle.
#define IMAGO_ESTIMATE(value, variance)                                                                          \
  const float mean = (s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8) * (1.0f / 9.0f);                               \
  const float signal =                                                                                           \
      (square(s0 - mean) + square(s1 - mean) + square(s2 - mean) + square(s3 - mean) + square(s4 - mean) +       \
       square(s5 - mean) + square(s6 - mean) + square(s7 - mean) + square(s8 - mean)) *                          \
          (1.0f / 8.0f) +                                                                                        \
      variance_floor;                                                                                            \
  const float error = (square(r0 - s0) + square(r1 - s1) + square(r2 - s2) + square(r3 - s3) + square(r4 - s4) + \
                       square(r5 - s5) + square(r6 - s6) + square(r7 - s7) + square(r8 - s8)) *                  \
                          (1.0f / 9.0f) +                                                                        \
                      variance_floor;                                                                            \
  const float trust = signal / (signal + error);                                                                 \
  (value)[i] = mean + trust * (r4 - mean);                                                                       \
  (variance)[i] = trust * error;

IMAGO_SIMD_CLONES void estimate_across(const float* raw_chroma, const float* raw_green, const float* smooth_chroma,
                                       const float* smooth_green, int odd, float* value, float* variance, int first,
                                       int last) {
  const float* r = raw_green - 1 + odd;
  const float* s = smooth_green - 1 + odd;
  for (int i = first; i < last; ++i) {
    const float r0 = raw_chroma[i - 2], r2 = raw_chroma[i - 1], r4 = raw_chroma[i], r6 = raw_chroma[i + 1],
                r8 = raw_chroma[i + 2];
    const float r1 = r[i - 1], r3 = r[i], r5 = r[i + 1], r7 = r[i + 2];
    const float s0 = smooth_chroma[i - 2], s2 = smooth_chroma[i - 1], s4 = smooth_chroma[i], s6 = smooth_chroma[i + 1],
                s8 = smooth_chroma[i + 2];
    const float s1 = s[i - 1], s3 = s[i], s5 = s[i + 1], s7 = s[i + 2];
    IMAGO_ESTIMATE(value, variance)
  }
}

IMAGO_SIMD_CLONES void estimate_down(const NineRows& raw, const NineRows& smooth, float* value, float* variance,
                                     int first, int last) {
  const float *ra = raw[0], *rb = raw[1], *rc = raw[2], *rd = raw[3], *re = raw[4], *rf = raw[5], *rg = raw[6],
              *rh = raw[7], *rk = raw[8];
  const float *sa = smooth[0], *sb = smooth[1], *sc = smooth[2], *sd = smooth[3], *se = smooth[4], *sf = smooth[5],
              *sg = smooth[6], *sh = smooth[7], *sk = smooth[8];
  for (int i = first; i < last; ++i) {
    const float r0 = ra[i], r1 = rb[i], r2 = rc[i], r3 = rd[i], r4 = re[i], r5 = rf[i], r6 = rg[i], r7 = rh[i],
                r8 = rk[i];
    const float s0 = sa[i], s1 = sb[i], s2 = sc[i], s3 = sd[i], s4 = se[i], s5 = sf[i], s6 = sg[i], s7 = sh[i],
                s8 = sk[i];
    IMAGO_ESTIMATE(value, variance)
  }
}

// Joins both directions: weights are the reciprocals of the expected errors.
IMAGO_SIMD_CLONES void join(const float* value_across, const float* variance_across, const float* value_down,
                            const float* variance_down, float* out, int first, int last) {
  for (int i = first; i < last; ++i) {
    out[i] = (value_across[i] * variance_down[i] + value_down[i] * variance_across[i]) /
             (variance_across[i] + variance_down[i]);
  }
}

IMAGO_SIMD_CLONES void mean_of_two(const float* a, const float* b, float* out, int first, int last) {
  for (int i = first; i < last; ++i) out[i] = 0.5f * (a[i] + b[i]);
}

IMAGO_SIMD_CLONES void mean_of_four(const float* a, const float* b, const float* c, const float* d, float* out,
                                    int first, int last) {
  for (int i = first; i < last; ++i) out[i] = 0.25f * ((a[i] + b[i]) + (c[i] + d[i]));
}

inline void sort_pair(float& a, float& b) {
  const float low = a < b ? a : b;
  b = a < b ? b : a;
  a = low;
}

// Median of the 3 × 3 values around a sample of one half: own column and its left and right neighbours, which stand in
// the other half.
struct MedianRows {
  const float* own[3];   // the rows above, at and below: same half
  const float* left[3];  // other half; left[k][i] and left[k][i + 1] stand beside own[k][i]
};

IMAGO_SIMD_CLONES void median_row(const MedianRows& rows, float* out, int first, int last) {
  const float *o0 = rows.own[0], *o1 = rows.own[1], *o2 = rows.own[2];
  const float *l0 = rows.left[0], *l1 = rows.left[1], *l2 = rows.left[2];
  for (int i = first; i < last; ++i) {
    float a = l0[i], b = o0[i], c = l0[i + 1];
    float d = l1[i], e = o1[i], f = l1[i + 1];
    float g = l2[i], h = o2[i], k = l2[i + 1];
    // Sort each row of three, then the median is that of (largest low, middle of middles, smallest high).
    sort_pair(a, b);
    sort_pair(b, c);
    sort_pair(a, b);
    sort_pair(d, e);
    sort_pair(e, f);
    sort_pair(d, e);
    sort_pair(g, h);
    sort_pair(h, k);
    sort_pair(g, h);
    const float ad = a > d ? a : d;
    float low = ad > g ? ad : g;
    sort_pair(b, e);
    sort_pair(e, h);
    float middle = b > e ? b : e;
    const float cf = c < f ? c : f;
    float high = cf < k ? cf : k;
    sort_pair(low, middle);
    sort_pair(middle, high);
    out[i] = low > middle ? low : middle;
  }
}

// What a pixel's three colours are made of, for one half of a row.
struct FinalRow {
  const float* own;        // encoded samples
  const float* green_red;  // cleaned differences
  const float* green_blue;
};

inline float decode(float y) {
  const float above = y > 0.0f ? y : 0.0f;
  return y * (above + 2.0f * toe);
}

// `kind`: 0 the sample is red, 1 green, 2 blue.
IMAGO_SIMD_CLONES void finish_half(const float* own, const float* green_red, const float* green_blue, int kind,
                                   const float* matrix, float* red_out, float* green_out, float* blue_out, int first,
                                   int last) {
  const float m0 = matrix[0], m1 = matrix[1], m2 = matrix[2], m3 = matrix[3], m4 = matrix[4], m5 = matrix[5],
              m6 = matrix[6], m7 = matrix[7], m8 = matrix[8];
  const float take_red = kind == 0 ? 1.0f : 0.0f;
  const float take_blue = kind == 2 ? 1.0f : 0.0f;
  for (int i = first; i < last; ++i) {
    const float green = own[i] + take_red * green_red[i] + take_blue * green_blue[i];
    const float r = decode(green - green_red[i]);
    const float g = decode(green);
    const float b = decode(green - green_blue[i]);
    red_out[i] = (m0 * r + m1 * g) + m2 * b;
    green_out[i] = (m3 * r + m4 * g) + m5 * b;
    blue_out[i] = (m6 * r + m7 * g) + m8 * b;
  }
}

void interleave(const float* const even[3], const float* const odd[3], float* out, int width) {
  int i = 0;
  for (; 2 * i + 1 < width; ++i) {
    float* at = out + 6 * i;
    at[0] = even[0][i];
    at[1] = even[1][i];
    at[2] = even[2][i];
    at[3] = odd[0][i];
    at[4] = odd[1][i];
    at[5] = odd[2][i];
  }
  if (2 * i < width) {
    for (int c = 0; c < 3; ++c) out[6 * i + c] = even[c][i];
  }
}

// -1 → 1, n → n - 2: keeps the phase of a 2 × 2 mosaic.
int mirror(int i, int count) {
  if (count == 1) return 0;
  const int period = 2 * (count - 1);
  const int m = ((i % period) + period) % period;
  return m < count ? m : period - m;
}

// One block of columns in one band of rows.
class BlockDemosaic {
 public:
  BlockDemosaic(const Plane& mosaic, BayerPhase phase, const std::array<float, 9>& matrix)
      : mosaic_(mosaic), phase_(phase), matrix_(matrix) {}

  // Rows and columns in the mosaic; column 0 of `out` is `left`.
  void run(int left, int width, RowRange rows, float* out, std::size_t out_stride) {
    left_ = left & ~1;  // splitting starts on an even column
    skip_ = left - left_;
    half_ = (width + skip_ + 1) / 2 + 2 * margin_half;
    for (int y = rows.begin - look_ahead; y < rows.end + look_ahead; ++y) {
      const int newest = y;
      load(newest);
      down(newest - 2);
      smooth(newest - 6);
      estimate(newest - 10);
      interpolate(newest - 11);
      for (int pass = 0; pass < median_passes; ++pass) clean(newest - 12 - pass, pass);
      const int done = newest - look_ahead;
      if (done >= rows.begin) write(done, width, out + static_cast<std::size_t>(done - rows.begin) * out_stride);
    }
  }

 private:
  // 1 when the chroma samples of a row stand in odd columns.
  int odd(int y) const { return (phase_.red_x + y + phase_.red_y) & 1; }
  bool is_red(int y) const { return ((y + phase_.red_y) & 1) == 0; }

  void load(int y) {
    const float* in = mosaic_.row(mirror(y, mosaic_.height));
    const int first = left_ - demosaic_margin;
    const int count = 2 * half_;
    if (first < 0 || first + count > mosaic_.width) {
      for (int x = 0; x < count; ++x) line_[static_cast<std::size_t>(x)] = in[mirror(first + x, mosaic_.width)];
      in = line_.data();
    } else {
      in += first;
    }
    float* row = encoded_.row(y);
    encode_row(in, row, row + half_capacity, half_);
  }

  void down(int y) {
    for (int side = 0; side < 2; ++side) {
      const int at = side * half_capacity;
      difference_down(encoded_.row(y - 2) + at, encoded_.row(y - 1) + at, encoded_.row(y) + at,
                      encoded_.row(y + 1) + at, encoded_.row(y + 2) + at, side == odd(y) ? 1.0f : -1.0f,
                      down_.row(y) + at, half_);
    }
  }

  static NineRows nine(Ring& ring, int y, int at) {
    NineRows rows{};
    for (int k = 0; k < 9; ++k) rows[static_cast<std::size_t>(k)] = ring.row(y - 4 + k) + at;
    return rows;
  }

  void smooth(int y) {
    for (const int at : {0, half_capacity}) smooth_down(nine(down_, y, at), down_smooth_.row(y) + at, half_);
  }

  void estimate(int y) {
    const int o = odd(y);
    const SplitRow x = encoded_.split(y, o);
    difference_across(x.chroma, x.green, o, across_chroma_.data(), across_green_.data(), 1, half_ - 1);
    smooth_across(across_chroma_.data(), across_green_.data(), o, smooth_chroma_.data(), smooth_green_.data(), 3,
                  half_ - 3);
    const int first = 5;
    const int last = half_ - 5;
    estimate_across(across_chroma_.data(), across_green_.data(), smooth_chroma_.data(), smooth_green_.data(), o,
                    value_across_.data(), variance_across_.data(), first, last);
    const int at = o * half_capacity;
    estimate_down(nine(down_, y, at), nine(down_smooth_, y, at), value_down_.data(), variance_down_.data(), first,
                  last);
    join(value_across_.data(), variance_across_.data(), value_down_.data(), variance_down_.data(), joined_.row(y),
         first, last);
  }

  // Both differences at all pixels of a row, from those at the chroma samples of it and of the rows beside it.
  void interpolate(int y) {
    const int o = odd(y);
    const bool red = is_red(y);
    const SplitRow own = (red ? red_ : blue_)[0].split(y, o);
    const SplitRow other = (red ? blue_ : red_)[0].split(y, o);
    const float* above = joined_.row(y - 1);
    const float* here = joined_.row(y);
    const float* below = joined_.row(y + 1);
    const int first = 6;
    const int last = half_ - 6;
    std::copy(here + first, here + last, own.chroma + first);
    mean_of_two(here - o, here + 1 - o, own.green, first, last);
    mean_of_two(above, below, other.green, first, last);
    mean_of_four(above - 1 + o, above + o, below - 1 + o, below + o, other.chroma, first, last);
  }

  void clean(int y, int pass) {
    const int first = 7 + pass;
    for (auto* rings : {&red_, &blue_}) {
      Ring& in = (*rings)[static_cast<std::size_t>(pass)];
      float* out = (*rings)[static_cast<std::size_t>(pass + 1)].row(y);
      for (int side = 0; side < 2; ++side) {
        MedianRows rows{};
        for (int k = 0; k < 3; ++k) {
          const SplitRow row = in.split(y - 1 + k, side);
          rows.own[k] = row.chroma;
          rows.left[k] = row.green - 1 + side;
        }
        median_row(rows, out + side * half_capacity, first, half_ - first);
      }
    }
  }

  void write(int y, int width, float* out) {
    const int o = odd(y);
    const int last = half_ - margin_half;
    for (int side = 0; side < 2; ++side) {
      const int at = side * half_capacity;
      const int kind = side != o ? 1 : is_red(y) ? 0 : 2;
      auto& planes = result_[static_cast<std::size_t>(side)];
      finish_half(encoded_.row(y) + at, red_[median_passes].row(y) + at, blue_[median_passes].row(y) + at, kind,
                  matrix_.data(), planes[0].data(), planes[1].data(), planes[2].data(), margin_half, last);
    }
    const float* even[3];
    const float* odds[3];
    for (std::size_t c = 0; c < 3; ++c) {
      even[c] = result_[0][c].data() + margin_half;
      odds[c] = result_[1][c].data() + margin_half;
    }
    if (skip_ == 1) {  // the block begins with the odd column
      for (std::size_t c = 0; c < 3; ++c) {
        std::swap(even[c], odds[c]);
        ++odds[c];
      }
    }
    interleave(even, odds, out, width);
  }

  using HalfRow = std::array<float, half_capacity>;

  const Plane& mosaic_;
  const BayerPhase phase_;
  const std::array<float, 9>& matrix_;
  int left_ = 0;
  int skip_ = 0;
  int half_ = 0;
  Ring encoded_{half_capacity};
  Ring down_{half_capacity};
  Ring down_smooth_{half_capacity};
  Ring joined_{half_capacity};
  std::array<Ring, median_passes + 1> red_{Ring(half_capacity), Ring(half_capacity), Ring(half_capacity)};
  std::array<Ring, median_passes + 1> blue_{Ring(half_capacity), Ring(half_capacity), Ring(half_capacity)};
  std::array<float, 2 * half_capacity> line_{};
  HalfRow across_chroma_{}, across_green_{}, smooth_chroma_{}, smooth_green_{};
  HalfRow value_across_{}, variance_across_{}, value_down_{}, variance_down_{};
  std::array<std::array<HalfRow, 3>, 2> result_{};
};

}  // namespace

Rgb32f demosaic_bayer(const Plane& mosaic, BayerPhase phase, Rect crop, const std::array<float, 9>& matrix) {
  Rgb32f out(crop.width, crop.height);
  const int blocks = (crop.width + block_columns - 1) / block_columns;
  const int bands = (crop.height + band_rows - 1) / band_rows;
  parallel_for(blocks * bands, 1, [&](RowRange range) {
    for (int i = range.begin; i < range.end; ++i) {
      const int x = (i % blocks) * block_columns;
      const int y = (i / blocks) * band_rows;
      const int width = std::min(block_columns, crop.width - x);
      const RowRange rows{crop.y + y, crop.y + std::min(y + band_rows, crop.height)};
      BlockDemosaic block(mosaic, phase, matrix);
      block.run(crop.x + x, width, rows, out.at(x, y), out.row_samples());
    }
  });
  return out;
}

}  // namespace imago::develop
