#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace imago {

// One step of a longer piece of work: "faces", 12 of 300.
struct Progress {
  std::string_view stage;
  std::int64_t done = 0;
  std::int64_t total = 0;  // 0 when not known
};

// Called from whichever thread did the step; must not throw.
using ProgressCallback = std::function<void(const Progress&)>;

}  // namespace imago
