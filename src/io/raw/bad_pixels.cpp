#include "io/raw/bad_pixels.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

namespace imago::io {
namespace {

struct BadPixels {
  std::vector<std::uint8_t> is_bad;  // one a pixel; empty when none is
  std::vector<std::size_t> places;

  void add(const RawImage& image, std::int64_t x, std::int64_t y) {
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
    if (is_bad.empty()) is_bad.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
    const std::size_t at =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x);
    if (is_bad[at] != 0) return;
    is_bad[at] = 1;
    places.push_back(at);
  }
};

void collect(const FixBadPixelsConstant& opcode, const RawImage& image, BadPixels& bad) {
  if (opcode.constant > 65535 || image.channels() != 1) return;
  const auto constant = static_cast<std::uint16_t>(opcode.constant);
  const std::uint16_t* const first = image.samples.begin();
  for (const std::uint16_t* at = std::find(first, image.samples.end(), constant); at != image.samples.end();
       at = std::find(at + 1, image.samples.end(), constant)) {
    bad.add(image, (at - first) % image.width, (at - first) / image.width);
  }
}

void collect(const FixBadPixelsList& opcode, int origin_x, int origin_y, const RawImage& image, BadPixels& bad) {
  for (const auto& [row, column] : opcode.points) bad.add(image, column + origin_x, row + origin_y);
  for (const auto& area : opcode.areas) {
    const std::int64_t bottom = std::min<std::int64_t>(area.bottom + origin_y, image.height);
    const std::int64_t right = std::min<std::int64_t>(area.right + origin_x, image.width);
    for (std::int64_t y = area.top + origin_y; y < bottom; ++y) {
      for (std::int64_t x = area.left + origin_x; x < right; ++x) bad.add(image, x, y);
    }
  }
}

class Neighbours {
 public:
  Neighbours(const RawImage& image, const BadPixels& bad, std::size_t channel)
      : image_(image), bad_(bad), channel_(channel) {}

  // The sample at an offset, when it is a good one of the same colour inside the active area.
  std::optional<int> good(int x, int y, int dx, int dy) const {
    const int nx = x + dx, ny = y + dy;
    const Rect& area = image_.active_area;
    if (nx < area.x || ny < area.y || nx >= area.right() || ny >= area.bottom()) return std::nullopt;
    const bool mosaic = image_.layout == RawLayout::bayer || image_.layout == RawLayout::xtrans;
    if (mosaic && image_.cfa.color(nx, ny) != image_.cfa.color(x, y)) return std::nullopt;
    const std::size_t at =
        static_cast<std::size_t>(ny) * static_cast<std::size_t>(image_.width) + static_cast<std::size_t>(nx);
    if (bad_.is_bad[at] != 0) return std::nullopt;
    return image_.samples[at * static_cast<std::size_t>(image_.channels()) + channel_];
  }

  std::optional<int> best_pair(int x, int y, int radius) const {
    std::optional<int> best;
    int least = std::numeric_limits<int>::max();
    for (int dy = 0; dy <= radius; ++dy) {
      for (int dx = dy == 0 ? 1 : -radius; dx <= radius; ++dx) {
        const auto one = good(x, y, dx, dy), other = good(x, y, -dx, -dy);
        if (!one || !other || std::abs(*one - *other) >= least) continue;
        least = std::abs(*one - *other);
        best = (*one + *other + 1) / 2;
      }
    }
    return best;
  }

  std::optional<int> mean(int x, int y, int radius) const {
    int sum = 0, count = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
      for (int dx = -radius; dx <= radius; ++dx) {
        if (const auto value = good(x, y, dx, dy)) {
          sum += *value;
          ++count;
        }
      }
    }
    if (count == 0) return std::nullopt;
    return (sum + count / 2) / count;
  }

  std::optional<int> replacement(int x, int y) const {
    constexpr int near = 2, farthest = 8;
    if (const auto pair = best_pair(x, y, near)) return pair;
    for (int radius = near; radius <= farthest; ++radius) {
      if (const auto value = mean(x, y, radius)) return value;
    }
    return std::nullopt;
  }

 private:
  const RawImage& image_;
  const BadPixels& bad_;
  std::size_t channel_;
};

}  // namespace

void fix_bad_pixels(std::span<const DngOpcode> opcodes, int origin_x, int origin_y, RawImage& image) {
  if (image.samples.size() == 0) return;
  BadPixels bad;
  for (const DngOpcode& opcode : opcodes) {
    if (const auto* constant = std::get_if<FixBadPixelsConstant>(&opcode)) collect(*constant, image, bad);
    if (const auto* list = std::get_if<FixBadPixelsList>(&opcode)) collect(*list, origin_x, origin_y, image, bad);
  }
  if (bad.places.empty()) return;
  if (bad.places.size() > bad.is_bad.size() / 10) {
    image.warnings.emplace_back("its list of bad pixels names more than a tenth of the picture: left aside");
    return;
  }
  const auto channels = static_cast<std::size_t>(image.channels());
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const Neighbours neighbours(image, bad, channel);
    for (const std::size_t at : bad.places) {
      const int x = static_cast<int>(at % static_cast<std::size_t>(image.width));
      const int y = static_cast<int>(at / static_cast<std::size_t>(image.width));
      if (const auto value = neighbours.replacement(x, y)) {
        image.samples[at * channels + channel] = static_cast<std::uint16_t>(*value);
      }
    }
  }
}

}  // namespace imago::io
