#include "develop/edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/field_access.h"
#include "base/path_text.h"
#include "develop/settings/settings_json.h"
#include "io/sidecar/sidecar.h"

namespace imago::develop {
namespace {

using nlohmann::json;

void require_known_version(const std::filesystem::path& photo, int version) {
  if (version <= process_version) return;
  throw Error(ErrorKind::input,
              fmt::format("{}: edited with process version {}, this program knows {}: use a newer one",
                          utf8(io::sidecar_path(photo)), version, process_version));
}

const Tool* tool_named(const std::string& name) {
  const auto at = std::find_if(tools.begin(), tools.end(), [&](const Tool& tool) { return tool.name == name; });
  return at == tools.end() ? nullptr : &*at;
}

// The document with our settings in place of those that we know; unknown tools and fields stay.
json merged(const json& before, const json& settings) {
  json document = settings;
  if (!before.is_object()) return document;
  for (const auto& [tool_name, fields] : before.items()) {
    const Tool* tool = tool_named(tool_name);
    if (tool == nullptr) {
      document[tool_name] = fields;
    } else if (fields.is_object()) {
      for (const auto& [name, value] : fields.items()) {
        if (find_field(tool->fields, name) == nullptr) document[tool_name][name] = value;
      }
    }
  }
  return document;
}

}  // namespace

Edits read_edits(const std::filesystem::path& photo) {
  Edits edits;
  const std::optional<io::Sidecar> sidecar = io::read_sidecar(photo);
  if (!sidecar) return edits;
  edits.warnings = sidecar->warnings;
  if (sidecar->settings.empty()) return edits;
  require_known_version(photo, sidecar->process_version);
  const json document = json::parse(sidecar->settings, nullptr, false);
  if (document.is_discarded()) {
    throw Error(ErrorKind::input,
                fmt::format("{}: its imago:settings are no JSON: mend or remove them", utf8(io::sidecar_path(photo))));
  }
  std::vector<std::string> unknown;
  try {
    edits.settings = settings_from_json(document, unknown);
  } catch (const Error& error) {
    throw Error(ErrorKind::input, fmt::format("{}: {}", utf8(io::sidecar_path(photo)), error.what()));
  }
  edits.found = true;
  for (const std::string& key : unknown) {
    edits.warnings.push_back(
        fmt::format("{}: unknown setting {} is kept but has no effect", utf8(io::sidecar_path(photo)), key));
  }
  return edits;
}

std::vector<std::string> write_edits(const std::filesystem::path& photo, const Settings& settings) {
  io::Sidecar sidecar = io::read_sidecar(photo).value_or(io::Sidecar{});
  require_known_version(photo, sidecar.process_version);
  const json before = json::parse(sidecar.settings, nullptr, false);
  sidecar.process_version = process_version;
  sidecar.settings = merged(before.is_discarded() ? json() : before, json_from_settings(settings)).dump();
  std::vector<std::string> warnings = std::move(sidecar.warnings);
  sidecar.warnings.clear();
  for (std::string& warning : io::write_sidecar(photo, sidecar)) warnings.push_back(std::move(warning));
  return warnings;
}

}  // namespace imago::develop
