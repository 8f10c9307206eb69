#include "io/raw/levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "io/raw/libraw_file.h"
#include "io/raw/white_levels.h"

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

// The code at which a channel's brightest samples pile up, 65536 when they do not. Lossy codecs and noise spread the
// pile over a few codes and put stragglers above it.
int pile_up(const std::vector<std::uint32_t>& counts, int white) {
  std::vector<std::uint64_t> below(counts.size() + 1, 0);  // samples below a code
  for (std::size_t code = 0; code < counts.size(); ++code) below[code + 1] = below[code] + counts[code];
  const auto between = [&](int from, int to) {
    return below[static_cast<std::size_t>(std::clamp(to, 0, 65536))] -
           below[static_cast<std::size_t>(std::clamp(from, 0, 65536))];
  };
  const int window = std::max(3, white / 200);
  int top = 65535;
  while (top > 0 && counts[static_cast<std::size_t>(top)] == 0) --top;
  int best = -1;
  // nothing below 0.85 of white can be saturation
  for (int start = top - window + 1; start * 20 >= white * 17; --start) {
    if (best < 0 || between(start, start + window) > between(best, best + window)) best = start;
  }
  if (best < 0) return 65536;
  const std::uint64_t inside = between(best, best + window);
  // 4 times as many as two windows beneath hold together, and few above: no scene's tail does that, and a bright even
  // surface is spread wider by its photons' own noise.
  if (inside < 64 || inside <= 4 * between(best - 2 * window, best) || 3 * between(best + window, 65536) > inside) {
    return 65536;
  }
  int lower_edge = best;
  while (between(best, lower_edge + 1) * 50 <= inside) ++lower_edge;
  return lower_edge;
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

void correct_white(RawImage& image, double full_scale) {
  const auto known = known_saturation(image.info.make, image.info.model, image.info.iso, image.info.is_dng);
  if (!known || image.samples.size() == 0 || static_cast<double>(known->codes[1]) > full_scale) return;
  image.white.fill(known->codes[1]);
  for (std::size_t c = 0; c < 4; ++c) image.clip[c] = known->codes[c == 3 ? 1 : c];
}

void find_clip_levels(RawImage& image) {
  for (std::size_t c = 0; c < 4; ++c) {
    // 4094 and 4095 are both "clipped": a margin of 1/2048 of the range.
    const float range = image.white[c] - image.black.per_channel[c];
    if (image.clip[c] == 0) image.clip[c] = image.white[c] - range / 2048;
  }
  if (image.samples.size() == 0) return;
  for (std::size_t c = 0; c < 4; ++c) image.clip[c] = std::floor(image.clip[c]);
  const Counts counts = count_codes(image);
  for (std::size_t c = 0; c < 4; ++c) {
    const int found = pile_up(counts[c], static_cast<int>(image.white[c]));
    if (found < 65536) image.clip[c] = std::min(image.clip[c], static_cast<float>(found - 2));
  }
}

// Black from the pixels that saw no light, for mosaics whose header names none.
void measure_masked_black(RawImage& image, const std::vector<Rect>& masked_areas) {
  if (image.samples.size() == 0 || image.layout == RawLayout::linear || masked_areas.empty()) return;
  if (std::ranges::any_of(image.black.per_channel, [](float level) { return level != 0; }) ||
      !image.black.pattern.empty()) {
    return;
  }
  std::array<std::int64_t, 4> sum{}, squares{}, count{};
  for (const Rect& area : masked_areas) {
    for (int y = std::max(area.y, 0); y < std::min(area.bottom(), image.height); ++y) {
      for (int x = std::max(area.x, 0); x < std::min(area.right(), image.width); ++x) {
        const auto c = static_cast<std::size_t>(image.layout == RawLayout::monochrome ? 0 : image.cfa.channel(x, y));
        const std::int64_t code = row_of(image.samples, image, y)[x];
        sum[c] += code;
        squares[c] += code * code;
        ++count[c];
      }
    }
  }
  const std::size_t channels = image.layout == RawLayout::monochrome ? 1 : 4;
  std::array<float, 4> level{};
  for (std::size_t c = 0; c < channels; ++c) {
    if (count[c] == 0 && c == 3) {
      level[c] = level[1];  // X-Trans has one green
      continue;
    }
    if (count[c] < 16) return;
    const double mean = static_cast<double>(sum[c]) / static_cast<double>(count[c]);
    const double variance = static_cast<double>(squares[c]) / static_cast<double>(count[c]) - mean * mean;
    // Light that leaks in, or rows that were never filled: not black.
    if (mean > 0.2 * static_cast<double>(image.white[c]) || variance > 0.0004 * mean * mean + 2500) return;
    level[c] = static_cast<float>(mean);
  }
  if (channels == 1) level.fill(level[0]);
  image.black.per_channel = level;
}

namespace {

template <typename Sample>
std::string missing_part(const RawImage& image, const PixelBuffer<Sample>& samples, const std::string& name) {
  const Rect& area = image.active_area;
  const int begin = area.x * image.channels(), end = area.right() * image.channels();
  constexpr int shortest_gap = 64;  // samples that are zero in a row
  std::int64_t missing = 0;
  int first = -1, last = -1;
  for (int y = area.y; y < area.bottom(); ++y) {
    const Sample* row = row_of(samples, image, y);
    const bool repeats = y >= area.y + 2 && std::equal(row + begin, row + end, row_of(samples, image, y - 2) + begin);
    std::int64_t gaps = repeats || row_is_constant(row, begin, end, row[begin]) ? end - begin : 0;
    for (int i = begin; gaps == 0 && i < end;) {
      int stop = i;
      while (stop < end && row[stop] == Sample{0}) ++stop;
      if (stop - i >= shortest_gap) gaps += stop - i;
      i = std::max(stop, i + 1);
    }
    if (gaps == 0) continue;
    missing += gaps;
    if (first < 0) first = y - area.y;
    last = y - area.y;
  }
  if (missing == 0) return {};
  const std::int64_t all = std::int64_t{area.height} * (end - begin);
  if (missing == all) throw Error(ErrorKind::input, name + ": no image data: nothing of the picture can be decoded");
  const std::int64_t percent = std::max<std::int64_t>(1, missing * 100 / all);
  return "damaged: about " + std::to_string(percent) + " % of the picture is missing (rows " + std::to_string(first) +
         " to " + std::to_string(last) + " of " + std::to_string(area.height) + ")";
}

}  // namespace

std::string name_missing_part(const RawImage& image, const std::string& name) {
  return image.float_samples.size() != 0 ? missing_part(image, image.float_samples, name)
                                         : missing_part(image, image.samples, name);
}

void check_samples(const RawImage& image, const std::string& name) {
  if (image.float_samples.size() != 0) {
    check(image, image.float_samples, name);
  } else {
    check(image, image.samples, name);
  }
}

}  // namespace imago::io
