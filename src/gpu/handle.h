// Owners of wgpu objects, and the failure that ends a run.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/gpu.h"
#include "webgpu/webgpu.h"

namespace imago::gpu {

// False after a real failure: from then on no wgpu function is called, objects are left where they are.
inline std::atomic<bool> device_calls_allowed{true};

template <typename Object, void (*release)(Object)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(Object object) : object_(object) {}
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() {
    if (object_ != nullptr && device_calls_allowed) release(object_);
  }
  Object get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  Object object_ = nullptr;
};

using BufferHandle = Handle<WGPUBuffer, wgpuBufferRelease>;
using EncoderHandle = Handle<WGPUCommandEncoder, wgpuCommandEncoderRelease>;
using CommandsHandle = Handle<WGPUCommandBuffer, wgpuCommandBufferRelease>;
using ComputePassHandle = Handle<WGPUComputePassEncoder, wgpuComputePassEncoderRelease>;
using BindGroupHandle = Handle<WGPUBindGroup, wgpuBindGroupRelease>;
using BindGroupLayoutHandle = Handle<WGPUBindGroupLayout, wgpuBindGroupLayoutRelease>;
using PipelineLayoutHandle = Handle<WGPUPipelineLayout, wgpuPipelineLayoutRelease>;
using PipelineHandle = Handle<WGPUComputePipeline, wgpuComputePipelineRelease>;
using ShaderHandle = Handle<WGPUShaderModule, wgpuShaderModuleRelease>;
using QuerySetHandle = Handle<WGPUQuerySet, wgpuQuerySetRelease>;

// Thrown and caught on the executor thread, never through a wgpu callback.
struct Failure {
  std::string reason;
  bool fatal = false;      // the GPU is not used again
  bool simulated = false;  // by an injected fault: consequences stay on the injecting thread
  Fallback::Kind kind = Fallback::Kind::failed;
};

inline std::string text(WGPUStringView view) {
  if (view.data == nullptr) return {};
  return view.length == WGPU_STRLEN ? std::string(view.data) : std::string(view.data, view.length);
}

inline WGPUStringView view(std::string_view string) { return {string.data(), string.size()}; }

}  // namespace imago::gpu
