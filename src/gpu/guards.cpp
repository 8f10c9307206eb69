#include "gpu/guards.h"

#include <algorithm>
#include <span>

namespace imago::gpu {
void Guards::begin(const std::vector<PassBuffer>& buffers, const std::vector<PassBuffer>& writes, Buffers& storage,
                   FaultState& faults) {
  if (!on_ || writes.empty()) return;
  std::uint64_t largest = 0;
  for (const PassBuffer& buffer : buffers) largest = std::max(largest, guard_bytes(buffer));
  const std::vector<std::uint32_t> pattern(largest / 4, guard_word);
  pattern_ = storage.take(largest, BufferUse::storage, faults);
  wgpuQueueWriteBuffer(device_.queue, pattern_->handle.get(), 0, pattern.data(), largest);
  std::uint64_t seen = 0;
  for (const PassBuffer& write : writes) seen += 2 * guard_bytes(write);
  seen_ = storage.take(seen, BufferUse::storage, faults);
}

void Guards::surround(Recorder& recorder, const DeviceBuffer& storage, const PassBuffer& buffer) {
  if (pattern_ == nullptr) return;
  const std::uint64_t bytes = guard_bytes(buffer);
  recorder.copy(*pattern_, 0, storage, 0, bytes);
  recorder.copy(*pattern_, 0, storage, bytes + buffer_bytes(buffer), bytes);
}

void Guards::look(Recorder& recorder, const DeviceBuffer& storage, const PassBuffer& buffer, std::string_view kernel) {
  if (seen_ == nullptr) return;
  const std::uint64_t bytes = guard_bytes(buffer);
  recorder.copy(storage, 0, *seen_, seen_words_ * 4, bytes);
  recorder.copy(storage, bytes + buffer_bytes(buffer), *seen_, seen_words_ * 4 + bytes, bytes);
  looks_.push_back({.kernel = std::string(kernel),
                    .buffer = std::string(buffer.name),
                    .first_word = seen_words_,
                    .words = 2 * bytes / 4});
  seen_words_ += looks_.back().words;
}

void Guards::finish(Recorder& recorder, Buffers& storage, FaultState& faults, std::vector<PendingCopy>& copies) {
  if (looks_.empty()) return;
  words_.resize(seen_words_);
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(words_));
  BufferRef staging = storage.take(bytes.size(), BufferUse::readback, faults);
  recorder.copy(*seen_, 0, *staging, 0, bytes.size());
  copies.push_back({.staging = std::move(staging), .destination = bytes});
}

std::string Guards::damage() const {
  for (const Look& look : looks_) {
    const std::span<const std::uint32_t> guards = std::span(words_).subspan(look.first_word, look.words);
    if (std::all_of(guards.begin(), guards.end(), [](std::uint32_t word) { return word == guard_word; })) continue;
    return "kernel " + look.kernel + " wrote outside buffer " + look.buffer;
  }
  return {};
}

}  // namespace imago::gpu
