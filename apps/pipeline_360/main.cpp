#include <CLI/CLI.hpp>

#include "cli/cli.h"
#include "cubemap_command.h"
#include "imago_version.h"

int main(int argc, char** argv) {
  CLI::App app{"360 degree panoramas and video to cubemap faces, masks and datasets for photogrammetry and splatting."};
  app.set_version_flag("--version", std::string("pipeline_360 ") + imago::version);
  app.require_subcommand(1);
  imago::cli::CommonOptions common;
  imago::CubemapCommand cubemap;
  CLI::App* cubemap_app = imago::add_cubemap_command(app, cubemap, common);
  return imago::cli::run_main(app, argc, argv, common, [&] {
    if (cubemap_app->parsed()) return imago::run_cubemap_command(cubemap, common);
    return static_cast<int>(imago::cli::exit_usage);
  });
}
