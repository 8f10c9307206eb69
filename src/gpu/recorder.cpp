#include "gpu/recorder.h"

#include <utility>

#include "gpu/abort_guard.h"
#include "gpu/native.h"

namespace imago::gpu {

void fail_for_good(std::string reason, bool simulated) {
  if (!simulated) device_calls_allowed = false;
  throw Failure{.reason = std::move(reason), .fatal = true, .simulated = simulated};
}

Recorder::Recorder(const Device& device, FaultState& faults) : device_(device), faults_(faults) {}

WGPUCommandEncoder Recorder::encoder() {
  if (!encoder_) {
    entering("recording");
    scopes_.emplace(device_);
    encoder_ = EncoderHandle(wgpuDeviceCreateCommandEncoder(device_.device, nullptr));
  }
  return encoder_.get();
}

void Recorder::clear(const DeviceBuffer& buffer, std::uint64_t offset, std::uint64_t bytes) {
  wgpuCommandEncoderClearBuffer(encoder(), buffer.handle.get(), offset, bytes);
}

void Recorder::copy(const DeviceBuffer& from, std::uint64_t from_offset, const DeviceBuffer& to,
                    std::uint64_t to_offset, std::uint64_t bytes) {
  wgpuCommandEncoderCopyBufferToBuffer(encoder(), from.handle.get(), from_offset, to.handle.get(), to_offset, bytes);
}

void Recorder::begin_pass(WGPUComputePipeline pipeline, const WGPUPassTimestampWrites* timestamps) {
  WGPUComputePassDescriptor descriptor = {};
  descriptor.timestampWrites = timestamps;
  pass_ = ComputePassHandle(wgpuCommandEncoderBeginComputePass(encoder(), &descriptor));
  wgpuComputePassEncoderSetPipeline(pass_.get(), pipeline);
}

void Recorder::dispatch(WGPUBindGroup group, std::uint32_t groups_x, std::uint32_t groups_y) {
  wgpuComputePassEncoderSetBindGroup(pass_.get(), 0, group, 0, nullptr);
  wgpuComputePassEncoderDispatchWorkgroups(pass_.get(), groups_x, groups_y, 1);
}

void Recorder::end_pass() {
  if (!pass_) return;
  wgpuComputePassEncoderEnd(pass_.get());
  const ComputePassHandle ended = std::exchange(pass_, ComputePassHandle());
}

void Recorder::resolve(WGPUQuerySet queries, std::uint32_t count, const DeviceBuffer& to) {
  wgpuCommandEncoderResolveQuerySet(encoder(), queries, 0, count, to.handle.get(), 0);
}

void Recorder::submit() {
  if (!encoder_) return;
  end_pass();
  const EncoderHandle finished = std::exchange(encoder_, EncoderHandle());
  const CommandsHandle commands(wgpuCommandEncoderFinish(finished.get(), nullptr));
  const std::optional<ScopeError> error = scopes_->pop();
  scopes_.reset();
  if (const std::optional<std::string> trouble = device_trouble()) fail_for_good(*trouble);
  if (error) throw Failure{.reason = error->out_of_memory ? "out of device memory: " + error->message : error->message};
  if (faults_.fires(Fault::submit)) fail_for_good("a submission failed (injected)", true);
  if (faults_.fires(Fault::lost)) fail_for_good("device lost (injected)", true);
  if (faults_.fires(Fault::destroyed)) wgpuDeviceDestroy(device_.device);
  submit_commands(commands.get());
}

// The one call that may abort although everything was checked: the device can be lost at any moment.
void Recorder::submit_commands(WGPUCommandBuffer commands) {
  entering("submission");
  wgpuQueueSubmit(device_.queue, 1, &commands);
  ++submissions_;
  native::poll(device_.device);
  if (const std::optional<std::string> trouble = device_trouble()) fail_for_good(*trouble);
}

}  // namespace imago::gpu
