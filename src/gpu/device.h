// Adapter choice, the device and its error scopes. Executor thread only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/environment.h"
#include "gpu/gpu.h"
#include "gpu/handle.h"

namespace imago::gpu {

// Its handles are never released.
struct Device {
  WGPUInstance instance = nullptr;
  WGPUAdapter adapter = nullptr;
  WGPUDevice device = nullptr;
  WGPUQueue queue = nullptr;
  AdapterInfo info;
  DeviceLimits limits;
  bool timestamps = false;
  double nanoseconds_per_tick = 1;
};

// Log lines go to `lines`. Throws Failure (not_tried) when there is no usable adapter.
Device make_device(const Choice& choice, std::vector<std::string>& lines);

// Set by the device-lost and uncaptured-error callbacks.
std::optional<std::string> device_trouble();

struct ScopeError {
  std::string message;
  bool out_of_memory = false;
};

// Validation, out-of-memory and internal error scopes around a stretch of calls. wgpu keeps one stack of scopes per
// device, which is right here because one thread makes all calls.
class ErrorScopes {
 public:
  explicit ErrorScopes(const Device& device);
  ~ErrorScopes();
  ErrorScopes(const ErrorScopes&) = delete;
  ErrorScopes& operator=(const ErrorScopes&) = delete;
  std::optional<ScopeError> pop();  // once; the first error of the stretch

 private:
  WGPUDevice device_;
  bool open_ = true;
};

}  // namespace imago::gpu
