#include "pano/panorama.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/parallel.h"

namespace imago::pano {
namespace {

using Row = std::vector<std::uint32_t>;

// Weighted mean (1 3 3 1) / 8 of four packed pixels, all four bytes at once in two 16-bit-lane halves.
std::uint32_t mean_1331(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  constexpr std::uint32_t even = 0x00ff00ffu;
  const std::uint32_t low = (a & even) + (d & even) + 3 * ((b & even) + (c & even)) + 0x00040004u;
  const std::uint32_t high =
      ((a >> 8) & even) + ((d >> 8) & even) + 3 * (((b >> 8) & even) + ((c >> 8) & even)) + 0x00040004u;
  return ((low >> 3) & even) | (((high >> 3) & even) << 8);
}

void halve_row(Row& row) {
  const std::size_t width = row.size();
  const std::size_t half = width / 2;
  Row out(half);
  for (std::size_t i = 0; i < half; ++i) {
    const std::uint32_t before = row[i == 0 ? width - 1 : 2 * i - 1];
    const std::uint32_t after = row[2 * i + 2 == width ? 0 : 2 * i + 2];
    out[i] = mean_1331(before, row[2 * i], row[2 * i + 1], after);
  }
  row = std::move(out);
}

// A panorama halved vertically some times; rows beyond a pole continue half a turn away.
struct Level {
  int width = 0;
  int height = 0;
  std::vector<Row> rows;  // empty at level 0: read from the panorama
  const PaddedPanorama* panorama = nullptr;

  Row row(int y) const {
    const bool over = y < 0 || y >= height;
    const int inside = y < 0 ? -1 - y : y >= height ? 2 * height - 1 - y : y;
    Row out(static_cast<std::size_t>(width));
    if (rows.empty()) {
      std::memcpy(out.data(), panorama->row(inside), out.size() * 4);
    } else {
      out = rows[static_cast<std::size_t>(inside)];
    }
    if (over) std::rotate(out.begin(), out.begin() + width / 2, out.end());
    return out;
  }
};

Level halved_rows(const Level& level) {
  Level out{level.width, level.height / 2, {}, nullptr};
  out.rows.resize(static_cast<std::size_t>(out.height));
  parallel_for(out.height, 16, [&](RowRange range) {
    for (int y = range.begin; y < range.end; ++y) {
      const Row a = level.row(2 * y - 1);
      const Row b = level.row(2 * y);
      const Row c = level.row(2 * y + 1);
      const Row d = level.row(2 * y + 2);
      Row& mean = out.rows[static_cast<std::size_t>(y)];
      mean.resize(a.size());
      for (std::size_t x = 0; x < a.size(); ++x) mean[x] = mean_1331(a[x], b[x], c[x], d[x]);
    }
  });
  return out;
}

void write_part(const Level& level, const LevelPart& part, std::uint32_t* coarse, PartView view) {
  parallel_for(part.row_count, 16, [&](RowRange range) {
    for (int i = range.begin; i < range.end; ++i) {
      Row row = level.row(std::clamp(part.first_row + i, -level.height, 2 * level.height - 1));
      for (int halving = 0; halving < part.x_halvings; ++halving) halve_row(row);
      const int width = static_cast<int>(row.size());
      std::uint32_t* out = coarse + (view.origin + static_cast<std::ptrdiff_t>(part.first_row + i) * view.stride);
      std::memcpy(out, row.data(), row.size() * 4);
      for (int x = 1; x <= level_padding; ++x) {
        out[-x] = row[static_cast<std::size_t>((width - x % width) % width)];
        out[width + x - 1] = row[static_cast<std::size_t>((x - 1) % width)];
      }
    }
  });
}

}  // namespace

PaddedPanorama::PaddedPanorama(int panorama_width, int panorama_height)
    : width(panorama_width),
      height(panorama_height),
      pixels(panorama_width + 2 * level_padding, panorama_height + 2 * level_padding) {}

void surround(PaddedPanorama& panorama) {
  const auto row_bytes = static_cast<std::size_t>(panorama.width) * 4;
  const std::size_t half_bytes = static_cast<std::size_t>(panorama.width / 2) * 4;
  for (int y = 1; y <= level_padding; ++y) {
    const int from = std::min(y, panorama.height) - 1;
    const std::uint8_t* top = panorama.row(from);
    const std::uint8_t* bottom = panorama.row(panorama.height - 1 - from);
    std::uint8_t* above = panorama.row(-y);
    std::uint8_t* below = panorama.row(panorama.height - 1 + y);
    std::memcpy(above, top + half_bytes, row_bytes - half_bytes);
    std::memcpy(above + row_bytes - half_bytes, top, half_bytes);
    std::memcpy(below, bottom + half_bytes, row_bytes - half_bytes);
    std::memcpy(below + row_bytes - half_bytes, bottom, half_bytes);
  }
  for (int y = -level_padding; y < panorama.height + level_padding; ++y) {
    std::uint8_t* row = panorama.row(y);
    std::memcpy(row - level_padding * 4, row + row_bytes - level_padding * 4, level_padding * 4);
    std::memcpy(row + row_bytes, row, level_padding * 4);
  }
}

const std::uint32_t* PanoramaLevels::pixels_of(std::size_t part) const {
  return part == 0 ? reinterpret_cast<const std::uint32_t*>(panorama->pixels.pixels.data()) : coarse.data();
}

PanoramaLevels build_levels(const FacesPlan& plan, const PaddedPanorama& panorama) {
  PanoramaLevels levels;
  levels.panorama = &panorama;
  const int base_stride = plan.panorama_width + 2 * level_padding;
  levels.views.push_back({level_padding * base_stride + level_padding, base_stride});
  std::int32_t size = 0;
  int deepest = 0;
  for (std::size_t i = 1; i < plan.parts.size(); ++i) {
    const LevelPart& part = plan.parts[i];
    const std::int32_t stride = part.width + 2 * level_padding;
    levels.views.push_back({size + level_padding - part.first_row * stride, stride});
    size += stride * part.row_count;
    deepest = std::max(deepest, part.y_halvings);
  }
  levels.coarse.resize(static_cast<std::size_t>(size));
  Level level{plan.panorama_width, plan.panorama_height, {}, &panorama};
  for (int halvings = 0; halvings <= deepest; ++halvings) {
    if (halvings > 0) level = halved_rows(level);
    for (std::size_t i = 1; i < plan.parts.size(); ++i) {
      if (plan.parts[i].y_halvings != halvings) continue;
      write_part(level, plan.parts[i], levels.coarse.data(), levels.views[i]);
    }
  }
  return levels;
}

}  // namespace imago::pano
