#include "render_batch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/log.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/path_text.h"
#include "cli/progress.h"
#include "develop/edits.h"
#include "develop/presets.h"
#include "develop/settings/settings_json.h"
#include "io/sidecar/sidecar.h"

namespace imago {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// What became of one file.
struct Outcome {
  std::string error;  // empty: written
  ErrorKind kind = ErrorKind::internal;
  bool cancelled = false;
  develop::Exported exported;
};

// Cancels what runs too long, and everything on an interruption.
class Watch {
 public:
  explicit Watch(double timeout_s) : timeout_(timeout_s) {
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        look();
      }
    });
  }

  struct Running {
    const RenderJob* job = nullptr;
    CancelToken token = {};
    Clock::time_point start = Clock::now();
    bool late = false;
  };

  std::size_t begin(const RenderJob& job, CancelToken& token) {
    const std::lock_guard lock(mutex_);
    Running& running = running_[next_];
    running.job = &job;
    token = running.token;
    return next_++;
  }
  // Was it given up for its time?
  bool end(std::size_t id) {
    const std::lock_guard lock(mutex_);
    const bool late = running_.at(id).late;
    running_.erase(id);
    return late;
  }

 private:
  void look() {
    const std::lock_guard lock(mutex_);
    const bool interrupted = cli::interruption().cancelled();
    for (auto& [id, running] : running_) {
      const double seconds = std::chrono::duration<double>(Clock::now() - running.start).count();
      const bool late = timeout_ > 0 && seconds > timeout_;
      running.late = running.late || (late && !running.token.cancelled());
      if (late || interrupted) running.token.cancel();
      // A library that hangs looks at no token.
      if (late && seconds > 2 * timeout_ + 30) give_up(*running.job);
    }
  }

  [[noreturn]] void give_up(const RenderJob& job) const {
    std::cerr << "\nerror: " << utf8(job.input) << ": hangs, and cannot be stopped alone: the batch ends here\n";
    std::error_code ignored;
    const std::string ours = fmt::format(".imago-{}-", getpid());
    for (const auto& entry : fs::directory_iterator(job.output.parent_path(), ignored)) {
      if (utf8(entry.path().filename()).starts_with(ours)) fs::remove(entry.path(), ignored);
    }
    std::_Exit(cli::exit_memory);
  }

  double timeout_;
  std::mutex mutex_;
  std::map<std::size_t, Running> running_;
  std::size_t next_ = 0;
  std::jthread thread_;  // last: it uses the others
};

// What the command line lays over the sidecar's settings, in this order: --xmp, --preset, --lut, --set.
void lay_over(const RenderCommand& command, develop::Settings& settings, std::vector<std::string>& warnings) {
  std::vector<fs::path> files;
  if (!command.xmp.empty()) files.push_back(path_from_utf8(command.xmp));
  for (const std::string& preset : command.presets) files.push_back(develop::find_preset(preset));
  for (const fs::path& file : files) {
    for (std::string& note : develop::apply_preset(file, settings)) warnings.push_back(std::move(note));
  }
  if (!command.lut.empty()) settings.lut.file = command.lut;
  for (const std::string& assignment : command.assignments) develop::set_setting(settings, assignment);
}

develop::Exported render(const RenderCommand& command, const RenderJob& job, const CancelToken& cancel) {
  cancel.throw_if_cancelled();
  develop::ExportOptions options = command.options;
  std::vector<std::string> warnings;
  if (!command.no_sidecar) {
    const develop::Edits edits = develop::read_edits(job.input);
    options.render.settings = edits.settings;
    options.wishes.sidecar = io::sidecar_path(job.input);
    warnings = edits.warnings;
  }
  lay_over(command, options.render.settings, warnings);
  std::error_code ignored;
  if (fs::equivalent(job.input, job.output, ignored)) {
    throw Error(ErrorKind::usage, utf8(job.output) + ": would overwrite its own input");
  }
  develop::Exported exported = develop::export_file(job.input, job.output, options, cancel);
  exported.warnings.insert(exported.warnings.begin(), warnings.begin(), warnings.end());
  return exported;
}

Outcome render_one(const RenderCommand& command, const RenderJob& job, Watch& watch) {
  Outcome outcome;
  CancelToken cancel;
  const std::size_t id = watch.begin(job, cancel);
  const auto fail = [&](ErrorKind kind, std::string message) {
    outcome.kind = kind;
    outcome.error = std::move(message);
  };
  try {
    outcome.exported = render(command, job, cancel);
  } catch (const Cancelled&) {
    outcome.cancelled = true;
  } catch (const Error& error) {
    fail(error.kind, error.what());
  } catch (const std::bad_alloc&) {
    fail(ErrorKind::memory, utf8(job.input) + ": out of memory: lower --jobs");
  } catch (const std::exception& error) {
    fail(ErrorKind::internal, fmt::format("{}: {}", utf8(job.input), error.what()));
  }
  if (watch.end(id) && outcome.cancelled) {
    outcome.cancelled = false;
    fail(ErrorKind::memory,
         fmt::format("{}: given up after {} s: raise --timeout", utf8(job.input), command.timeout_s));
  }
  return outcome;
}

const char* name_of(Backend backend) { return backend == Backend::gpu ? "gpu" : "cpu"; }

void print_json(const RenderJob& job, const Outcome& outcome) {
  nlohmann::json line = {{"input", utf8(job.input)}};
  if (!outcome.error.empty()) {
    line["error"] = outcome.error;
  } else {
    const develop::Exported& exported = outcome.exported;
    const develop::Developed& developed = exported.developed;
    line["output"] = utf8(job.output);
    line["width"] = developed.width;
    line["height"] = developed.height;
    line["bytes"] = exported.file_bytes;
    line["backend"] = name_of(developed.backend);
    if (!developed.gpu_fallback.empty()) line["gpuFallback"] = developed.gpu_fallback;
    line["ms"] = {{"total", exported.total_ms},      {"decode", exported.decode_ms},
                  {"source", exported.source_ms},    {"scene", developed.times.scene_ms},
                  {"base", developed.times.base_ms}, {"finish", developed.times.finish_ms},
                  {"encode", exported.encode_ms}};
    if (!exported.warnings.empty()) line["warnings"] = exported.warnings;
  }
  std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
}

void print_text(const RenderJob& job, const Outcome& outcome, cli::Progress& progress) {
  if (!outcome.error.empty()) return progress.say("error: " + outcome.error);
  const develop::Exported& exported = outcome.exported;
  for (const std::string& warning : exported.warnings) log_warn("{}: {}", utf8(job.input), warning);
  if (!exported.developed.gpu_fallback.empty()) {
    log_warn("{}: rendered on the CPU: {}", utf8(job.input), exported.developed.gpu_fallback);
  }
  log_info("{} -> {} ({} x {}, {:.0f} ms, {})", utf8(job.input), utf8(job.output), exported.developed.width,
           exported.developed.height, exported.total_ms, exported.developed.backend == Backend::gpu ? "GPU" : "CPU");
}

struct Tally {
  std::size_t written = 0, failed = 0;
  bool interrupted = false;
  ErrorKind failure = ErrorKind::input;
};

}  // namespace

int render_batch(const RenderCommand& command, const std::vector<RenderJob>& jobs, bool as_json) {
  std::mutex printing;
  Tally tally;
  {
    cli::Progress progress(as_json ? 0 : jobs.size());
    Watch watch(command.timeout_s);
    std::atomic<std::size_t> next{0};
    // --jobs is the user's own word on how much fits.
    memory::WorkGate gate(command.jobs > 0 ? SIZE_MAX : memory::budget());
    const auto work = [&] {
      for (std::size_t i = next++; i < jobs.size(); i = next++) {
        Outcome outcome;
        try {
          const auto admission =
              gate.acquire(develop::export_bytes(jobs[i].input, command.options), cli::interruption());
          outcome = render_one(command, jobs[i], watch);
        } catch (const Cancelled&) {
          outcome.cancelled = true;
        }
        const std::lock_guard lock(printing);
        tally.interrupted = tally.interrupted || outcome.cancelled;
        if (outcome.cancelled) continue;
        as_json ? print_json(jobs[i], outcome) : print_text(jobs[i], outcome, progress);
        progress.advance();
        ++(outcome.error.empty() ? tally.written : tally.failed);
        if (!outcome.error.empty()) tally.failure = outcome.kind;
      }
    };
    const int workers = std::clamp(command.jobs > 0 ? command.jobs : thread_count(), 1, static_cast<int>(jobs.size()));
    std::vector<std::jthread> others;
    for (int i = 1; i < workers; ++i) others.emplace_back(work);
    work();
  }
  if (tally.interrupted) {
    std::cerr << fmt::format("interrupted: {} of {} pictures written\n", tally.written, jobs.size());
    return cli::exit_interrupted;
  }
  if (tally.failed == 0) return cli::exit_ok;
  return tally.failed == jobs.size() ? cli::exit_code_of(tally.failure) : cli::exit_some_failed;
}

}  // namespace imago
