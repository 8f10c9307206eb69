// GPU time of every kernel, against a plain copy in the same run.
#pragma once

#include <string>

namespace imago::oracle {

// size: "6000x4000". Prints a table; 0, or 2 for a size that is none. Needs a device.
int perf(const std::string& size);

}  // namespace imago::oracle
