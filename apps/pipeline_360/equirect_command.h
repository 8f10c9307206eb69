#pragma once

#include <string>

#include "pano/equirect.h"
#include "stage_command.h"

namespace imago {

// pipeline_360 equirect: frames to upright, whole 2:1 panoramas.
struct EquirectCommand {
  StageFolders folders;
  std::string level = "none", heading = "none";
  double yaw_deg = 0;
  pano::EquirectOptions options;
  RerunOptions rerun;
};

void add_equirect_options(CLI::App& app, EquirectCommand& command);      // those that run has too
pano::EquirectOptions equirect_options(const EquirectCommand& command);  // throws Error{usage}
CLI::App* add_equirect_command(CLI::App& app, EquirectCommand& command, cli::CommonOptions& common);
int run_equirect_command(EquirectCommand& command, const cli::CommonOptions& common);

}  // namespace imago
