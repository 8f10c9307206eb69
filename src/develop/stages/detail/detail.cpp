#include "develop/stages/detail/detail.h"

#include <algorithm>
#include <cassert>

#include "base/parallel.h"
#include "base/simd.h"
#include "develop/stages/detail/detail_pixel.h"
#include "develop/stages/planes/log_luminance.h"

namespace imago::develop {
namespace {

constexpr int rows_per_chunk = 32;

IMAGO_SIMD_CLONES
void log_luminance_row(const float* rgb, int count, float* out) {
  for (int x = 0; x < count; ++x) out[x] = log_luminance(rgb[3 * x], rgb[3 * x + 1], rgb[3 * x + 2]);
}

IMAGO_SIMD_CLONES
void add_pair(const float* low, const float* high, float tap, int count, float* sum) {
  for (int x = 0; x < count; ++x) sum[x] += tap * (low[x] + high[x]);
}

IMAGO_SIMD_CLONES
void scale_row(const float* in, float tap, int count, float* out) {
  for (int x = 0; x < count; ++x) out[x] = tap * in[x];
}

// `padded` has `reach` repeated pixels at both ends.
void blur_row(const std::vector<float>& taps, const float* padded, int reach, int count, float* out) {
  const float* centre = padded + reach;
  scale_row(centre, taps[0], count, out);
  for (int i = 1; i <= reach; ++i) add_pair(centre - i, centre + i, taps[static_cast<std::size_t>(i)], count, out);
}

// Smallest and largest down three rows.
IMAGO_SIMD_CLONES
void extreme_columns(const float* above, const float* here, const float* below, int count, float* low, float* high) {
  for (int x = 0; x < count; ++x) {
    low[x] = smaller(smaller(above[x], below[x]), here[x]);
    high[x] = larger(larger(above[x], below[x]), here[x]);
  }
}

struct SharpenRows {
  const float* blurred_above;
  const float* blurred;
  const float* blurred_below;
  const float* low;  // down columns, padded by one at both ends
  const float* high;
};

// Adds to `added`. Blurred rows are padded by one at both ends, too.
IMAGO_SIMD_CLONES
void add_sharpening(const DetailPlan& plan, const float* stops, const SharpenRows& rows, int count, float* added) {
  const float amount = plan.sharpen, slack = plan.slack, mask = plan.mask_from_gradient;
  for (int x = 0; x < count; ++x) {
    const float low = smaller(smaller(rows.low[x], rows.low[x + 2]), rows.low[x + 1]);
    const float high = larger(larger(rows.high[x], rows.high[x + 2]), rows.high[x + 1]);
    const float dx = (rows.blurred[x + 2] - rows.blurred[x]) * 0.5f;
    const float dy = (rows.blurred_below[x + 1] - rows.blurred_above[x + 1]) * 0.5f;
    added[x] += sharpen_stops(amount, slack, mask, stops[x], rows.blurred[x + 1], low, high, dx * dx + dy * dy);
  }
}

IMAGO_SIMD_CLONES
void add_clarity(float amount, const float* stops, const float* base, int count, float* added) {
  for (int x = 0; x < count; ++x) added[x] += clarity_stops(amount, stops[x], base[x]);
}

IMAGO_SIMD_CLONES
void add_texture(float amount, const float* stops, const float* fine, int count, float* added) {
  for (int x = 0; x < count; ++x) added[x] += texture_stops(amount, stops[x], fine[x]);
}

IMAGO_SIMD_CLONES
void apply_row(const float* rgb, const float* stops, const float* added, int count, float* out) {
  for (int x = 0; x < count; ++x) {
    const float gain = detail_gain(stops[x], added[x]);
    for (int c = 0; c < 3; ++c) out[3 * x + c] = rgb[3 * x + c] * gain;
  }
}

// L, its blur and extremes for a chunk of rows and the rows around it.
class ChunkRows {
 public:
  ChunkRows(const DetailPlan& plan, const Rgb32f& scene, RowRange rows)
      : plan_(plan), width_(plan.width), last_(plan.height - 1) {
    reach_ = plan.sharpen != 0 ? plan.tap_reach : 0;
    halo_ = plan.sharpen != 0 ? reach_ + 1 : 0;
    first_ = std::max(rows.begin - halo_, 0);
    const int end = std::min(rows.end + halo_, plan.height);
    padded_ = static_cast<std::size_t>(width_) + 2;
    stops_.resize(static_cast<std::size_t>(end - first_) * static_cast<std::size_t>(width_));
    for (int y = first_; y < end; ++y) log_luminance_row(scene.row(y), width_, stops(y));
    if (plan.sharpen == 0) return;
    column_.resize(static_cast<std::size_t>(width_ + 2 * reach_));
    for (auto& row : blurred_) row.resize(padded_);
    low_.resize(padded_);
    high_.resize(padded_);
  }

  float* stops(int y) {
    return stops_.data() + static_cast<std::size_t>(y - first_) * static_cast<std::size_t>(width_);
  }

  SharpenRows sharpen_rows(int y) {
    const float* above = blurred(std::max(y - 1, 0));
    const float* here = blurred(y);
    const float* below = blurred(std::min(y + 1, last_));
    extreme_columns(stops(std::max(y - 1, 0)), stops(y), stops(std::min(y + 1, last_)), width_, low_.data() + 1,
                    high_.data() + 1);
    pad(low_);
    pad(high_);
    return {above, here, below, low_.data(), high_.data()};
  }

 private:
  void pad(std::vector<float>& row) const {
    row.front() = row[1];
    row.back() = row[row.size() - 2];
  }

  const float* blurred(int y) {
    std::vector<float>& row = blurred_[static_cast<std::size_t>(y % 3)];
    if (held_[y % 3] == y) return row.data();
    held_[y % 3] = y;
    float* line = column_.data() + reach_;
    scale_row(stops(y), plan_.taps[0], width_, line);
    for (int i = 1; i <= reach_; ++i) {
      add_pair(stops(std::max(y - i, 0)), stops(std::min(y + i, last_)), plan_.taps[static_cast<std::size_t>(i)],
               width_, line);
    }
    std::fill(column_.begin(), column_.begin() + reach_, line[0]);
    std::fill(column_.end() - reach_, column_.end(), line[width_ - 1]);
    blur_row(plan_.taps, column_.data(), reach_, width_, row.data() + 1);
    pad(row);
    return row.data();
  }

  const DetailPlan& plan_;
  int width_, last_, reach_ = 0, halo_ = 0, first_ = 0;
  std::size_t padded_ = 0;
  std::vector<float> stops_, column_, low_, high_;
  std::vector<float> blurred_[3];
  int held_[3] = {-1, -1, -1};
};

void detail_rows(const DetailPlan& plan, const Rgb32f& scene, const Plane* base, const Plane& fine, RowRange rows,
                 Rgb32f& out) {
  ChunkRows chunk(plan, scene, rows);
  std::vector<float> added(static_cast<std::size_t>(plan.width));
  for (int y = rows.begin; y < rows.end; ++y) {
    const float* stops = chunk.stops(y);
    std::fill(added.begin(), added.end(), 0.0f);
    if (plan.clarity != 0) add_clarity(plan.clarity, stops, base->row(y), plan.width, added.data());
    if (plan.texture != 0) add_texture(plan.texture, stops, fine.row(y), plan.width, added.data());
    if (plan.sharpen != 0) add_sharpening(plan, stops, chunk.sharpen_rows(y), plan.width, added.data());
    apply_row(scene.row(y), stops, added.data(), plan.width, out.row(y));
  }
}

}  // namespace

Rgb32f apply_detail(const DetailPlan& plan, const Rgb32f& scene, const Plane* base) {
  assert(scene.width == plan.width && scene.height == plan.height);
  assert(base != nullptr || !plan.needs_base());
  const Plane fine = plan.texture != 0 ? base_layer(plan.fine, scene) : Plane();
  Rgb32f out(plan.width, plan.height);
  parallel_for(plan.height, rows_per_chunk, [&](RowRange rows) { detail_rows(plan, scene, base, fine, rows, out); });
  return out;
}

}  // namespace imago::develop
