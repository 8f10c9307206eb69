// Presets: files with a part of all settings, laid over what a photo has. JSON of ours, or Lightroom's XMP.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "develop/settings/settings.h"

namespace imago::develop {

struct Preset {
  std::string name;
  std::filesystem::path file;
};

// In the settings folder's `presets`, by name. Empty without such a folder.
std::vector<Preset> list_presets();

// The file that --preset names: a path, or the name of a listed preset. Throws Error{usage} with the known names.
std::filesystem::path find_preset(const std::string& path_or_name);

// Lays it over the settings. JSON: {"exposure": {"ev": 0.5}, …} or the same under "settings", beside "name". Returns
// what was not understood. Throws Error{input} for what is neither JSON nor XMP, or has values out of range.
std::vector<std::string> apply_preset(const std::filesystem::path& file, Settings& settings);

// Writes the groups (tools) of the settings that are named, all when none is, into the settings folder; what is at its
// default is left out unless its group is named. Throws Error{usage} for a name that is no file name, Error{io}.
std::filesystem::path save_preset(const std::string& name, const Settings& settings,
                                  const std::vector<std::string>& groups);

// One preset file: {"name": …, "settings": …}. Atomic; throws Error{io}.
void write_preset(const std::filesystem::path& file, const std::string& name, const nlohmann::json& settings);

}  // namespace imago::develop
