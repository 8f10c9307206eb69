// Records one run: encoders, scopes, submissions. Executor thread only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/buffers.h"
#include "gpu/device.h"
#include "gpu/faults.h"

namespace imago::gpu {

// One stretch of commands after another; each is submitted only when its error scopes were clean and the device is
// not known to be lost.
class Recorder {
 public:
  Recorder(const Device& device, FaultState& faults);

  void clear(const DeviceBuffer& buffer, std::uint64_t offset, std::uint64_t bytes);
  void copy(const DeviceBuffer& from, std::uint64_t from_offset, const DeviceBuffer& to, std::uint64_t to_offset,
            std::uint64_t bytes);
  void begin_pass(WGPUComputePipeline pipeline, const WGPUPassTimestampWrites* timestamps);
  void dispatch(WGPUBindGroup group, std::uint32_t groups_x, std::uint32_t groups_y);
  void end_pass();
  void resolve(WGPUQuerySet queries, std::uint32_t count, const DeviceBuffer& to);
  bool empty() const { return !encoder_; }
  void submit();  // nothing when nothing was recorded. Throws Failure
  int submissions() const { return submissions_; }

 private:
  WGPUCommandEncoder encoder();
  void submit_commands(WGPUCommandBuffer commands);

  const Device& device_;
  FaultState& faults_;
  std::optional<ErrorScopes> scopes_;
  EncoderHandle encoder_;
  ComputePassHandle pass_;
  int submissions_ = 0;
};

// A failure after which the GPU is not used again; stops all device calls unless it is simulated.
[[noreturn]] void fail_for_good(std::string reason, bool simulated = false);

}  // namespace imago::gpu
