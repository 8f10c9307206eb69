#include "gpu/timing.h"

#include <algorithm>
#include <span>

namespace imago::gpu {
namespace {
constexpr std::size_t most_queries = 4096;  // WebGPU's limit for one set
}

void Timing::begin(std::size_t dispatches) {
  if (!on_ || dispatches == 0) return;
  capacity_ = std::min(dispatches, most_queries / 2);
  WGPUQuerySetDescriptor descriptor = {};
  descriptor.type = WGPUQueryType_Timestamp;
  descriptor.count = static_cast<std::uint32_t>(2 * capacity_);
  queries_ = QuerySetHandle(wgpuDeviceCreateQuerySet(device_.device, &descriptor));
}

const WGPUPassTimestampWrites* Timing::next(std::size_t pass) {
  if (stretches_.size() == capacity_) return nullptr;
  const auto first = static_cast<std::uint32_t>(2 * stretches_.size());
  stretches_.push_back(pass);
  writes_ = {};
  writes_.querySet = queries_.get();
  writes_.beginningOfPassWriteIndex = first;
  writes_.endOfPassWriteIndex = first + 1;
  return &writes_;
}

void Timing::describe(std::size_t pass, std::string kernel, std::uint64_t bytes) {
  if (!on_) return;
  described_.push_back({.pass = pass, .time = {.kernel = std::move(kernel), .milliseconds = 0, .bytes = bytes}});
}

void Timing::finish(Recorder& recorder, Buffers& buffers, FaultState& faults, std::vector<PendingCopy>& copies) {
  if (stretches_.empty()) return;
  ticks_.resize(2 * stretches_.size());
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(ticks_));
  const BufferRef resolved = buffers.take(bytes.size(), BufferUse::query, faults);
  BufferRef staging = buffers.take(bytes.size(), BufferUse::readback, faults);
  recorder.resolve(queries_.get(), static_cast<std::uint32_t>(ticks_.size()), *resolved);
  recorder.copy(*resolved, 0, *staging, 0, bytes.size());
  copies.push_back({.staging = std::move(staging), .destination = bytes});
}

std::vector<PassTime> Timing::passes() const {
  std::vector<PassTime> out;
  for (const Described& described : described_) {
    PassTime time = described.time;
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
      if (stretches_[i] != described.pass || ticks_[2 * i + 1] < ticks_[2 * i]) continue;
      time.milliseconds += static_cast<double>(ticks_[2 * i + 1] - ticks_[2 * i]) * device_.nanoseconds_per_tick * 1e-6;
    }
    out.push_back(std::move(time));
  }
  return out;
}

}  // namespace imago::gpu
