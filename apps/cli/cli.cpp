#include "cli/cli.h"

#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>
#include <new>

#include "base/log.h"
#include "base/settings_folder.h"
#include "gpu/gpu.h"
#include "gpu/sentinel.h"

namespace imago::cli {

const char* const exit_codes_help =
    "Exit codes: 0 ok, 1 some inputs failed, 2 usage, 3 unreadable or unsupported input, 4 output not writable,\n"
    "5 out of memory or timeout, 6 GPU required but absent, 130 interrupted.";

int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::input: return exit_input;
    case ErrorKind::model: return exit_input;
    case ErrorKind::usage: return exit_usage;
    case ErrorKind::io: return exit_output;
    case ErrorKind::gpu: return exit_gpu;
    case ErrorKind::memory: return exit_memory;
    case ErrorKind::internal: return exit_some_failed;
  }
  return exit_some_failed;
}

void add_common_options(CLI::App& app, CommonOptions& options) {
  app.add_option("--log-level", options.log_level,
                 "off, error, warn, info, debug or trace (default: RUST_LOG, else info)");
  app.add_flag("--json", options.json, "Print results as JSON, one line each");
}

void add_backend_option(CLI::App& app, CommonOptions& options) {
  static const std::map<std::string, Backend> names = {
      {"auto", Backend::automatic}, {"gpu", Backend::gpu}, {"cpu", Backend::cpu}};
  app.add_option("--backend", options.backend,
                 "Who renders: auto (the GPU when there is one, else the CPU), gpu (fail without one) or cpu")
      ->transform(CLI::CheckedTransformer(names, CLI::ignore_case).description(""))
      ->option_text("auto|gpu|cpu")
      ->default_str("auto");
}

CancelToken interruption() {
  static CancelToken token;
  return token;
}

namespace {

volatile std::sig_atomic_t signals_seen = 0;

// A token is one atomic flag, so setting it here is safe; a second signal means that nobody wants to wait.
void on_signal(int) {
  if (signals_seen > 0) _exit(exit_interrupted);
  signals_seen = 1;
  interruption().cancel();
}

void forward_gpu_log() {
  gpu::set_log([](gpu::LogLevel level, const std::string& line) {
    if (level == gpu::LogLevel::warning) {
      log_warn("{}", line);
    } else {
      log_info("{}", line);
    }
  });
}

// Mesa's Wayland part complains six times a start where no session has set it (ssh, cron); nothing of ours uses it.
void quieten_mesa() {
#ifdef __linux__
  if (std::getenv("XDG_RUNTIME_DIR") == nullptr) setenv("XDG_RUNTIME_DIR", "/tmp", 0);
#endif
}

// A driver that ended the desktop app would end this program too.
void heed_crash_markers() {
  const std::string why = gpu::earlier_crash(settings_folder());
  if (why.empty()) return;
  gpu::set_enabled(false, why);
  log_warn("[gpu] off: {}", why);
}

// "" when the first argument names a command or is an option.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return "";
  std::string names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->check_name(argv[1])) return "";
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return std::string("there is no command '") + argv[1] + "' (there are " + names + ")";
}

int report(const std::exception& error, int code) {
  std::cerr << "error: " << error.what() << '\n';
  return code;
}

}  // namespace

int run_main(CLI::App& app, int argc, char** argv, CommonOptions& options, const std::function<int()>& command) {
  app.footer(exit_codes_help);
  for (CLI::App* command_app : app.get_subcommands([](CLI::App*) { return true; })) {
    command_app->footer(exit_codes_help);
  }
  if (const std::string unknown = unknown_command(app, argc, argv); !unknown.empty()) {
    std::cerr << "error: " << unknown << '\n';
    return exit_usage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_ok : exit_usage;
  }
  interruption();  // made before a signal can ask for it
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  int code = exit_some_failed;
  try {
    start_log(options.log_level);
    forward_gpu_log();
    quieten_mesa();
    heed_crash_markers();
    code = command();
    std::cout.flush();
    if (!std::cout && code == exit_ok) throw Error(ErrorKind::io, "cannot write to standard output");
  } catch (const Cancelled&) {
    std::cerr << "interrupted\n";
    code = exit_interrupted;
  } catch (const Error& error) {
    code = report(error, exit_code_of(error.kind));
  } catch (const std::bad_alloc&) {
    std::cerr << "error: out of memory: lower --jobs or IMAGO_MEMORY_MB\n";
    code = exit_memory;
  } catch (const std::exception& error) {
    code = report(error, exit_some_failed);
  }
  gpu::begin_shutdown();
  gpu::wait_idle(std::chrono::seconds(2));
  return code;
}

void require_gpu(Backend backend) {
  if (backend == Backend::gpu && !gpu::available()) {
    throw Error(ErrorKind::gpu, "--backend gpu: no GPU can be used: " + gpu::unavailable_reason());
  }
}

}  // namespace imago::cli
