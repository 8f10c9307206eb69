// Settings from Lightroom's and Camera Raw's (process versions of 2012 and later).
//
// Sliders that mean the same thing here get the same number; the algorithms behind them differ, so a picture comes
// close and not equal. What is approximated and what has no counterpart is said.
#pragma once

#include <string>
#include <vector>

#include "develop/settings/settings.h"
#include "io/sidecar/crs.h"

namespace imago::develop {

struct CrsReport {
  std::vector<std::string> mapped;        // "Exposure2012 +0.50 -> exposure.ev = 0.5", for what is not at its default
  std::vector<std::string> approximated;  // with the reason
  std::vector<std::string> dropped;       // set, without a counterpart
  int at_default = 0;                     // understood, and at its default
};

// Changes what the file names, and nothing else: presets hold a part of all settings. Values out of range are brought
// to the range's end and said. Settings that were baked into the picture (crs:AlreadyApplied) are not applied again.
CrsReport import_crs(const io::CrsData& crs, Settings& settings);

}  // namespace imago::develop
