#include "develop/settings/settings_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/field_access.h"
#include "base/field_json.h"
#include "base/field_text.h"

namespace imago::develop {
namespace {

const void* struct_of(const Tool& tool, const Settings& settings) {
  return reinterpret_cast<const char*>(&settings) + tool.offset;
}

void* struct_of(const Tool& tool, Settings& settings) { return reinterpret_cast<char*>(&settings) + tool.offset; }

const Tool* find_tool(std::string_view name) {
  for (const Tool& tool : tools) {
    if (tool.name == name) return &tool;
  }
  return nullptr;
}

std::string tool_names() {
  std::string names;
  for (const Tool& tool : tools) names += fmt::format("{}{}", names.empty() ? "" : ", ", tool.name);
  return names;
}

}  // namespace

nlohmann::json json_from_settings(const Settings& settings) {
  const Settings defaults;
  nlohmann::json document = nlohmann::json::object();
  for (const Tool& tool : tools) {
    nlohmann::json changed =
        json_from_changed_fields(tool.fields, struct_of(tool, settings), struct_of(tool, defaults));
    if (!changed.empty()) document[std::string(tool.name)] = std::move(changed);
  }
  return document;
}

void apply_settings_json(const nlohmann::json& document, Settings& into, std::vector<std::string>& unknown_keys) {
  if (!document.is_object()) throw Error(ErrorKind::input, "settings are not a JSON object");
  Settings settings = into;
  for (const auto& [key, value] : document.items()) {
    const Tool* tool = find_tool(key);
    if (tool == nullptr) {
      unknown_keys.push_back(key);
      continue;
    }
    fields_from_json(tool->fields, struct_of(*tool, settings), value, key + ".", unknown_keys);
  }
  into = std::move(settings);
}

Settings settings_from_json(const nlohmann::json& document, std::vector<std::string>& unknown_keys) {
  Settings settings;
  apply_settings_json(document, settings, unknown_keys);
  return settings;
}

void set_setting(Settings& settings, std::string_view assignment) {
  const Assignment parts = parse_assignment(assignment);
  const Tool* tool = find_tool(parts.tool);
  if (tool == nullptr) {
    throw Error(ErrorKind::usage, fmt::format("--set {}: there is no tool '{}' (there are {})", assignment, parts.tool,
                                              tool_names()));
  }
  set_field(tool->fields, struct_of(*tool, settings), parts.field, parts.value, fmt::format("{}.", tool->name));
}

bool equal(const Settings& a, const Settings& b) {
  for (const Tool& tool : tools) {
    if (!fields_equal(tool.fields, struct_of(tool, a), struct_of(tool, b))) return false;
  }
  return true;
}

std::string settings_markdown() {
  const Settings defaults;
  std::string text;
  for (const Tool& tool : tools) {
    text += fmt::format("## {}\n\n{}\n", tool.label, markdown_from_fields(tool.name, tool.fields, struct_of(tool, defaults)));
  }
  return text;
}

}  // namespace imago::develop
