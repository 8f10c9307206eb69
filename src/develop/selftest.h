// A few small renders on both sides, compared: what a user runs to see whether a GPU and its driver can be trusted, and
// attaches to a report. The oracle (tests/oracle) is the thorough judge; this needs no files and takes a second.
#pragma once

#include <string>
#include <vector>

#include "base/cancel.h"

namespace imago::develop {

struct SelftestResult {
  std::string name;
  double gpu_ms = 0;  // the whole run, with upload and readback
  double cpu_ms = 0;
  double largest = 0;  // difference in 8-bit steps
  double mean = 0;
  std::string problem;  // "" when equal within the gates of design: at most 3 steps, over 1 on 0.001 % of the samples
};

// Needs gpu::available(). Throws Cancelled.
std::vector<SelftestResult> selftest(const CancelToken& cancel = {});

}  // namespace imago::develop
