// Which file each input of `imago-cli render` goes to.
#pragma once

#include <filesystem>
#include <vector>

#include "commands.h"

namespace imago {

struct RenderJob {
  std::filesystem::path input;
  std::filesystem::path output;
};

// Sets command.options.format, by --format or the output's name. Throws Error{usage}.
void settle_format(RenderCommand& command);

// After settle_format. -o is a file when it has a picture's name and is no folder (then there can be one input only),
// else a folder, which is made. Jobs that Conflict::skip leaves out are missing. Throws Error{usage}, Error{input} when
// there are no photos, and Error{io} for a folder that cannot be made or an output that exists under Conflict::error.
std::vector<RenderJob> render_jobs(RenderCommand& command);

}  // namespace imago
