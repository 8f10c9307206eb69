#pragma once

#include <optional>
#include <string>

#include "cli/cli.h"
#include "pano/pano.h"
#include "stage_command.h"

namespace imago {

// pipeline_360 cubemap: panoramas of a folder to the faces of a rig.
struct CubemapCommand {
  StageFolders folders;
  std::string layout = "cube6";
  std::string faces;
  std::string face_size = "auto";
  std::optional<double> fov_deg;
  pano::CubemapOptions options;
  RerunOptions rerun;
};

void add_cubemap_options(CLI::App& app, CubemapCommand& command);  // those that run has too
CLI::App* add_cubemap_command(CLI::App& app, CubemapCommand& command, cli::CommonOptions& common);
int run_cubemap_command(CubemapCommand& command, const cli::CommonOptions& common);

}  // namespace imago
