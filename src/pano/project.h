// A project's folders as a whole: what state they are in.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/cancel.h"

namespace imago::pano {

struct StageStatus {
  std::string stage;  // "frames"
  std::filesystem::path folder;
  bool started = false;
  bool complete = false;  // every shard came to its end, nothing failed
  bool running = false;   // or was killed: its journal is there
  int items = 0, failed = 0, outputs = 0, missing = 0;
  std::vector<std::string> errors;  // first few
};

// All stages in order. Throws Error{input} when the folder is not there or a manifest is broken.
std::vector<StageStatus> project_status(const std::filesystem::path& project);

// Every output of every stage against its manifest (size and content), and across stages: one mask for every face or
// none, every face of the rig for every frame. One line a problem.
std::vector<std::string> project_problems(const std::filesystem::path& project, const CancelToken& cancel);

}  // namespace imago::pano
