// A photo's edits where they live: the sidecar beside it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "develop/settings/settings.h"

namespace imago::develop {

struct Edits {
  bool found = false;  // the sidecar holds settings of ours
  Settings settings;
  std::vector<std::string> warnings;
};

// Defaults when there is no sidecar. Settings that this version does not know are reported and left alone. Throws
// Error{input} when the edits were made by a later process version: they would not look the same.
Edits read_edits(const std::filesystem::path& photo);

// Replaces the settings in the sidecar; what other programs and later versions wrote stays. Atomic; throws Error{io}.
// Returns warnings.
std::vector<std::string> write_edits(const std::filesystem::path& photo, const Settings& settings);

}  // namespace imago::develop
