// What must have a case, and what has none.
#pragma once

#include <string>
#include <vector>

#include "oracle/case.h"

namespace imago::oracle {

// One line for each stage folder, kernel file, settings tool, finish tool and pano filter that no case covers, and for
// each exemption that is no longer true. Prints the table of what is covered.
std::vector<std::string> uncovered(const std::vector<Case>& cases);

}  // namespace imago::oracle
