// Built with PIPELINE_360_MASKS=OFF.
#include "masks_command.h"

namespace imago {

void add_masks_options(CLI::App&, MasksCommand&) {}
bool asks_for_masks(const MasksCommand&) { return false; }

CLI::App* add_masks_command(CLI::App& app, MasksCommand&, cli::CommonOptions& common) {
  CLI::App* masks = app.add_subcommand("masks", "Not in this build (PIPELINE_360_MASKS=OFF)");
  masks->allow_extras();
  cli::add_common_options(*masks, common);
  return masks;
}

int run_masks_command(const MasksCommand&, const cli::CommonOptions&) {
  throw Error(ErrorKind::usage,
              "masks: this program was built with PIPELINE_360_MASKS=OFF; build it with ON (default)");
}

}  // namespace imago
