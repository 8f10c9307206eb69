// Device buffers: made, reused and kept. Executor thread only, except use().
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/device.h"
#include "gpu/faults.h"

namespace imago::gpu {

enum class BufferUse : std::uint8_t { storage, uniform, readback, query };

struct DeviceBuffer {
  BufferHandle handle;
  std::uint64_t bytes = 0;
  BufferUse use = BufferUse::storage;
};
using BufferRef = std::shared_ptr<DeviceBuffer>;

// A buffer found again: its content is known by key, its shape has to agree.
struct CacheKey {
  StageKey key = 0;
  int width = 0;
  int first_row = 0;  // of the slice
  int height = 0;     // likewise
  int channels = 0;
  Element element = Element::f32;
  auto operator<=>(const CacheKey&) const = default;
};

class Buffers {
 public:
  explicit Buffers(const Device& device) : device_(device) {}

  // A free buffer of at most 1.25 times the size, else a new one. Content is undefined. Throws Failure.
  BufferRef take(std::uint64_t bytes, BufferUse use, FaultState& faults);
  void give_back(BufferRef buffer);

  BufferRef find(const CacheKey& key);
  void keep(const CacheKey& key, BufferRef buffer);

  // The table's words in a buffer, uploaded once.
  BufferRef table(const std::vector<std::uint32_t>& words, FaultState& faults);

  void set_cache_bytes(std::uint64_t limit);
  void clear();
  void clear_pool();
  MemoryUse use() const;

 private:
  struct Kept {
    CacheKey key;
    BufferRef buffer;
  };
  struct Table {
    std::size_t hash = 0;
    std::vector<std::uint32_t> words;
    BufferRef buffer;
  };

  BufferRef make(std::uint64_t bytes, BufferUse use, FaultState& faults);
  void trim_cache();
  void note_use();

  const Device& device_;
  std::vector<BufferRef> pool_;
  std::list<Kept> cache_;    // most recently used first
  std::list<Table> tables_;  // likewise
  std::uint64_t cache_limit_ = std::uint64_t{1} << 30;
  mutable std::mutex use_mutex_;
  MemoryUse use_;
};

}  // namespace imago::gpu
