// Runs one case on both sides.
#pragma once

#include <string>

#include "oracle/case.h"
#include "oracle/compare.h"

namespace imago::oracle {

struct Outcome {
  Difference difference;
  int dispatches = 0;
  std::string problem;  // "" when the case passed
};

// Needs a device.
Outcome run_case(const Case& test);

}  // namespace imago::oracle
