#include "gpu/gpu.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

#include "gpu/abort_guard.h"
#include "gpu/buffers.h"
#include "gpu/device.h"
#include "gpu/environment.h"
#include "gpu/executor.h"
#include "gpu/faults.h"
#include "gpu/handle.h"
#include "gpu/pipelines.h"
#include "gpu/run.h"

namespace imago::gpu {
namespace {

constexpr std::chrono::seconds pool_idle{3};

// Everything that lives on the executor thread once the device exists. Never destroyed.
struct Engine {
  Device device;
  Buffers buffers{device};
  Pipelines pipelines{device};
};

// What the process knows about its GPU. One, never destroyed: the executor thread may outlive main.
struct Process {
  std::mutex mutex;
  std::condition_variable idle;
  bool tried = false;  // making the device has been tried and has returned
  std::string reason;  // why there is no GPU, or why it was stopped
  std::string last_fallback;
  std::optional<AdapterInfo> adapter;
  DeviceLimits limits;
  int in_flight = 0;
  bool shutting_down = false;
  std::string disabled;                      // why the user, or what happened to him, has it turned off
  std::optional<std::uint64_t> cache_bytes;  // asked for before there was a device
  std::function<void(bool)> driver_entry_hook;
  std::function<void(LogLevel, const std::string&)> log;

  Choice choice = parse_environment(process_environment(), platform_backends(), automatic_backends());
  Engine* engine = nullptr;  // executor thread only, but for memory_use()
};

Process& process() {
  static Process& instance = *new Process;
  return instance;
}

Executor& executor() {
  static Executor& instance = *new Executor;
  return instance;
}

void log(LogLevel level, const std::string& line) {
  std::function<void(LogLevel, const std::string&)> sink;
  {
    const std::scoped_lock lock(process().mutex);
    sink = process().log;
  }
  if (sink) sink(level, line);
}

void stop_for_good(const std::string& why) {
  device_calls_allowed = false;
  const std::string reason = "stopped after a GPU failure: " + why;
  {
    const std::scoped_lock lock(process().mutex);
    if (process().reason.empty()) process().reason = reason;
    process().tried = true;
  }
  log(LogLevel::warning, "[gpu] " + reason);
}

// Counts work that is, or may be, inside the driver.
class InFlight {
 public:
  InFlight() {
    const std::scoped_lock lock(process().mutex);
    ++process().in_flight;
  }
  ~InFlight() {
    const std::scoped_lock lock(process().mutex);
    if (--process().in_flight == 0) process().idle.notify_all();
  }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;
};

// Why the GPU is not to be used by this thread now; "" when nothing speaks against it.
std::string refusal() {
  if (!this_threads_faults().stopped.empty()) return this_threads_faults().stopped;
  const std::scoped_lock lock(process().mutex);
  if (!process().reason.empty()) return process().reason;
  if (!process().choice.off_reason.empty()) return process().choice.off_reason;
  if (!process().disabled.empty()) return process().disabled;
  if (process().shutting_down) return "the program is quitting";
  return {};
}

std::function<void(bool)> driver_entry_hook() {
  const std::scoped_lock lock(process().mutex);
  return process().driver_entry_hook;
}

// On the executor thread.
void make_engine() {
  Process& state = process();
  {
    const std::scoped_lock lock(state.mutex);
    if (state.tried || state.shutting_down) return;
  }
  const std::function<void(bool)> hook = driver_entry_hook();
  std::vector<std::string> lines;
  std::string reason;
  auto engine = std::make_unique<Engine>();
  if (hook) hook(true);
  try {
    engine->device = make_device(state.choice, lines);
  } catch (const Failure& failure) {
    reason = failure.reason;
  }
  if (hook) hook(false);
  for (const std::string& line : lines) log(LogLevel::info, line);
  const std::scoped_lock lock(state.mutex);
  state.tried = true;
  state.reason = reason;
  if (!reason.empty()) return;
  if (state.cache_bytes) engine->buffers.set_cache_bytes(*state.cache_bytes);
  state.engine = engine.release();
  state.adapter = state.engine->device.info;
  state.limits = state.engine->device.limits;
}

// Before the first job: what happens when the thread is lost, and after a while without work.
void prepare_executor() {
  static std::once_flag once;
  std::call_once(once, [] {
    executor().set_lost([] {
      stop_for_good(device_trouble().value_or("device lost") + ": the driver aborted during " + aborted_in());
    });
    executor().set_idle(pool_idle, [] {
      if (process().engine != nullptr && device_calls_allowed) process().engine->buffers.clear_pool();
    });
  });
}

// What the environment asked for and does not get is said even when no device is made.
void log_environment() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const std::string& warning : process().choice.warnings) log(LogLevel::warning, "[gpu] " + warning);
  });
}

// Makes the device if that has not been tried; "" when it is usable.
std::string ensure_device() {
  log_environment();
  if (std::string why = refusal(); !why.empty()) return why;
  bool tried = false;
  {
    const std::scoped_lock lock(process().mutex);
    tried = process().tried;
  }
  if (!tried) {
    const InFlight in_flight;
    prepare_executor();
    executor().call(make_engine);
  }
  return refusal();
}

void settle(RunResult& result, FaultState& faults, Failure failure) {
  if (failure.fatal && failure.simulated) faults.stopped = "stopped after a GPU failure: " + failure.reason;
  if (failure.fatal && !failure.simulated) stop_for_good(failure.reason);
  result.fallback = Fallback{.kind = failure.kind, .reason = std::move(failure.reason)};
}

// On the executor thread.
void run_here(const PassList& list, std::span<const Readback> wanted, const RunOptions& options, FaultState& faults,
              RunResult& result) {
  const auto start = std::chrono::steady_clock::now();
  if (!device_calls_allowed) {
    settle(result, faults, Failure{.reason = refusal(), .kind = Fallback::Kind::not_tried});
    return;
  }
  Engine& engine = *process().engine;
  const RunContext context{.device = engine.device,
                           .buffers = engine.buffers,
                           .pipelines = engine.pipelines,
                           .faults = faults,
                           .driver_entry_hook = driver_entry_hook(),
                           .profile = process().choice.profile};
  try {
    run_on_device(context, list, wanted, options, result);
  } catch (const Failure& failure) {
    if (failure.reason.starts_with("out of device memory") && device_calls_allowed) engine.buffers.clear();
    settle(result, faults, failure);
  } catch (const std::exception& error) {  // no memory on the host
    settle(result, faults, Failure{.reason = error.what()});
  }
  result.wall_milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (!context.profile) return;
  for (const PassTime& pass : result.passes) {
    log(LogLevel::info, "[gpu] " + pass.kernel + " " + std::to_string(pass.milliseconds) + " ms");
  }
}

// What the executor thread writes belongs to it until the call is over: a lost thread leaves it half written.
struct Answer {
  RunResult result;
  FaultState faults;
};

}  // namespace

bool available() { return ensure_device().empty(); }

std::string unavailable_reason() { return refusal(); }

void warm_up() {
  log_environment();
  if (!refusal().empty()) return;
  prepare_executor();
  const auto in_flight = std::make_shared<InFlight>();
  executor().post([in_flight] { make_engine(); });
}

bool ready() {
  if (!refusal().empty()) return false;
  const std::scoped_lock lock(process().mutex);
  return process().adapter.has_value();
}

std::optional<AdapterInfo> adapter() {
  if (!available()) return std::nullopt;
  const std::scoped_lock lock(process().mutex);
  return process().adapter;
}

DeviceLimits limits() {
  if (!available()) return {};
  const std::scoped_lock lock(process().mutex);
  return process().limits;
}

void set_enabled(bool enabled, const std::string& why) {
  const std::scoped_lock lock(process().mutex);
  process().disabled = enabled ? "" : why;
}

RunResult run(const PassList& list, std::span<const Readback> wanted, const RunOptions& options) {
  const InFlight in_flight;
  if (std::string why = ensure_device(); !why.empty()) {
    return {.fallback = Fallback{.kind = Fallback::Kind::not_tried, .reason = std::move(why)}};
  }
  FaultState& faults = this_threads_faults();
  const auto answer = std::make_shared<Answer>();
  answer->faults = faults;
  if (!executor().call([&, answer] { run_here(list, wanted, options, answer->faults, answer->result); })) {
    faults.kind.reset();
    return {.fallback = Fallback{.kind = Fallback::Kind::failed, .reason = refusal()}};
  }
  faults = std::move(answer->faults);
  return std::move(answer->result);
}

bool entirely_black(std::span<const std::byte> rgba, Written written) {
  constexpr std::size_t least_pixels = 4096;
  const std::size_t pixel = written == Written::alpha_one ? 16 : 4;
  if (rgba.size() / pixel < least_pixels) return false;
  for (std::size_t p = 0; p + pixel <= rgba.size(); p += pixel) {
    const auto colours = rgba.subspan(p, pixel / 4 * 3);
    if (std::any_of(colours.begin(), colours.end(), [](std::byte b) { return b != std::byte{0}; })) return false;
  }
  return true;
}

std::string redone_on_cpu(const Fallback& fallback) {
  const bool gave_up = fallback.reason.starts_with("stopped");
  if (fallback.kind != Fallback::Kind::failed && !gave_up && !ready()) return "";
  const std::scoped_lock lock(process().mutex);
  process().last_fallback = fallback.reason;
  return fallback.reason;
}

std::string last_fallback() {
  const std::scoped_lock lock(process().mutex);
  return process().last_fallback;
}

MemoryUse memory_use() {
  const Engine* engine = nullptr;
  {
    const std::scoped_lock lock(process().mutex);
    engine = process().engine;
  }
  return engine == nullptr ? MemoryUse{} : engine->buffers.use();
}

void set_cache_bytes(std::uint64_t limit) {
  {
    const std::scoped_lock lock(process().mutex);
    process().cache_bytes = limit;
  }
  if (ready()) {
    executor().call([limit] {
      if (device_calls_allowed) process().engine->buffers.set_cache_bytes(limit);
    });
  }
}

void clear_cache() {
  if (ready()) {
    executor().call([] {
      if (device_calls_allowed) process().engine->buffers.clear();
    });
  }
}

void begin_shutdown() {
  const std::scoped_lock lock(process().mutex);
  process().shutting_down = true;
}

bool wait_idle(std::chrono::milliseconds deadline) {
  std::unique_lock lock(process().mutex);
  return process().idle.wait_for(lock, deadline, [] { return process().in_flight == 0; });
}

void set_driver_entry_hook(std::function<void(bool entering)> hook) {
  const std::scoped_lock lock(process().mutex);
  process().driver_entry_hook = std::move(hook);
}

void set_log(std::function<void(LogLevel, const std::string& line)> sink) {
  const std::scoped_lock lock(process().mutex);
  process().log = std::move(sink);
}

}  // namespace imago::gpu
