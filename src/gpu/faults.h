// Injected faults: what tests make fail, and what follows on the thread that asked for it.
#pragma once

#include <optional>
#include <string>

#include "gpu/gpu.h"

namespace imago::gpu {

struct FaultState {
  std::optional<Fault> kind;
  int remaining = 0;
  std::string stopped;  // not empty: a simulated fatal failure stopped GPU use on this thread

  // True at the call that is to fail.
  bool fires(Fault fault) {
    if (kind != fault || --remaining > 0) return false;
    kind.reset();
    return true;
  }
};

FaultState& this_threads_faults();

}  // namespace imago::gpu
