#include "gpu/pipelines.h"

#include <vector>

#include "gpu/abort_guard.h"

namespace imago::gpu {
namespace {

// Explicit, because an automatic layout drops the bindings that a kernel happens not to use.
BindGroupLayoutHandle make_layout(WGPUDevice device, std::size_t read_only) {
  std::vector<WGPUBindGroupLayoutEntry> entries(2 + read_only + 1);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i].binding = static_cast<std::uint32_t>(i);
    entries[i].visibility = WGPUShaderStage_Compute;
    entries[i].buffer.type = i < 2                    ? WGPUBufferBindingType_Uniform
                             : i + 1 < entries.size() ? WGPUBufferBindingType_ReadOnlyStorage
                                                      : WGPUBufferBindingType_Storage;
  }
  WGPUBindGroupLayoutDescriptor descriptor = {};
  descriptor.entryCount = entries.size();
  descriptor.entries = entries.data();
  return BindGroupLayoutHandle(wgpuDeviceCreateBindGroupLayout(device, &descriptor));
}

}  // namespace

const Pipeline& Pipelines::get(const Kernel& kernel, const PassShape& shape, FaultState& faults,
                               const std::function<void(bool)>& hook) {
  if (faults.fires(Fault::pipeline)) {
    throw Failure{.reason = "kernel " + std::string(kernel.name) + ": does not compile (injected)", .simulated = true};
  }
  const std::string wgsl = compose_wgsl(kernel, shape);
  std::string key = std::string(kernel.entry_point) + "\n" + wgsl;
  auto found = built_.find(key);
  if (found == built_.end()) {
    if (hook) hook(true);
    Pipeline pipeline = build(kernel, shape, wgsl);
    if (hook) hook(false);
    found = built_.emplace(std::move(key), std::move(pipeline)).first;
  }
  if (!found->second.error.empty()) {
    throw Failure{.reason = "kernel " + std::string(kernel.name) + ": " + found->second.error};
  }
  return found->second;
}

Pipeline Pipelines::build(const Kernel& kernel, const PassShape& shape, const std::string& wgsl) const {
  entering("kernel compilation");
  Pipeline out;
  ErrorScopes scopes(device_);
  out.layout = make_layout(device_.device, shape.inputs.size() + shape.tables.size());
  const WGPUBindGroupLayout layout = out.layout.get();
  WGPUPipelineLayoutDescriptor layout_descriptor = {};
  layout_descriptor.bindGroupLayoutCount = 1;
  layout_descriptor.bindGroupLayouts = &layout;
  const PipelineLayoutHandle pipeline_layout(wgpuDeviceCreatePipelineLayout(device_.device, &layout_descriptor));

  WGPUShaderSourceWGSL source = {};
  source.chain.sType = WGPUSType_ShaderSourceWGSL;
  source.code = view(wgsl);
  WGPUShaderModuleDescriptor module_descriptor = {};
  module_descriptor.nextInChain = &source.chain;
  const ShaderHandle module(wgpuDeviceCreateShaderModule(device_.device, &module_descriptor));

  WGPUComputePipelineDescriptor descriptor = {};
  descriptor.layout = pipeline_layout.get();
  descriptor.compute.module = module.get();
  descriptor.compute.entryPoint = view(kernel.entry_point);
  out.pipeline = PipelineHandle(wgpuDeviceCreateComputePipeline(device_.device, &descriptor));
  if (const std::optional<ScopeError> error = scopes.pop()) out.error = error->message;
  return out;
}

}  // namespace imago::gpu
