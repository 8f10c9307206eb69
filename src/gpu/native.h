// What only wgpu-native has (wgpu.h). Another WebGPU implementation replaces this file alone.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/environment.h"
#include "webgpu/webgpu.h"

namespace imago::gpu::native {

// backends must not be empty (wgpu takes 0 for "all of them"). Null when wgpu refuses.
WGPUInstance create_instance(std::uint8_t backends, ShaderCompiler dx12_compiler);
std::vector<WGPUAdapter> enumerate(WGPUInstance instance, std::uint8_t backends);
void poll(WGPUDevice device);  // runs what is due, does not wait
double nanoseconds_per_tick(WGPUQueue queue);

}  // namespace imago::gpu::native
