#include "develop/stages/source/highlights.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/math.h"
#include "base/parallel.h"
#include "base/simd.h"

namespace imago::develop {
namespace {

constexpr int chunk_rows = 64;          // even: a chunk begins on a cell
constexpr float clipped_from = 0.987f;  // of the clipping level: noise and rounding stay below
constexpr float fading_from = 0.94f;    // from here on a sample gives way to its estimate
constexpr float bright_from = 0.2f;     // dimmer samples say nothing about the light beside a clipped area
constexpr int beside_cells = 3;         // how far "beside a clipped area" goes, in cells of 2 × 2
constexpr std::int64_t fewest_samples = 100;
constexpr float colourful_from = 0.2f;  // relative difference of two colours from which they are no white's

using Colors = std::array<float, 3>;

float smooth_step(float x) {
  const float t = std::clamp(x, 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

// 0 below the fading zone, 1 from the clipping level on, smooth between. `level` is relative to clipping.
float clippedness(float level) { return smooth_step((level - fading_from) * (1.0f / (clipped_from - fading_from))); }

// Mean samples of the three colours in the 3 × 3 around a photosite; rows are above, at and below it, all readable
// from x - 1 to x + 1. `red_x` is the parity of columns that hold red or blue in each row, `red_row` says which.
struct Around {
  const float* rows[3];
  int width;
};

class Opposed {
 public:
  Opposed(const SourcePlan& plan, const Colors& offset) : plan_(plan), offset_(offset) {
    last_ = static_cast<std::size_t>(std::max_element(plan.clip.begin(), plan.clip.end()) - plan.clip.begin());
  }

  std::size_t color(int x, int y) const {
    const bool red_row = ((y + plan_.phase.red_y) & 1) == 0;
    const bool red_column = ((x + plan_.phase.red_x) & 1) == 0;
    return red_row == red_column ? (red_row ? 0 : 2) : 1;
  }

  Colors around(const Around& at, int x, int y) const {
    Colors sum{};
    std::array<int, 3> count{};
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const int nx = x + dx;
        if (nx < 0 || nx >= at.width || at.rows[dy + 1] == nullptr) continue;
        const std::size_t c = color(nx, y + dy);
        sum[c] += at.rows[dy + 1][nx];
        ++count[c];
      }
    }
    for (std::size_t c = 0; c < 3; ++c) {
      if (count[c] > 0) sum[c] = std::max(sum[c] / static_cast<float>(count[c]), 0.0f);
    }
    return sum;
  }

  // What colour c should be, judged by the other two: their mean on cube roots, each weighted by its headroom. The
  // colour that clips last keeps a little weight, so that it alone decides where nothing else is left.
  float reference(const Colors& mean, std::size_t c) const {
    float weights = 0;
    float sum = 0;
    for (std::size_t o = 0; o < 3; ++o) {
      if (o == c) continue;
      const float headroom = 1.0f - clippedness(mean[o] / plan_.clip[o]);
      const float weight = headroom + (o == last_ ? 1e-3f : 1e-6f);
      weights += weight;
      sum += weight * poly_cbrt(mean[o]);
    }
    const float root = sum / weights;
    return root * root * root;
  }

  // How far the picture's mean difference applies: 0 where nothing speaks against white. A colour shows itself by the
  // other two being unlike, where both have headroom left, or by their staying below a sample that is clipped.
  float colourfulness(float sample, const Colors& mean, std::size_t c, float reference_light) const {
    const std::size_t a = (c + 1) % 3;
    const std::size_t b = (c + 2) % 3;
    const float headroom = 1.0f - std::max(clippedness(mean[a] / plan_.clip[a]), clippedness(mean[b] / plan_.clip[b]));
    const float unlike = std::fabs(mean[a] - mean[b]) / std::max(mean[a] + mean[b], 1e-6f);
    const float short_of = (sample - reference_light) / std::max(sample, 1e-6f);
    return smooth_step(std::max(headroom * unlike, short_of) * (1.0f / colourful_from));
  }

  // Replaces a sample by its estimate as far as it is clipped and the estimate is higher. `mean` is of the three
  // colours around it.
  float pulled(float sample, std::size_t c, const Colors& mean) const {
    const float reference_light = reference(mean, c);
    const float estimate = reference_light + colourfulness(sample, mean, c, reference_light) * offset_[c];
    return estimate > sample ? sample + clippedness(sample / plan_.clip[c]) * (estimate - sample) : sample;
  }

  float filled(float sample, const Around& at, int x, int y) const {
    const std::size_t c = color(x, y);
    if (sample <= fading_from * plan_.clip[c]) return sample;
    return pulled(sample, c, around(at, x, y));
  }

 private:
  const SourcePlan& plan_;
  Colors offset_;
  std::size_t last_ = 0;
};

IMAGO_SIMD_CLONES bool any_from(const float* row, float even_level, float odd_level, int count) {
  int found = 0;
  for (int i = 0; i + 1 < count; i += 2) found |= (row[i] >= even_level) | (row[i + 1] >= odd_level);
  if (count & 1) found |= row[count - 1] >= even_level;
  return found != 0;
}

struct RowLevels {
  float even;
  float odd;
};

// Level of `part` of clipping for the two colours of a row.
RowLevels row_levels(const Opposed& opposed, const SourcePlan& plan, int y, float part) {
  return {part * plan.clip[opposed.color(0, y)], part * plan.clip[opposed.color(1, y)]};
}

// One bit a colour and cell of 2 × 2 photosites: something of that colour is clipped here.
struct CellMask {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> bits;
  std::uint8_t* row(int y) { return bits.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width); }
  const std::uint8_t* row(int y) const {
    return bits.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
};

CellMask clipped_cells(const Plane& mosaic, const SourcePlan& plan, const Opposed& opposed) {
  CellMask cells{(mosaic.width + 1) / 2, (mosaic.height + 1) / 2, {}};
  cells.bits.resize(static_cast<std::size_t>(cells.width) * static_cast<std::size_t>(cells.height));
  parallel_for(mosaic.height, chunk_rows, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) {
      const RowLevels level = row_levels(opposed, plan, y, clipped_from);
      const float* row = mosaic.row(y);
      if (!any_from(row, level.even, level.odd, mosaic.width)) continue;
      const std::array<std::uint8_t, 2> bit{static_cast<std::uint8_t>(1u << opposed.color(0, y)),
                                            static_cast<std::uint8_t>(1u << opposed.color(1, y))};
      std::uint8_t* out = cells.row(y / 2);
      for (int x = 0; x < mosaic.width; ++x) {
        const bool odd = (x & 1) != 0;
        if (row[x] >= (odd ? level.odd : level.even)) out[x / 2] = static_cast<std::uint8_t>(out[x / 2] | bit[odd]);
      }
    }
  });
  return cells;
}

// Grows every bit by `beside_cells` in all eight directions.
CellMask dilated(const CellMask& cells) {
  CellMask out{cells.width, cells.height, std::vector<std::uint8_t>(cells.bits.size())};
  parallel_for(cells.height, chunk_rows / 2, [&](RowRange rows) {
    std::vector<std::uint8_t> column(static_cast<std::size_t>(cells.width));
    for (int y = rows.begin; y < rows.end; ++y) {
      std::fill(column.begin(), column.end(), std::uint8_t{0});
      for (int k = std::max(0, y - beside_cells); k <= std::min(cells.height - 1, y + beside_cells); ++k) {
        const std::uint8_t* row = cells.row(k);
        for (std::size_t x = 0; x < column.size(); ++x) column[x] = static_cast<std::uint8_t>(column[x] | row[x]);
      }
      std::uint8_t* to = out.row(y);
      for (int dx = -beside_cells; dx <= beside_cells; ++dx) {
        const int first = std::max(0, -dx);
        const int last = std::min(cells.width, cells.width - dx);
        for (int x = first; x < last; ++x)
          to[x] = static_cast<std::uint8_t>(to[x] | column[static_cast<std::size_t>(x + dx)]);
      }
    }
  });
  return out;
}

// Sums in units of 2^-24, so that their order does not matter.
struct ChromaSums {
  std::array<std::int64_t, 3> difference{};
  std::array<std::int64_t, 3> count{};
};

Around rows_around(const Plane& mosaic, int y) {
  return {{y > 0 ? mosaic.row(y - 1) : nullptr, mosaic.row(y), y + 1 < mosaic.height ? mosaic.row(y + 1) : nullptr},
          mosaic.width};
}

void add_row(const Plane& mosaic, const SourcePlan& plan, const Opposed& opposed, const CellMask& beside, int y,
             ChromaSums& sums) {
  const Around at = rows_around(mosaic, y);
  const std::uint8_t* cells = beside.row(y / 2);
  for (int x = 0; x < mosaic.width; ++x) {
    if (cells[x / 2] == 0) continue;
    const std::size_t c = opposed.color(x, y);
    const float sample = at.rows[1][x];
    const float clip = plan.clip[c];
    if ((cells[x / 2] & (1u << c)) == 0 || sample >= clipped_from * clip || sample <= bright_from * clip) continue;
    const float difference = sample - opposed.reference(opposed.around(at, x, y), c);
    sums.difference[c] += static_cast<std::int64_t>(std::clamp(difference, -64.0f, 64.0f) * 16777216.0f);
    ++sums.count[c];
  }
}

}  // namespace

OpposedChroma measure_opposed(const Plane& mosaic, const SourcePlan& plan) {
  const Opposed opposed(plan, {});
  OpposedChroma chroma;
  const CellMask cells = clipped_cells(mosaic, plan, opposed);
  chroma.any_clipped = std::any_of(cells.bits.begin(), cells.bits.end(), [](std::uint8_t bits) { return bits != 0; });
  if (!chroma.any_clipped) return chroma;
  const CellMask beside = dilated(cells);
  std::vector<ChromaSums> parts(static_cast<std::size_t>((mosaic.height + chunk_rows - 1) / chunk_rows));
  parallel_for(mosaic.height, chunk_rows, [&](RowRange rows) {
    ChromaSums& sums = parts[static_cast<std::size_t>(rows.begin / chunk_rows)];
    for (int y = rows.begin; y < rows.end; ++y) add_row(mosaic, plan, opposed, beside, y, sums);
  });
  for (std::size_t c = 0; c < 3; ++c) {
    std::int64_t difference = 0;
    std::int64_t count = 0;
    for (const ChromaSums& part : parts) {
      difference += part.difference[c];
      count += part.count[c];
    }
    if (count > fewest_samples) {
      chroma.offset[c] = static_cast<float>(static_cast<double>(difference) / static_cast<double>(count) / 16777216.0);
    }
  }
  return chroma;
}

void fill_opposed(Plane& mosaic, const SourcePlan& plan, const OpposedChroma& chroma) {
  if (!chroma.any_clipped) return;
  const Opposed opposed(plan, chroma.offset);
  const int width = mosaic.width;
  const std::size_t row_bytes = static_cast<std::size_t>(width);
  // Estimates read samples as they were. Chunks work at the same time: each finds the rows just outside of it here.
  const int chunks = (mosaic.height + chunk_rows - 1) / chunk_rows;
  std::vector<float> firsts(row_bytes * static_cast<std::size_t>(chunks));
  std::vector<float> lasts(row_bytes * static_cast<std::size_t>(chunks));
  for (int k = 0; k < chunks; ++k) {
    const int last = std::min((k + 1) * chunk_rows, mosaic.height) - 1;
    std::copy_n(mosaic.row(k * chunk_rows), width, firsts.begin() + static_cast<std::ptrdiff_t>(k) * width);
    std::copy_n(mosaic.row(last), width, lasts.begin() + static_cast<std::ptrdiff_t>(k) * width);
  }
  parallel_for(mosaic.height, chunk_rows, [&](RowRange rows) {
    const std::size_t k = static_cast<std::size_t>(rows.begin / chunk_rows);
    std::vector<float> above(row_bytes);
    std::vector<float> own(row_bytes);
    if (k > 0) std::copy_n(lasts.begin() + static_cast<std::ptrdiff_t>((k - 1) * row_bytes), width, above.begin());
    for (int y = rows.begin; y < rows.end; ++y) {
      float* row = mosaic.row(y);
      std::copy_n(row, width, own.begin());
      const RowLevels level = row_levels(opposed, plan, y, fading_from);
      if (any_from(row, level.even, level.odd, width)) {
        const float* below = y + 1 < rows.end        ? mosaic.row(y + 1)
                             : y + 1 < mosaic.height ? firsts.data() + (k + 1) * row_bytes
                                                     : nullptr;
        const Around at{{y > 0 ? above.data() : nullptr, own.data(), below}, width};
        for (int x = 0; x < width; ++x) row[x] = opposed.filled(own[static_cast<std::size_t>(x)], at, x, y);
      }
      std::swap(above, own);
    }
  });
}

void clip_highlights(Plane& mosaic) {
  parallel_for(mosaic.height, chunk_rows, [&](RowRange rows) {
    float* at = mosaic.row(rows.begin);
    float* end = at + static_cast<std::size_t>(rows.count()) * static_cast<std::size_t>(mosaic.width);
    std::transform(at, end, at, [](float x) { return x < 1.0f ? x : 1.0f; });
  });
}

void limit_linear(Rgb32f& picture, const SourcePlan& plan) {
  const Opposed opposed(plan, {});
  const bool fill = plan.highlights == HighlightMethod::opposed;
  parallel_for(picture.height, chunk_rows, [&](RowRange rows) {
    float* at = picture.row(rows.begin);
    float* end = at + static_cast<std::size_t>(rows.count()) * picture.row_samples();
    for (; at < end; at += 3) {
      const Colors own{at[0], at[1], at[2]};
      const Colors light{std::max(own[0], 0.0f), std::max(own[1], 0.0f), std::max(own[2], 0.0f)};
      for (std::size_t c = 0; c < 3; ++c) {
        at[c] = fill ? opposed.pulled(own[c], c, light) : std::min(own[c], 1.0f);
      }
    }
  });
}

}  // namespace imago::develop
