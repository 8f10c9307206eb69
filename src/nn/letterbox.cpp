#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "nn/segmentation.h"

namespace imago::nn {
namespace {

constexpr float padding = 114.0f / 255.0f;
constexpr std::array<float, 3> imagenet_mean = {0.485f, 0.456f, 0.406f};
constexpr std::array<float, 3> imagenet_deviation = {0.229f, 0.224f, 0.225f};
constexpr int weight_bits = 11;

// Two source pixels and their weights in 1/2048: the fixed point of OpenCV's bilinear resize of 8-bit pictures, which
// Ultralytics' letterbox calls. With its order of roundings too the codes are the same.
struct Tap {
  int first = 0;
  int second = 0;
  int near = 0;
  int far = 0;
};

std::vector<Tap> taps_for(int from, int to) {
  std::vector<Tap> taps(static_cast<std::size_t>(to));
  const double scale = static_cast<double>(from) / to;
  for (int i = 0; i < to; ++i) {
    const auto at = static_cast<float>((i + 0.5) * scale - 0.5);
    const float whole = std::floor(at);
    const int first = static_cast<int>(whole);
    const float far = at - whole;
    taps[static_cast<std::size_t>(i)] = {std::clamp(first, 0, from - 1), std::clamp(first + 1, 0, from - 1),
                                         static_cast<int>(std::rint((1.0f - far) * (1 << weight_bits))),
                                         static_cast<int>(std::rint(far * (1 << weight_bits)))};
  }
  return taps;
}

}  // namespace

Letterbox letterbox_for(int picture_width, int picture_height, int input_width, int input_height, bool stretch) {
  Letterbox box{input_width, input_height, input_width, input_height, 0, 0};
  if (stretch) return box;
  const double scale =
      std::min(static_cast<double>(input_width) / picture_width, static_cast<double>(input_height) / picture_height);
  // Python rounds halves to even, as rint does.
  box.content_width = std::clamp(static_cast<int>(std::rint(picture_width * scale)), 1, input_width);
  box.content_height = std::clamp(static_cast<int>(std::rint(picture_height * scale)), 1, input_height);
  box.left = static_cast<int>(std::rint((input_width - box.content_width) / 2.0 - 0.1));
  box.top = static_cast<int>(std::rint((input_height - box.content_height) / 2.0 - 0.1));
  return box;
}

Letterbox least_letterbox_for(int picture_width, int picture_height, int size) {
  constexpr int stride = 32;
  const Letterbox square = letterbox_for(picture_width, picture_height, size, size, false);
  const int width = square.content_width + (size - square.content_width) % stride;
  const int height = square.content_height + (size - square.content_height) % stride;
  Letterbox box = square;
  box.width = width;
  box.height = height;
  box.left = static_cast<int>(std::rint((width - box.content_width) / 2.0 - 0.1));
  box.top = static_cast<int>(std::rint((height - box.content_height) / 2.0 - 0.1));
  return box;
}

void fill_input(const Rgba8& picture, const Letterbox& box, bool imagenet, float* out) {
  const std::size_t plane = static_cast<std::size_t>(box.width) * static_cast<std::size_t>(box.height);
  const std::vector<Tap> columns = taps_for(picture.width, box.content_width);
  const std::vector<Tap> rows = taps_for(picture.height, box.content_height);
  std::array<std::array<float, 256>, 3> value{};
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t i = 0; i < 256; ++i) {
      const float unit = static_cast<float>(i) / 255.0f;
      value[c][i] = imagenet ? (unit - imagenet_mean[c]) / imagenet_deviation[c] : unit;
    }
  }
  if (box.content_width != box.width || box.content_height != box.height) std::fill(out, out + 3 * plane, padding);
  parallel_for(box.content_height, 16, [&](RowRange range) {
    for (int y = range.begin; y < range.end; ++y) {
      const Tap& down = rows[static_cast<std::size_t>(y)];
      const std::uint8_t* above = picture.row(down.first);
      const std::uint8_t* below = picture.row(down.second);
      float* to = out + static_cast<std::size_t>(box.top + y) * static_cast<std::size_t>(box.width) +
                  static_cast<std::size_t>(box.left);
      for (int x = 0; x < box.content_width; ++x) {
        const Tap& across = columns[static_cast<std::size_t>(x)];
        for (int c = 0; c < 3; ++c) {
          const int top = above[4 * across.first + c] * across.near + above[4 * across.second + c] * across.far;
          const int bottom = below[4 * across.first + c] * across.near + below[4 * across.second + c] * across.far;
          const int sum = ((down.near * (top >> 4)) >> 16) + ((down.far * (bottom >> 4)) >> 16);
          const auto code = static_cast<std::size_t>((sum + 2) >> 2);
          to[static_cast<std::size_t>(c) * plane + static_cast<std::size_t>(x)] =
              value[static_cast<std::size_t>(c)][code];
        }
      }
    }
  });
}

}  // namespace imago::nn
