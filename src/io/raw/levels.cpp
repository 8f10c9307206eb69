#include "io/raw/levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "io/raw/libraw_file.h"

namespace imago::io {
namespace {

// A quarter of the rows, in pairs so that both rows of a Bayer pattern are seen: enough for statistics.
constexpr int rows_stride = 8;
constexpr int rows_taken = 2;

template <typename Sample>
const Sample* row_of(const PixelBuffer<Sample>& samples, const RawImage& image, int y) {
  return samples.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) *
                              static_cast<std::size_t>(image.channels());
}

using Counts = std::array<std::vector<std::uint32_t>, 4>;

Counts count_codes(const RawImage& image) {
  Counts counts;
  for (auto& channel : counts) channel.assign(65536, 0);
  const Rect& area = image.active_area;
  const bool mosaic = image.layout == RawLayout::bayer || image.layout == RawLayout::xtrans;
  const int period = mosaic ? image.cfa.width : image.channels();
  std::array<std::uint32_t*, 6> channel_at{};
  for (int y = area.y; y < area.bottom(); ++y) {
    // X-Trans: all rows of every fourth pattern would be needed to see each colour evenly; any row has all three.
    if ((y - area.y) % rows_stride >= rows_taken) continue;
    for (int i = 0; i < period; ++i) {
      channel_at[static_cast<std::size_t>(i)] =
          counts[static_cast<std::size_t>(mosaic ? image.cfa.channel(i, y) : i)].data();
    }
    const std::uint16_t* row = row_of(image.samples, image, y);
    const int begin = area.x * image.channels(), end = area.right() * image.channels();
    int phase = begin % period;
    for (int i = begin; i < end; ++i) {
      ++channel_at[static_cast<std::size_t>(phase)][row[i]];
      if (++phase == period) phase = 0;
    }
  }
  return counts;
}

// The code at which a channel's brightest samples pile up, 65536 when they do not.
int pile_up(const std::vector<std::uint32_t>& counts, int white) {
  int top = 65535;
  while (top > 0 && counts[static_cast<std::size_t>(top)] == 0) --top;
  if (top >= white || top * 20 < white * 17) return 65536;  // nothing below 0.85 of white can be saturation
  constexpr int window = 3, below = 32;
  std::uint64_t at_top = 0, beneath = 0;
  for (int code = top; code > std::max(top - window, 0); --code) at_top += counts[static_cast<std::size_t>(code)];
  for (int code = top - window; code > std::max(top - window - below, 0); --code)
    beneath += counts[static_cast<std::size_t>(code)];
  // 4 times as many as the 32 codes beneath hold together: no scene's tail does that.
  return at_top >= 64 && at_top > 4 * beneath ? top : 65536;
}

template <typename Sample>
bool row_is_constant(const Sample* row, int begin, int end, Sample value) {
  return std::all_of(row + begin, row + end, [value](Sample s) { return s == value; });
}

template <typename Sample>
void check(const RawImage& image, const PixelBuffer<Sample>& samples, const std::string& name) {
  const Rect& area = image.active_area;
  const int begin = area.x * image.channels(), end = area.right() * image.channels();
  const Sample first = row_of(samples, image, area.y)[begin];
  bool constant = true;
  int marked = 0, empty = 0;
  for (int y = area.y; y < area.bottom(); ++y) {
    const Sample* row = row_of(samples, image, y);
    constant = constant && row_is_constant(row, begin, end, first);
    if (y % marked_row_period != marked_row_period - 1) continue;
    ++marked;
    if (row_is_constant(row, begin, end, Sample{0})) ++empty;
  }
  if (constant || (marked > 0 && empty == marked)) {
    throw Error(ErrorKind::input, name + ": no image data: every sample has the same value");
  }
  // A sensor with a black level never gives a plain zero over whole rows; without one, a night scene may.
  const bool offset_black = image.black.per_channel[0] > 0 || !image.black.pattern.empty();
  if (empty * (offset_black ? 50 : 4) > marked) {
    throw Error(ErrorKind::input, name + ": truncated raw data: " + std::to_string(empty * 100 / marked) +
                                      " % of the rows are empty: copy it again from the card");
  }
}

}  // namespace

void find_clip_levels(RawImage& image) {
  for (std::size_t c = 0; c < 4; ++c) {
    // 4094 and 4095 are both "clipped": a margin of 1/2048 of the range.
    const float range = image.white[c] - image.black.per_channel[c];
    image.clip[c] = image.white[c] - range / 2048;
  }
  if (image.samples.size() == 0) return;
  for (std::size_t c = 0; c < 4; ++c) image.clip[c] = std::floor(image.clip[c]);
  const Counts counts = count_codes(image);
  for (std::size_t c = 0; c < 4; ++c) {
    const int found = pile_up(counts[c], static_cast<int>(image.white[c]));
    if (found < 65536) image.clip[c] = std::min(image.clip[c], static_cast<float>(found - 2));
  }
}

void check_samples(const RawImage& image, const std::string& name) {
  if (image.float_samples.size() != 0) {
    check(image, image.float_samples, name);
  } else {
    check(image, image.samples, name);
  }
}

}  // namespace imago::io
