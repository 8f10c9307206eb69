// Which passes of a list have to run, and how long each buffer lives: pure, no device.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gpu/gpu.h"

namespace imago::gpu {

// "" or what is wrong with the list: a fault of the caller's, found before anything is recorded.
std::string check_list(const PassList& list, std::span<const Readback> wanted);

struct Schedule {
  std::vector<bool> runs;     // per pass
  std::vector<bool> live;     // per buffer: has to exist in this run
  std::vector<int> last_use;  // per buffer: the last pass that touches it, passes.size() when it outlives them
};

// `found[i]`: buffer i has been found by its key, so that nothing has to make it.
Schedule schedule(const PassList& list, std::span<const Readback> wanted, const std::vector<bool>& found);

// Buffers whose key may be trusted: written by one upload or one chain of passes (a first one and keep_output ones).
std::vector<bool> cacheable(const PassList& list);

}  // namespace imago::gpu
