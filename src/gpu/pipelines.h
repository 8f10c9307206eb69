// Compiled kernels, kept for the life of the device. Executor thread only.
#pragma once

#include <string>
#include <unordered_map>

#include "gpu/device.h"
#include "gpu/faults.h"
#include "gpu/prelude.h"

namespace imago::gpu {

struct Pipeline {
  BindGroupLayoutHandle layout;
  PipelineHandle pipeline;
  std::string error;  // why the kernel does not compile; it is not tried again
};

class Pipelines {
 public:
  explicit Pipelines(const Device& device) : device_(device) {}

  // Throws Failure "kernel NAME: …". `hook` is told before and after the driver compiles.
  const Pipeline& get(const Kernel& kernel, const PassShape& shape, FaultState& faults,
                      const std::function<void(bool)>& hook);

 private:
  Pipeline build(const Kernel& kernel, const PassShape& shape, const std::string& wgsl) const;

  const Device& device_;
  std::unordered_map<std::string, Pipeline> built_;  // by entry point and whole text
};

}  // namespace imago::gpu
