#include "gpu/faults.h"

namespace imago::gpu {

FaultState& this_threads_faults() {
  thread_local FaultState state;
  return state;
}

void inject_fault(Fault fault, int n) {
  FaultState& state = this_threads_faults();
  state.kind = fault;
  state.remaining = n;
}

bool fault_pending() { return this_threads_faults().kind.has_value(); }

void reset_failures() { this_threads_faults() = {}; }

}  // namespace imago::gpu
