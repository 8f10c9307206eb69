// Many photos, some at a time.
#pragma once

#include <vector>

#include "render_jobs.h"

namespace imago {

// Renders every job, prints a line for each, returns the exit code. A job starts when the bytes that it is thought to
// need fit into the memory budget beside those that run; it never waits once it runs. A job beyond the command's
// timeout is given up, as out of memory is: kind `memory`, exit code 5.
int render_batch(const RenderCommand& command, const std::vector<RenderJob>& jobs, bool as_json);

}  // namespace imago
