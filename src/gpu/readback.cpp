#include "gpu/readback.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>

#include "gpu/abort_guard.h"
#include "gpu/native.h"
#include "gpu/recorder.h"

namespace imago::gpu {
namespace {

using Clock = std::chrono::steady_clock;

struct MapAnswer {
  bool done = false;
  bool mapped = false;
  std::string message;
};

void on_mapped(WGPUMapAsyncStatus status, WGPUStringView message, void* out, void*) {
  auto& answer = *static_cast<MapAnswer*>(out);
  answer.done = true;
  answer.mapped = status == WGPUMapAsyncStatus_Success;
  if (!answer.mapped) answer.message = text(message);
}

void wait_mapped(const Device& device, const std::vector<MapAnswer>& answers, std::chrono::milliseconds limit) {
  const Clock::time_point end = Clock::now() + limit;
  std::chrono::microseconds pause{20};
  const auto all_done = [&] {
    return std::all_of(answers.begin(), answers.end(), [](const MapAnswer& answer) { return answer.done; });
  };
  for (;;) {
    native::poll(device.device);
    if (all_done()) return;
    if (const std::optional<std::string> trouble = device_trouble()) fail_for_good(*trouble);
    if (Clock::now() >= end) {
      fail_for_good("no result within " + std::to_string(limit.count() / 1000) + " s");
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds{500});
  }
}

}  // namespace

void read_back(const Device& device, std::span<const PendingCopy> copies, std::chrono::milliseconds limit,
               FaultState& faults) {
  entering("readback");
  if (faults.fires(Fault::timeout)) fail_for_good("no result in time (injected)", true);
  if (faults.fires(Fault::map)) fail_for_good("the result could not be mapped (injected)", true);
  // After a time-out the callbacks may still come: what they write to must outlive this call.
  auto answers = std::make_unique<std::vector<MapAnswer>>(copies.size());
  ErrorScopes scopes(device);
  for (std::size_t i = 0; i < copies.size(); ++i) {
    WGPUBufferMapCallbackInfo callback = {};
    callback.mode = WGPUCallbackMode_AllowSpontaneous;
    callback.callback = on_mapped;
    callback.userdata1 = &(*answers)[i];
    wgpuBufferMapAsync(copies[i].staging->handle.get(), WGPUMapMode_Read, 0, copies[i].staging->bytes, callback);
  }
  try {
    wait_mapped(device, *answers, limit);
  } catch (const Failure&) {
    static_cast<void>(answers.release());
    throw;
  }
  const std::optional<ScopeError> error = scopes.pop();
  for (const MapAnswer& answer : *answers) {
    if (!answer.mapped) fail_for_good("the result could not be mapped: " + answer.message);
  }
  if (error) fail_for_good("the result could not be mapped: " + error->message);
  for (const PendingCopy& copy : copies) {
    const WGPUBuffer buffer = copy.staging->handle.get();
    const void* mapped = wgpuBufferGetConstMappedRange(buffer, 0, copy.staging->bytes);
    if (mapped == nullptr) fail_for_good("the mapped result has no address");
    std::memcpy(copy.destination.data(), mapped, copy.destination.size());
    wgpuBufferUnmap(buffer);
  }
}

}  // namespace imago::gpu
