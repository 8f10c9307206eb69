// A buffer over the device's size limit lives in several device buffers, each a run of its rows: pure arithmetic, no
// device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/rect.h"
#include "image/pass.h"

namespace imago::gpu {

// `rows` repeats rows of the neighbours on both sides of `own`, as many as any pass reads beside the row that it works
// on: whatever a row of output needs lies in one slice. Passes that write the buffer write the repeated rows as well.
struct Slice {
  RowRange own;
  RowRange rows;
};
using Slices = std::vector<Slice>;

std::uint64_t buffer_bytes(const PassBuffer& buffer);

// The rows of one slice as a buffer of its own.
PassBuffer sliced(const PassBuffer& buffer, const Slice& slice);

struct ListSlices {
  std::vector<Slices> of_buffer;  // one slice, the whole, where the buffer fits
  std::string error;              // not empty: a row with what is read beside it is over the limit
};
ListSlices plan_slices(const PassList& list, std::uint64_t largest_bytes);

}  // namespace imago::gpu
