// IMAGO_GPU=OFF: the interface without a device.
#include "gpu/gpu.h"

namespace imago::gpu {
namespace {
constexpr const char* not_built = "not built: this program was configured with IMAGO_GPU=OFF";
}

bool available() { return false; }
std::string unavailable_reason() { return not_built; }
void warm_up() {}
bool ready() { return false; }
std::optional<AdapterInfo> adapter() { return std::nullopt; }
DeviceLimits limits() { return {}; }
void set_enabled(bool, const std::string&) {}

RunResult run(const PassList&, std::span<const Readback>, const RunOptions&) {
  RunResult result;
  result.fallback = Fallback{.kind = Fallback::Kind::not_tried, .reason = not_built};
  return result;
}

bool entirely_black(std::span<const std::byte>, Written) { return false; }
std::string redone_on_cpu(const Fallback&) { return ""; }
std::string last_fallback() { return ""; }
MemoryUse memory_use() { return {}; }
void set_cache_bytes(std::uint64_t) {}
void clear_cache() {}
void begin_shutdown() {}
bool wait_idle(std::chrono::milliseconds) { return true; }
void set_driver_entry_hook(std::function<void(bool)>) {}
void set_log(std::function<void(LogLevel, const std::string&)>) {}
void inject_fault(Fault, int) {}
bool fault_pending() { return false; }
void reset_failures() {}

}  // namespace imago::gpu
