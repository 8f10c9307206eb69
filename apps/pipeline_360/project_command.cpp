#include <fmt/format.h>

#include <iostream>

#include "base/log.h"
#include "base/path_text.h"
#include "pano/project.h"
#include "run_command.h"

namespace imago {
namespace {

const char* state_of(const pano::StageStatus& status) {
  if (!status.started) return "not started";
  if (status.running) return "running, or was killed";
  if (status.complete) return "complete";
  return status.failed > 0 ? "some failed" : status.missing > 0 ? "outputs are missing" : "not finished";
}

}  // namespace

CLI::App* add_status_command(CLI::App& app, ProjectCommand& command, cli::CommonOptions& common) {
  CLI::App* status = app.add_subcommand("status", "What state a project's stages are in");
  status->add_option("project", command.project, "Folder of the project")->required()->option_text("PROJECT");
  cli::add_common_options(*status, common);
  return status;
}

int run_status_command(const ProjectCommand& command, const cli::CommonOptions& common) {
  for (const pano::StageStatus& status : pano::project_status(path_from_utf8(command.project))) {
    if (common.json) {
      print_json({{"stage", status.stage},
                  {"state", state_of(status)},
                  {"items", status.items},
                  {"failed", status.failed},
                  {"outputs", status.outputs},
                  {"missing", status.missing},
                  {"errors", status.errors}});
      continue;
    }
    std::cout << fmt::format("{:<20} {:<22}", status.stage, state_of(status));
    if (status.started) {
      std::cout << fmt::format(" {} items, {} failed, {} files, {} missing", status.items, status.failed,
                               status.outputs, status.missing);
    }
    std::cout << '\n';
    for (const std::string& error : status.errors) std::cout << "    " << error << '\n';
  }
  return cli::exit_ok;
}

CLI::App* add_verify_command(CLI::App& app, ProjectCommand& command, cli::CommonOptions& common) {
  CLI::App* verify = app.add_subcommand("verify", "Check every file of a project against what was written");
  verify->add_option("project", command.project, "Folder of the project")->required()->option_text("PROJECT");
  cli::add_common_options(*verify, common);
  return verify;
}

int run_verify_command(const ProjectCommand& command, const cli::CommonOptions& common) {
  const auto problems = pano::project_problems(path_from_utf8(command.project), cli::interruption());
  for (const std::string& problem : problems) {
    if (common.json) {
      print_json({{"problem", problem}});
    } else {
      std::cout << problem << '\n';
    }
  }
  if (!common.json) std::cout << (problems.empty() ? "everything is as it was written" : "") << '\n';
  return problems.empty() ? cli::exit_ok : cli::exit_some_failed;
}

}  // namespace imago
