// Runs PassLists (image/pass.h) on a WebGPU device, or says why not. Nothing here throws for a GPU's sake: a run ends
// in pictures or in a Fallback, and the caller renders on the CPU and passes the reason on.
//
// All device calls happen on one executor thread that the process can lose without dying: wgpu aborts on some
// errors, the abort parks that thread, the run that was on it returns its reason and the GPU is not used again.
// Built with IMAGO_GPU=OFF the same functions answer "not built".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "image/pass.h"

namespace imago::gpu {

struct AdapterInfo {
  std::string name;     // "NVIDIA H200"
  std::string type;     // DiscreteGpu, IntegratedGpu, Cpu, Other
  std::string backend;  // Vulkan, Metal, Dx12
  std::string driver;
};

struct DeviceLimits {
  std::uint64_t storage_binding_bytes = 0;  // largest binding a kernel may see
  std::uint64_t buffer_bytes = 0;
  std::uint32_t storage_offset_alignment = 256;
  std::uint32_t uniform_offset_alignment = 256;
  std::uint32_t storage_buffers = 8;  // inputs + tables + output of one pass
  std::uint32_t groups_per_dimension = 65535;
};

// --- The device -----------------------------------------------------------------------------------------------------

bool available();                  // makes the device if that has not been tried; waits for it
std::string unavailable_reason();  // "" when available: "disabled by IMAGO_GPU=0", "software adapter (…) skipped: …",
                                   // "stopped after a GPU failure: …"; does not wait
void warm_up();                        // makes the device in the background
bool ready();                          // the device exists and is usable; never waits
std::optional<AdapterInfo> adapter();  // the one in use; waits like available()
DeviceLimits limits();                 // all zero without a device
// The user's preference, at run time; `why` is then the reason that is given.
void set_enabled(bool enabled, const std::string& why = "turned off in the settings");

// --- Running passes -------------------------------------------------------------------------------------------------

// What every pixel of a result carries when its kernel has run; buffers are cleared before.
enum class Written : std::uint8_t {
  unchecked,
  alpha_255,  // packed RGBA
  alpha_one,  // four floats
};

struct Readback {
  int buffer = -1;
  std::span<std::byte> destination;  // exactly the buffer's size
  Written written = Written::unchecked;
};

struct Fallback {
  enum class Kind : std::uint8_t {
    not_tried,  // the GPU was not used for this run
    failed,     // it was, and something went wrong
  };
  Kind kind = Kind::not_tried;
  std::string reason;
};

struct PassTime {
  std::string kernel;
  double milliseconds = 0;  // of GPU time
  std::uint64_t bytes = 0;  // inputs read once + output written once
};

struct RunResult {
  std::optional<Fallback> fallback;  // empty: every wanted buffer has arrived
  int dispatches = 0;                // kernels really dispatched
  int submissions = 0;
  int uploads = 0;
  std::uint64_t uploaded_bytes = 0;
  std::uint64_t peak_buffer_bytes = 0;  // device memory that this run's buffers occupied at most
  double wall_milliseconds = 0;         // on the executor, without waiting for other runs
  std::vector<PassTime> passes;         // filled when asked for and the adapter has timestamp queries
  bool ok() const { return !fallback.has_value(); }
};

struct RunOptions {
  bool time_passes = false;
  bool use_cache = true;                             // find and keep buffers that have a key
  std::uint64_t binding_bytes_limit = 0;             // tests: pretend a smaller device (0: the device's own)
  std::uint64_t buffer_bytes_limit = 0;              // likewise
  std::uint64_t submission_invocations = 0;          // tests: shorter submissions (0: 16 M)
  std::chrono::milliseconds readback_limit{60'000};  // tests: shorter; then the GPU is not used again
  bool guard_words = false;  // tests: known words round every buffer. A kernel that writes them fails
                             // the run ("kernel K wrote outside buffer B"), one that reads them gets
                             // NaN. Nothing is cached
};

RunResult run(const PassList& list, std::span<const Readback> wanted, const RunOptions& options = {});

// True for an image of 4096 pixels or more whose colours are all 0: worth one render on the CPU to be sure. `written`
// says what the image's pixels are.
bool entirely_black(std::span<const std::byte> rgba, Written written = Written::alpha_255);

// For the caller that renders on the CPU instead: the reason when the user has to hear of it (the GPU failed, was given
// up earlier in this process, or there is one that cannot take this picture), "" when no GPU is used anyway.
std::string redone_on_cpu(const Fallback& fallback);
std::string last_fallback();  // what redone_on_cpu() said last in this process, on any thread

// --- Memory ---------------------------------------------------------------------------------------------------------

struct MemoryUse {
  std::uint64_t cached_bytes = 0;  // buffers kept by key
  std::uint64_t pooled_bytes = 0;  // free buffers kept for the next run; given back after 3 s
  std::uint64_t table_bytes = 0;
};
MemoryUse memory_use();
void set_cache_bytes(std::uint64_t limit);
void clear_cache();  // keyed buffers, tables and pool

// --- Quitting -------------------------------------------------------------------------------------------------------

void begin_shutdown();                               // from now on run() answers not_tried and no device is made
bool wait_idle(std::chrono::milliseconds deadline);  // true when no GPU work is in flight

// Called with true just before the device is created or a kernel is built and with false when that has returned: where
// a crash sentinel hangs. Set before the first use.
void set_driver_entry_hook(std::function<void(bool entering)> hook);

// --- Log ------------------------------------------------------------------------------------------------------------

enum class LogLevel : std::uint8_t { info, warning };
void set_log(std::function<void(LogLevel, const std::string& line)> sink);

// --- Faults for tests -----------------------------------------------------------------------------------------------

enum class Fault : std::uint8_t {
  buffer,         // a buffer cannot be created
  submit,         // a submission fails; stops GPU use
  map,            // mapping the result fails; stops GPU use
  pipeline,       // a kernel does not compile
  lost,           // the device is lost at a submission; stops GPU use
  timeout,        // the result does not come; stops GPU use
  incomplete,     // part of the result is not written; stops GPU use
  black,          // the result is black
  out_of_memory,  // no memory for a buffer
  destroyed,      // wgpuDeviceDestroy between record and submit: really ends GPU use in this process
};

// Fails the n-th call (1 = next) of that kind made by runs of the calling thread. Consequences are this thread's alone
// (except those of `destroyed`): after a fatal one available() is false here until reset_failures().
void inject_fault(Fault fault, int n);
bool fault_pending();  // false once the injected fault has fired
void reset_failures();

}  // namespace imago::gpu
