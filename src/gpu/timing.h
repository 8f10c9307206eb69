// GPU time per pass from timestamp queries, where asked for and the adapter has them. Executor thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/readback.h"
#include "gpu/recorder.h"

namespace imago::gpu {

class Timing {
 public:
  Timing(const Device& device, bool wanted) : device_(device), on_(wanted && device.timestamps) {}

  void begin(std::size_t dispatches);
  const WGPUPassTimestampWrites* next(std::size_t pass);  // for the next compute pass; null when off or full
  void describe(std::size_t pass, std::string kernel, std::uint64_t bytes);
  void finish(Recorder& recorder, Buffers& buffers, FaultState& faults, std::vector<PendingCopy>& copies);
  std::vector<PassTime> passes() const;  // after the readback

 private:
  struct Described {
    std::size_t pass = 0;
    PassTime time;
  };

  const Device& device_;
  bool on_ = false;
  QuerySetHandle queries_;
  WGPUPassTimestampWrites writes_ = {};
  std::size_t capacity_ = 0;
  std::vector<std::size_t> stretches_;  // the pass of each timed compute pass
  std::vector<std::uint64_t> ticks_;
  std::vector<Described> described_;
};

}  // namespace imago::gpu
