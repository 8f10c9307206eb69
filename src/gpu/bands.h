// Cuts a pass into dispatches whose bindings fit the device: pure arithmetic, no device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/rect.h"
#include "gpu/slices.h"
#include "image/pass.h"

namespace imago::gpu {

// A run of rows of one buffer as the kernel sees it. The binding may start before the first row (offsets are aligned);
// pixel_offset says how many pixels before.
struct BoundRows {
  int slice = 0;  // of the buffer; the offset counts from its first row
  int first_row = 0;
  int row_count = 0;
  int own_first = 0;  // gather inputs: the rows whose pixels this dispatch writes; else all bound rows
  int own_end = 0;
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
  std::uint32_t pixel_offset = 0;
};

struct DispatchBand {
  RowRange rows;  // of the output
  BoundRows output;
  std::vector<BoundRows> inputs;
};

struct BandLimits {
  std::uint64_t binding_bytes = 0;
  std::uint64_t offset_alignment = 256;
  std::uint64_t invocations = 0;  // of one dispatch
};

struct PassBands {
  std::vector<DispatchBand> bands;
  std::string error;  // not empty: the pass cannot run within the limits
};

// No slices: every buffer is whole.
PassBands plan_bands(const Pass& pass, const std::vector<PassBuffer>& buffers, const BandLimits& limits,
                     const std::vector<Slices>& slices = {});

// The size of the guard words (guards.h) on one side of a buffer: a row and some more, so that the row before the first
// and after the last is seen.
std::uint64_t guard_bytes(const PassBuffer& buffer);

// The same rows where the buffer's data begins after a guard, bound with a guard's size more on both sides.
void include_guards(BoundRows& rows, const PassBuffer& buffer);

// Workgroups of a one-dimensional kernel folded onto two axes (a device takes at most 65535 along one).
struct Groups {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
};
Groups fold_groups(std::uint64_t invocations, std::uint32_t workgroup_size, std::uint32_t groups_per_dimension);

}  // namespace imago::gpu
