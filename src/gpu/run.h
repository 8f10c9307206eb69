// One run of a PassList on the device, start to end. Executor thread only.
#pragma once

#include <functional>
#include <span>

#include "gpu/buffers.h"
#include "gpu/device.h"
#include "gpu/faults.h"
#include "gpu/pipelines.h"

namespace imago::gpu {

struct RunContext {
  const Device& device;
  Buffers& buffers;
  Pipelines& pipelines;
  FaultState& faults;
  std::function<void(bool)> driver_entry_hook;
  bool profile = false;
};

// Throws Failure; `result` holds the counters either way.
void run_on_device(const RunContext& context, const PassList& list, std::span<const Readback> wanted,
                   const RunOptions& options, RunResult& result);

}  // namespace imago::gpu
