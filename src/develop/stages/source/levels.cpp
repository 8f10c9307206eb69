#include "develop/stages/source/levels.h"

#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/parallel.h"
#include "base/simd.h"

namespace imago::develop {
namespace {

constexpr int chunk_rows = 64;
constexpr int most_kept_rows = 64;

// What a row of codes is turned to light with: sample = (code - black) * scale.
struct LevelRow {
  std::vector<float> black;
  std::vector<float> scale;
};

IMAGO_SIMD_CLONES void level_codes(const std::uint16_t* in, const float* black, const float* scale, float more_black,
                                   float* out, int count) {
  for (int i = 0; i < count; ++i) out[i] = (static_cast<float>(in[i]) - (black[i] + more_black)) * scale[i];
}

IMAGO_SIMD_CLONES void level_floats(const float* in, const float* black, const float* scale, float more_black,
                                    float* out, int count) {
  constexpr std::uint32_t exponent = 0x7f800000u;
  for (int i = 0; i < count; ++i) {
    const float light = (in[i] - (black[i] + more_black)) * scale[i];
    out[i] = (std::bit_cast<std::uint32_t>(light) & exponent) == exponent ? 0.0f : light;
  }
}

// Rows of the window, period by period.
class Levels {
 public:
  Levels(const io::RawImage& raw, const SourcePlan& plan) : raw_(raw), plan_(plan) {
    const int cfa = raw.cfa.height > 0 ? raw.cfa.height : 1;
    const int pattern = raw.black.pattern.empty() ? 1 : raw.black.pattern_height;
    period_ = std::lcm(cfa, pattern);
    if (period_ > most_kept_rows) return;
    for (int k = 0; k < period_; ++k) kept_.push_back(make(plan.window.y + k));
  }

  // `scratch` serves where a whole period is too much to keep.
  const LevelRow& row(int y, LevelRow& scratch) const {
    if (!kept_.empty()) return kept_[static_cast<std::size_t>((y - plan_.window.y) % period_)];
    scratch = make(y);
    return scratch;
  }

  float row_black(int y) const {
    const std::size_t at = static_cast<std::size_t>(y - raw_.active_area.y);
    return at < raw_.black.delta_rows.size() ? raw_.black.delta_rows[at] : 0.0f;
  }

 private:
  LevelRow make(int y) const {
    const std::size_t channels = static_cast<std::size_t>(raw_.channels());
    const std::size_t count = static_cast<std::size_t>(plan_.window.width) * channels;
    LevelRow row{std::vector<float>(count), std::vector<float>(count)};
    const io::RawBlack& black = raw_.black;
    for (std::size_t i = 0; i < count; ++i) {
      const int x = plan_.window.x + static_cast<int>(i / channels);
      const std::size_t sub = i % channels;
      const std::size_t c = channels == 3 ? sub
                            : raw_.layout == io::RawLayout::monochrome
                                ? 0
                                : static_cast<std::size_t>(raw_.cfa.channel(x, y));
      const std::size_t column = static_cast<std::size_t>(x - raw_.active_area.x);
      float level = black.per_channel[c];
      if (!black.pattern.empty()) {
        const std::size_t py = static_cast<std::size_t>((y - raw_.active_area.y) % black.pattern_height);
        const std::size_t px = column % static_cast<std::size_t>(black.pattern_width);
        const std::size_t pc = static_cast<std::size_t>(black.pattern_channels);
        level += black.pattern[(py * static_cast<std::size_t>(black.pattern_width) + px) * pc + (pc == 1 ? 0 : sub)];
      }
      if (column < black.delta_columns.size()) level += black.delta_columns[column];
      row.black[i] = level;
      row.scale[i] = plan_.scales[c];
    }
    return row;
  }

  const io::RawImage& raw_;
  const SourcePlan& plan_;
  int period_ = 1;
  std::vector<LevelRow> kept_;
};

template <int channels>
Image<float, channels> level(const io::RawImage& raw, const SourcePlan& plan) {
  const Rect window = plan.window;
  Image<float, channels> out(window.width, window.height);
  const Levels levels(raw, plan);
  const bool floats = raw.samples.size() == 0;
  parallel_for(window.height, chunk_rows, [&](RowRange rows) {
    LevelRow scratch;
    for (int y = rows.begin; y < rows.end; ++y) {
      const int source_y = window.y + y;
      const LevelRow& row = levels.row(source_y, scratch);
      const std::size_t at = (static_cast<std::size_t>(source_y) * static_cast<std::size_t>(raw.width) +
                              static_cast<std::size_t>(window.x)) *
                             channels;
      const float more = levels.row_black(source_y);
      const int count = window.width * channels;
      if (floats) {
        level_floats(raw.float_samples.data() + at, row.black.data(), row.scale.data(), more, out.row(y), count);
      } else {
        level_codes(raw.samples.data() + at, row.black.data(), row.scale.data(), more, out.row(y), count);
      }
    }
  });
  return out;
}

}  // namespace

Plane level_mosaic(const io::RawImage& raw, const SourcePlan& plan) { return level<1>(raw, plan); }

Rgb32f level_linear(const io::RawImage& raw, const SourcePlan& plan) { return level<3>(raw, plan); }

}  // namespace imago::develop
