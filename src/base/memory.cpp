#include "base/memory.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <fstream>
#include <string>

#include "base/environment.h"
#include "base/log.h"

#ifdef _WIN32
#include <windows.h>
// psapi.h needs windows.h first
#include <psapi.h>
#else
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace imago::memory {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::size_t default_budget() {
  if (const std::optional<std::string> text = read_env("IMAGO_MEMORY_MB")) {
    std::size_t megabytes = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), megabytes);
    const bool whole = error == std::errc() && end == text->data() + text->size();
    if (whole && megabytes > 0 && megabytes < (std::size_t{1} << 30)) return megabytes * mebibyte;
    log_warn("IMAGO_MEMORY_MB={} is not a number of megabytes: ignored", *text);
  }
  const std::size_t most = 1536 * mebibyte;
  const std::size_t physical = physical_bytes();
  return physical == 0 ? most : std::min(physical / 4, most);
}

std::atomic<std::size_t> chosen_budget{0};

#ifdef __linux__
// "VmHWM:   1234 kB"
std::size_t status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word != key) continue;
    std::size_t kilobytes = 0;
    status >> kilobytes;
    return kilobytes * 1024;
  }
  return 0;
}

// The limit of the control group (containers, batch systems); 0 when there is none.
std::size_t group_limit() {
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    std::size_t bytes = 0;
    if (file >> bytes) return bytes;  // the text "max" does not read as a number
  }
  return 0;
}
#endif

}  // namespace

std::size_t budget() {
  if (chosen_budget == 0) {
    std::size_t none = 0;
    chosen_budget.compare_exchange_strong(none, default_budget());
  }
  return chosen_budget;
}

void set_budget(std::size_t bytes) { chosen_budget = bytes; }

std::size_t physical_bytes() {
#ifdef _WIN32
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof(status);
  return GlobalMemoryStatusEx(&status) ? static_cast<std::size_t>(status.ullTotalPhys) : 0;
#else
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return 0;
  const std::size_t bytes = static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes);
#ifdef __linux__
  const std::size_t limit = group_limit();
  return limit > 0 ? std::min(bytes, limit) : bytes;
#else
  return bytes;
#endif
#endif
}

std::size_t peak_bytes() {
#if defined(_WIN32)
  PROCESS_MEMORY_COUNTERS counters{};
  return GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof(counters)) ? counters.PeakWorkingSetSize : 0;
#elif defined(__linux__)
  return status_bytes("VmHWM:");  // getrusage would count what ran before exec as well
#else
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::size_t>(usage.ru_maxrss) : 0;  // bytes on macOS
#endif
}

std::size_t resident_bytes() {
#if defined(_WIN32)
  PROCESS_MEMORY_COUNTERS counters{};
  return GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof(counters)) ? counters.WorkingSetSize : 0;
#elif defined(__linux__)
  return status_bytes("VmRSS:");
#else
  return 0;
#endif
}

bool WorkGate::fits(std::size_t bytes) const { return holders_ == 0 || (used_ <= limit_ && bytes <= limit_ - used_); }

WorkGate::Admission WorkGate::acquire(std::size_t bytes, const CancelToken& token) {
  std::unique_lock lock(mutex_);
  const std::uint64_t ticket = next_ticket_++;
  waiting_.push_back(ticket);
  while (waiting_.front() != ticket || !fits(bytes)) {
    // Tokens have nobody to wake us, hence the period.
    changed_.wait_for(lock, std::chrono::milliseconds(20));
    if (token.cancelled()) {
      std::erase(waiting_, ticket);
      changed_.notify_all();
      throw Cancelled();
    }
  }
  waiting_.pop_front();
  used_ += bytes;
  ++holders_;
  changed_.notify_all();  // the next in line may fit as well
  return Admission(this, bytes);
}

void WorkGate::Admission::release() {
  if (gate_ == nullptr) return;
  {
    const std::lock_guard lock(gate_->mutex_);
    gate_->used_ -= bytes_;
    --gate_->holders_;
  }
  gate_->changed_.notify_all();
  gate_ = nullptr;
}

void WorkGate::set_limit(std::size_t limit_bytes) {
  {
    const std::lock_guard lock(mutex_);
    limit_ = limit_bytes;
  }
  changed_.notify_all();
}

std::size_t WorkGate::in_use() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

}  // namespace imago::memory
