#pragma once

#include <string>

#include "cli/cli.h"
#include "pano/pano.h"

namespace imago {

// pipeline_360 cubemap: panoramas of a folder to the faces of a rig.
struct CubemapCommand {
  std::string input_dir;
  std::string output_dir;
  std::string layout = "cube6";
  std::string face_size = "auto";
  pano::CubemapOptions options;
};

CLI::App* add_cubemap_command(CLI::App& app, CubemapCommand& command, cli::CommonOptions& common);
int run_cubemap_command(CubemapCommand& command, const cli::CommonOptions& common);

}  // namespace imago
