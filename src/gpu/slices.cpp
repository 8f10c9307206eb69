#include "gpu/slices.h"

#include <algorithm>

namespace imago::gpu {
namespace {

// Rows beside its own that some pass needs of each buffer. A scaled position lies between two rows: one more.
std::vector<int> overlaps(const PassList& list) {
  std::vector<int> out(list.buffers.size(), 0);
  for (const Pass& pass : list.passes) {
    for (const PassInput& input : pass.inputs) {
      int& overlap = out[static_cast<std::size_t>(input.buffer)];
      overlap = std::max(overlap, input.reach.reach + 1);
    }
  }
  return out;
}

}  // namespace

std::uint64_t buffer_bytes(const PassBuffer& buffer) {
  return static_cast<std::uint64_t>(buffer.width) * static_cast<std::uint64_t>(buffer.height) *
         static_cast<std::uint64_t>(buffer.channels) * 4;
}

PassBuffer sliced(const PassBuffer& buffer, const Slice& slice) {
  PassBuffer out = buffer;
  out.height = slice.rows.count();
  return out;
}

ListSlices plan_slices(const PassList& list, std::uint64_t largest_bytes) {
  ListSlices out;
  const std::vector<int> overlap = overlaps(list);
  for (std::size_t i = 0; i < list.buffers.size(); ++i) {
    const PassBuffer& buffer = list.buffers[i];
    Slices& slices = out.of_buffer.emplace_back();
    if (buffer_bytes(buffer) <= largest_bytes) {
      slices.push_back({{0, buffer.height}, {0, buffer.height}});
      continue;
    }
    const std::uint64_t row_bytes = buffer_bytes(buffer) / static_cast<std::uint64_t>(buffer.height);
    const int rows = static_cast<int>(largest_bytes / row_bytes);
    const int own = rows - 2 * overlap[i];
    if (own < 1) {
      out.error =
          "one row with its reach is over the device's buffer limit of " + std::to_string(largest_bytes >> 20) + " MiB";
      return out;
    }
    for (int begin = 0; begin < buffer.height; begin += own) {
      const RowRange mine{begin, std::min(begin + own, buffer.height)};
      slices.push_back({mine, clamp(RowRange{mine.begin - overlap[i], mine.end + overlap[i]}, buffer.height)});
    }
  }
  return out;
}

}  // namespace imago::gpu
