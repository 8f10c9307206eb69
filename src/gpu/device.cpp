#include "gpu/device.h"

#include <algorithm>
#include <array>
#include <mutex>

#include "gpu/abort_guard.h"
#include "gpu/native.h"

namespace imago::gpu {
namespace {

std::mutex trouble_mutex;
std::string trouble;

// Callbacks may run inside any wgpu call and must neither call wgpu nor throw.
void note_trouble(const char* what, WGPUStringView message) noexcept {
  try {
    const std::scoped_lock lock(trouble_mutex);
    if (trouble.empty()) trouble = std::string(what) + ": " + text(message);
  } catch (...) {
  }
}

void on_lost(WGPUDevice const*, WGPUDeviceLostReason, WGPUStringView message, void*, void*) {
  note_trouble("device lost", message);
}

void on_uncaptured(WGPUDevice const*, WGPUErrorType, WGPUStringView message, void*, void*) {
  note_trouble("device error", message);
}

void on_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView, void* out, void*) {
  if (status == WGPURequestAdapterStatus_Success) *static_cast<WGPUAdapter*>(out) = adapter;
}

struct DeviceAnswer {
  WGPUDevice device = nullptr;
  std::string message;
};

void on_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message, void* out, void*) {
  auto& answer = *static_cast<DeviceAnswer*>(out);
  if (status == WGPURequestDeviceStatus_Success)
    answer.device = device;
  else
    answer.message = text(message);
}

void on_scope(WGPUPopErrorScopeStatus, WGPUErrorType type, WGPUStringView message, void* out, void*) {
  if (type == WGPUErrorType_NoError) return;
  auto& error = *static_cast<std::optional<ScopeError>*>(out);
  std::string said = text(message);
  // wgpu-native reports an exhausted device as a validation error with this text.
  const bool memory = type == WGPUErrorType_OutOfMemory || said.find("Not enough memory") != std::string::npos;
  error = ScopeError{.message = std::move(said), .out_of_memory = memory};
}

const char* type_name(WGPUAdapterType type) {
  switch (type) {
    case WGPUAdapterType_DiscreteGPU: return "DiscreteGpu";
    case WGPUAdapterType_IntegratedGPU: return "IntegratedGpu";
    case WGPUAdapterType_CPU: return "Cpu";
    default: return "Other";
  }
}

const char* backend_name(WGPUBackendType type) {
  switch (type) {
    case WGPUBackendType_Vulkan: return "Vulkan";
    case WGPUBackendType_Metal: return "Metal";
    case WGPUBackendType_D3D12: return "Dx12";
    default: return "Other";
  }
}

AdapterInfo info_of(WGPUAdapter adapter) {
  WGPUAdapterInfo info = {};
  wgpuAdapterGetInfo(adapter, &info);
  AdapterInfo out{.name = text(info.device),
                  .type = type_name(info.adapterType),
                  .backend = backend_name(info.backendType),
                  .driver = text(info.description)};
  wgpuAdapterInfoFreeMembers(info);
  return out;
}

WGPUAdapter request_adapter(WGPUInstance instance, PowerPreference power) {
  WGPURequestAdapterOptions options = {};
  options.powerPreference = power == PowerPreference::high  ? WGPUPowerPreference_HighPerformance
                            : power == PowerPreference::low ? WGPUPowerPreference_LowPower
                                                            : WGPUPowerPreference_Undefined;
  WGPUAdapter adapter = nullptr;
  WGPURequestAdapterCallbackInfo callback = {};
  callback.mode = WGPUCallbackMode_AllowSpontaneous;
  callback.callback = on_adapter;
  callback.userdata1 = &adapter;
  wgpuInstanceRequestAdapter(instance, &options, callback);
  return adapter;
}

// The adapter's limits as they are, except where IMAGO_GPU_LIMITS asks for less.
WGPULimits wanted_limits(WGPUAdapter adapter, const Choice& choice) {
  WGPULimits limits = WGPU_LIMITS_INIT;
  wgpuAdapterGetLimits(adapter, &limits);
  limits.nextInChain = nullptr;
  if (choice.binding_bytes != 0) {
    limits.maxStorageBufferBindingSize = std::min(limits.maxStorageBufferBindingSize, choice.binding_bytes);
    limits.maxBufferSize = std::min(limits.maxBufferSize, choice.buffer_bytes);
  }
  return limits;
}

DeviceLimits own_limits(const WGPULimits& limits) {
  return {.storage_binding_bytes = std::min(limits.maxStorageBufferBindingSize, limits.maxBufferSize),
          .buffer_bytes = limits.maxBufferSize,
          .storage_offset_alignment = limits.minStorageBufferOffsetAlignment,
          .uniform_offset_alignment = limits.minUniformBufferOffsetAlignment,
          .storage_buffers = limits.maxStorageBuffersPerShaderStage,
          .groups_per_dimension = limits.maxComputeWorkgroupsPerDimension};
}

void open_device(Device& out, const Choice& choice) {
  const WGPULimits limits = wanted_limits(out.adapter, choice);
  out.timestamps = (wgpuAdapterHasFeature(out.adapter, WGPUFeatureName_TimestampQuery) & 1) != 0;
  const WGPUFeatureName timestamp = WGPUFeatureName_TimestampQuery;
  WGPUDeviceDescriptor descriptor = {};
  descriptor.requiredLimits = &limits;
  descriptor.requiredFeatures = &timestamp;
  descriptor.requiredFeatureCount = out.timestamps ? 1 : 0;
  descriptor.deviceLostCallbackInfo.mode = WGPUCallbackMode_AllowSpontaneous;
  descriptor.deviceLostCallbackInfo.callback = on_lost;
  descriptor.uncapturedErrorCallbackInfo.callback = on_uncaptured;
  DeviceAnswer answer;
  WGPURequestDeviceCallbackInfo callback = {};
  callback.mode = WGPUCallbackMode_AllowSpontaneous;
  callback.callback = on_device;
  callback.userdata1 = &answer;
  wgpuAdapterRequestDevice(out.adapter, &descriptor, callback);
  if (answer.device == nullptr) {
    throw Failure{.reason = out.info.name + ": no device: " + answer.message, .kind = Fallback::Kind::not_tried};
  }
  out.device = answer.device;
  out.queue = wgpuDeviceGetQueue(out.device);
  out.limits = own_limits(limits);
  if (out.timestamps) out.nanoseconds_per_tick = native::nanoseconds_per_tick(out.queue);
}

}  // namespace

Device make_device(const Choice& choice, std::vector<std::string>& lines) {
  entering("device creation");
  Device out;
  out.instance = native::create_instance(choice.backends, choice.dx12_compiler);
  if (out.instance == nullptr) throw Failure{.reason = "wgpu made no instance", .kind = Fallback::Kind::not_tried};
  const auto candidate = [](WGPUAdapter adapter) {
    const AdapterInfo info = info_of(adapter);
    return Candidate{.name = info.name, .type = info.type};
  };
  std::optional<Candidate> requested;
  if (WGPUAdapter proposed = request_adapter(out.instance, choice.power)) {
    requested = candidate(proposed);
    wgpuAdapterRelease(proposed);
  }
  const std::vector<WGPUAdapter> adapters = native::enumerate(out.instance, choice.backends);
  std::vector<Candidate> candidates;
  std::transform(adapters.begin(), adapters.end(), std::back_inserter(candidates), candidate);
  const AdapterChoice chosen = choose_adapter(requested, candidates, choice);
  lines.insert(lines.end(), chosen.skipped.begin(), chosen.skipped.end());
  for (std::size_t i = 0; i < adapters.size(); ++i) {
    if (chosen.index != i) wgpuAdapterRelease(adapters[i]);
  }
  if (!chosen.index) throw Failure{.reason = chosen.reason, .kind = Fallback::Kind::not_tried};
  out.adapter = adapters[*chosen.index];
  out.info = info_of(out.adapter);
  open_device(out, choice);
  lines.push_back("[gpu] using " + out.info.name + " (" + out.info.type + ") via " + out.info.backend);
  return out;
}

std::optional<std::string> device_trouble() {
  const std::scoped_lock lock(trouble_mutex);
  if (trouble.empty()) return std::nullopt;
  return trouble;
}

ErrorScopes::ErrorScopes(const Device& device) : device_(device.device) {
  // wgpu-native ends the process on WGPUErrorFilter_Internal ("invalid error filter").
  for (const WGPUErrorFilter filter : {WGPUErrorFilter_OutOfMemory, WGPUErrorFilter_Validation}) {
    wgpuDevicePushErrorScope(device_, filter);
  }
}

ErrorScopes::~ErrorScopes() {
  if (open_ && device_calls_allowed) pop();
}

std::optional<ScopeError> ErrorScopes::pop() {
  open_ = false;
  std::optional<ScopeError> first;
  for (int i = 0; i < 2; ++i) {
    std::optional<ScopeError> error;
    WGPUPopErrorScopeCallbackInfo callback = {};
    callback.mode = WGPUCallbackMode_AllowSpontaneous;
    callback.callback = on_scope;
    callback.userdata1 = &error;
    wgpuDevicePopErrorScope(device_, callback);
    if (error && !first) first = std::move(error);
  }
  return first;
}

}  // namespace imago::gpu
