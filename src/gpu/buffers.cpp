#include "gpu/buffers.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "gpu/abort_guard.h"

namespace imago::gpu {
namespace {

constexpr std::uint64_t pool_limit = std::uint64_t{2} << 30;
constexpr std::uint64_t table_limit = std::uint64_t{64} << 20;

WGPUBufferUsage usage_of(BufferUse use) {
  switch (use) {
    case BufferUse::storage: return WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;
    case BufferUse::uniform: return WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst;
    case BufferUse::readback: return WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst;
    case BufferUse::query: return WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc;
  }
  return WGPUBufferUsage_None;
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB"; }

}  // namespace

BufferRef Buffers::take(std::uint64_t bytes, BufferUse use, FaultState& faults) {
  if (faults.fires(Fault::buffer))
    throw Failure{.reason = "a buffer could not be created (injected)", .simulated = true};
  if (faults.fires(Fault::out_of_memory)) {
    throw Failure{.reason = "out of device memory for a buffer of " + mebibytes(bytes) + " (injected)",
                  .simulated = true};
  }
  auto best = pool_.end();
  for (auto it = pool_.begin(); it != pool_.end(); ++it) {
    const DeviceBuffer& free = **it;
    if (free.use != use || free.bytes < bytes || free.bytes > bytes + bytes / 4) continue;
    if (best == pool_.end() || free.bytes < (*best)->bytes) best = it;
  }
  if (best == pool_.end()) return make(bytes, use, faults);
  BufferRef buffer = std::move(*best);
  pool_.erase(best);
  note_use();
  return buffer;
}

BufferRef Buffers::make(std::uint64_t bytes, BufferUse use, FaultState&) {
  entering("buffer creation");
  ErrorScopes scopes(device_);
  WGPUBufferDescriptor descriptor = {};
  descriptor.usage = usage_of(use);
  descriptor.size = (bytes + 15) / 16 * 16;
  auto buffer = std::make_shared<DeviceBuffer>();
  buffer->handle = BufferHandle(wgpuDeviceCreateBuffer(device_.device, &descriptor));
  buffer->bytes = descriptor.size;
  buffer->use = use;
  if (const std::optional<ScopeError> error = scopes.pop()) {
    if (error->out_of_memory) throw Failure{.reason = "out of device memory for a buffer of " + mebibytes(bytes)};
    throw Failure{.reason = "a buffer of " + mebibytes(bytes) + " could not be created: " + error->message};
  }
  if (!buffer->handle) throw Failure{.reason = "a buffer of " + mebibytes(bytes) + " could not be created"};
  return buffer;
}

void Buffers::give_back(BufferRef buffer) {
  pool_.push_back(std::move(buffer));
  std::uint64_t total = 0;
  for (const BufferRef& free : pool_) total += free->bytes;
  while (total > pool_limit) {  // oldest first
    total -= pool_.front()->bytes;
    pool_.erase(pool_.begin());
  }
  note_use();
}

BufferRef Buffers::find(const CacheKey& key) {
  const auto found = std::find_if(cache_.begin(), cache_.end(), [&](const Kept& kept) { return kept.key == key; });
  if (found == cache_.end()) return nullptr;
  cache_.splice(cache_.begin(), cache_, found);
  return found->buffer;
}

void Buffers::keep(const CacheKey& key, BufferRef buffer) {
  if (find(key) != nullptr) return;
  cache_.push_front({.key = key, .buffer = std::move(buffer)});
  trim_cache();
}

void Buffers::trim_cache() {
  std::uint64_t total = 0;
  for (auto it = cache_.begin(); it != cache_.end();) {
    total += it->buffer->bytes;
    it = total > cache_limit_ ? cache_.erase(it) : std::next(it);
  }
  note_use();
}

BufferRef Buffers::table(const std::vector<std::uint32_t>& words, FaultState& faults) {
  const std::string_view content(reinterpret_cast<const char*>(words.data()), words.size() * 4);
  const std::size_t hash = std::hash<std::string_view>{}(content);
  const auto found = std::find_if(tables_.begin(), tables_.end(),
                                  [&](const Table& table) { return table.hash == hash && table.words == words; });
  if (found != tables_.end()) {
    tables_.splice(tables_.begin(), tables_, found);
    return found->buffer;
  }
  BufferRef buffer = make(std::max<std::size_t>(words.size() * 4, 16), BufferUse::storage, faults);
  if (!words.empty()) wgpuQueueWriteBuffer(device_.queue, buffer->handle.get(), 0, words.data(), words.size() * 4);
  tables_.push_front({.hash = hash, .words = words, .buffer = buffer});
  std::uint64_t total = 0;
  for (auto it = tables_.begin(); it != tables_.end();) {
    total += it->buffer->bytes;
    it = total > table_limit && it != tables_.begin() ? tables_.erase(it) : std::next(it);
  }
  note_use();
  return buffer;
}

void Buffers::set_cache_bytes(std::uint64_t limit) {
  cache_limit_ = limit;
  trim_cache();
}

void Buffers::clear() {
  cache_.clear();
  tables_.clear();
  clear_pool();
}

void Buffers::clear_pool() {
  pool_.clear();
  note_use();
}

void Buffers::note_use() {
  MemoryUse now;
  for (const Kept& kept : cache_) now.cached_bytes += kept.buffer->bytes;
  for (const BufferRef& free : pool_) now.pooled_bytes += free->bytes;
  for (const Table& table : tables_) now.table_bytes += table.buffer->bytes;
  const std::scoped_lock lock(use_mutex_);
  use_ = now;
}

MemoryUse Buffers::use() const {
  const std::scoped_lock lock(use_mutex_);
  return use_;
}

}  // namespace imago::gpu
