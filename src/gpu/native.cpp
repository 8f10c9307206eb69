#include "gpu/native.h"

#include <cassert>

#include "webgpu/wgpu.h"

namespace imago::gpu::native {
namespace {

WGPUInstanceBackend backend_mask(std::uint8_t backends) {
  WGPUInstanceBackend mask = 0;
  if ((backends & backend_vulkan) != 0) mask |= WGPUInstanceBackend_Vulkan;
  if ((backends & backend_metal) != 0) mask |= WGPUInstanceBackend_Metal;
  if ((backends & backend_dx12) != 0) mask |= WGPUInstanceBackend_DX12;
  return mask;
}

WGPUDx12Compiler compiler_code(ShaderCompiler compiler) {
  switch (compiler) {
    case ShaderCompiler::fxc: return WGPUDx12Compiler_Fxc;
    case ShaderCompiler::dxc: return WGPUDx12Compiler_Dxc;
    case ShaderCompiler::automatic: break;
  }
  return WGPUDx12Compiler_Undefined;
}

}  // namespace

WGPUInstance create_instance(std::uint8_t backends, ShaderCompiler dx12_compiler) {
  assert(backends != backend_none);
  WGPUInstanceExtras extras = {};
  extras.chain.sType = static_cast<WGPUSType>(WGPUSType_InstanceExtras);
  extras.backends = backend_mask(backends);
  extras.dx12ShaderCompiler = compiler_code(dx12_compiler);
  WGPUInstanceDescriptor descriptor = {};
  descriptor.nextInChain = &extras.chain;
  return wgpuCreateInstance(&descriptor);
}

std::vector<WGPUAdapter> enumerate(WGPUInstance instance, std::uint8_t backends) {
  WGPUInstanceEnumerateAdapterOptions options = {};
  options.backends = backend_mask(backends);
  std::vector<WGPUAdapter> adapters(wgpuInstanceEnumerateAdapters(instance, &options, nullptr));
  if (!adapters.empty()) adapters.resize(wgpuInstanceEnumerateAdapters(instance, &options, adapters.data()));
  return adapters;
}

void poll(WGPUDevice device) { wgpuDevicePoll(device, 0, nullptr); }

double nanoseconds_per_tick(WGPUQueue queue) { return static_cast<double>(wgpuQueueGetTimestampPeriod(queue)); }

}  // namespace imago::gpu::native
