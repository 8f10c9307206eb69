#include <CLI/CLI.hpp>
#include <functional>
#include <utility>
#include <vector>

#include "cli/cli.h"
#include "cubemap_command.h"
#include "equirect_command.h"
#include "frames_command.h"
#include "imago_version.h"
#include "masks_command.h"

int main(int argc, char** argv) {
  using namespace imago;
  CLI::App app{"360 degree panoramas and video to cubemap faces, masks and datasets for photogrammetry and splatting."};
  app.set_version_flag("--version", std::string("pipeline_360 ") + version);
  app.require_subcommand(1);
  cli::CommonOptions common;
  std::vector<std::pair<CLI::App*, std::function<int()>>> commands;

  FramesCommand frames;
  commands.emplace_back(add_frames_command(app, frames, common), [&] { return run_frames_command(frames, common); });
  EquirectCommand equirect;
  commands.emplace_back(add_equirect_command(app, equirect, common),
                        [&] { return run_equirect_command(equirect, common); });
  CubemapCommand cubemap;
  commands.emplace_back(add_cubemap_command(app, cubemap, common),
                        [&] { return run_cubemap_command(cubemap, common); });
  MasksCommand masks;
  commands.emplace_back(add_masks_command(app, masks, common), [&] { return run_masks_command(masks, common); });

  return cli::run_main(app, argc, argv, common, [&] {
    for (const auto& [command, run] : commands) {
      if (command->parsed()) return run();
    }
    return static_cast<int>(cli::exit_usage);
  });
}
