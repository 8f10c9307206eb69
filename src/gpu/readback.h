// Results from device to memory, with a time limit. Executor thread only.
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "gpu/buffers.h"

namespace imago::gpu {

struct PendingCopy {
  BufferRef staging;  // mappable, the copy into it has been submitted
  std::span<std::byte> destination;
};

// Maps every staging buffer, waits, copies. Throws Failure; after a time-out or a map error the GPU is not used again.
void read_back(const Device& device, std::span<const PendingCopy> copies, std::chrono::milliseconds limit,
               FaultState& faults);

}  // namespace imago::gpu
