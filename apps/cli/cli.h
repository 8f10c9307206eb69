// What the command line programs share: exit codes, the edge where exceptions end, interruption, options of every
// command.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "base/backend.h"
#include "base/cancel.h"
#include "base/error.h"

namespace imago::cli {

enum ExitCode : int {
  exit_ok = 0,
  exit_some_failed = 1,
  exit_usage = 2,
  exit_input = 3,
  exit_output = 4,
  exit_memory = 5,
  exit_gpu = 6,
  exit_interrupted = 130,
};

int exit_code_of(ErrorKind kind);

// The footer of --help.
extern const char* const exit_codes_help;

struct CommonOptions {
  std::string log_level;
  bool json = false;
  Backend backend = Backend::automatic;
};
void add_common_options(CLI::App& app, CommonOptions& options);
void add_backend_option(CLI::App& app, CommonOptions& options);

// Parses and runs. Every exception becomes one line on stderr and an exit code; an interrupted run ends with 130.
int run_main(CLI::App& app, int argc, char** argv, CommonOptions& options, const std::function<int()>& command);

// Set by Ctrl-C (and SIGTERM); a second one ends the process at once.
CancelToken interruption();

// Throws Error{gpu} with the reason when --backend gpu cannot be honoured.
void require_gpu(Backend backend);

}  // namespace imago::cli
