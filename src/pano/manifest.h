// The files behind stage.h's manifests. Private to src/pano.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace imago::pano {

// <name>.json and <name>.<i>of<n>.json of a folder, sorted.
std::vector<std::filesystem::path> manifest_paths(const std::filesystem::path& folder, const std::string& name);

// A JSON object. Throws Error{input} for anything else.
nlohmann::json read_json_object(const std::filesystem::path& path);

}  // namespace imago::pano
