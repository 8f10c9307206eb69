// One memory budget for the process, and a gate that keeps work in flight within a share of it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>

#include "base/cancel.h"

namespace imago::memory {

// Bytes: IMAGO_MEMORY_MB, else the smaller of 25 % of the RAM (of the container, where it has a limit) and 1.5 GiB.
std::size_t budget();
void set_budget(std::size_t bytes);  // 0 goes back to the above

std::size_t physical_bytes();  // RAM, or the container's limit
std::size_t peak_bytes();      // largest resident size of this process so far; 0 when not known
std::size_t resident_bytes();  // now; 0 when not known

// Admits work by the bytes that it will use. Whoever comes first is admitted first; when nothing is in, the next one
// is let in whatever its size, so that work larger than the limit runs alone rather than never.
class WorkGate {
 public:
  explicit WorkGate(std::size_t limit_bytes) : limit_(limit_bytes) {}
  WorkGate(const WorkGate&) = delete;
  WorkGate& operator=(const WorkGate&) = delete;

  // Holds its bytes until it goes.
  class Admission {
   public:
    Admission() = default;
    Admission(Admission&& other) noexcept
        : gate_(std::exchange(other.gate_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    Admission& operator=(Admission&& other) noexcept {
      release();
      gate_ = std::exchange(other.gate_, nullptr);
      bytes_ = std::exchange(other.bytes_, 0);
      return *this;
    }
    ~Admission() { release(); }
    void release();

   private:
    friend class WorkGate;
    Admission(WorkGate* gate, std::size_t bytes) : gate_(gate), bytes_(bytes) {}
    WorkGate* gate_ = nullptr;
    std::size_t bytes_ = 0;
  };

  // Waits for room. Throws Cancelled when the token is set meanwhile.
  [[nodiscard]] Admission acquire(std::size_t bytes, const CancelToken& token = CancelToken());

  void set_limit(std::size_t limit_bytes);
  std::size_t in_use() const;

 private:
  bool fits(std::size_t bytes) const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t limit_;
  std::size_t used_ = 0;
  std::size_t holders_ = 0;
  std::uint64_t next_ticket_ = 0;
  std::deque<std::uint64_t> waiting_;  // tickets, first come first
};

}  // namespace imago::memory
