#include "develop/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/field_json.h"
#include "base/path_text.h"
#include "base/settings_folder.h"
#include "develop/crs_import.h"
#include "develop/settings/settings_json.h"
#include "io/byte_source.h"

namespace imago::develop {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t most_bytes = std::uint64_t{32} << 20;

std::optional<fs::path> presets_folder() {
  const std::optional<fs::path> folder = settings_folder();
  return folder ? std::optional(*folder / "presets") : std::nullopt;
}

std::string extension_of(const fs::path& file) {
  std::string text = utf8(file.extension());
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return text;
}

std::vector<std::string> apply_json(const fs::path& file, const json& document, Settings& settings) {
  const std::string name = io::name_of(file);
  if (!document.is_object()) throw Error(ErrorKind::input, name + ": a preset is a JSON object");
  const auto inner = document.find("settings");
  std::vector<std::string> unknown;
  try {
    apply_settings_json(inner != document.end() ? *inner : document, settings, unknown);
  } catch (const Error& error) {
    throw Error(ErrorKind::input, fmt::format("{}: {}", name, error.what()));
  }
  std::erase(unknown, "name");
  for (std::string& key : unknown) key = fmt::format("{}: unknown setting {}", name, key);
  return unknown;
}

}  // namespace

std::vector<Preset> list_presets() {
  std::vector<Preset> presets;
  const std::optional<fs::path> folder = presets_folder();
  if (!folder) return presets;
  std::error_code error;
  for (fs::directory_iterator at(*folder, error), end; !error && at != end; at.increment(error)) {
    const std::string extension = extension_of(at->path());
    if (extension == ".json" || extension == ".xmp") presets.push_back({utf8(at->path().stem()), at->path()});
  }
  std::sort(presets.begin(), presets.end(),
            [](const Preset& a, const Preset& b) { return a.name != b.name ? a.name < b.name : a.file < b.file; });
  return presets;
}

fs::path find_preset(const std::string& path_or_name) {
  const fs::path path = path_from_utf8(path_or_name);
  std::error_code error;
  if (fs::is_regular_file(path, error)) return path;
  std::string names;
  for (const Preset& preset : list_presets()) {
    if (preset.name == path_or_name) return preset.file;
    names += (names.empty() ? "" : ", ") + preset.name;
  }
  throw Error(ErrorKind::usage, fmt::format("--preset {}: no such file, and no preset of that name ({})", path_or_name,
                                            names.empty() ? "there are none" : "there are " + names));
}

std::vector<std::string> apply_preset(const fs::path& file, Settings& settings) {
  const std::vector<std::byte> bytes = io::read_file(file, most_bytes);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const json document = json::parse(text, nullptr, false);
  if (!document.is_discarded()) return apply_json(file, document, settings);
  if (text.find("rdf:RDF") == std::string::npos) {
    throw Error(ErrorKind::input, io::name_of(file) + ": is neither a JSON preset nor XMP");
  }
  const CrsReport report = import_crs(io::read_crs(file), settings);
  std::vector<std::string> notes;
  for (const std::string& line : report.approximated) notes.push_back(io::name_of(file) + ": approximated: " + line);
  for (const std::string& line : report.dropped) notes.push_back(io::name_of(file) + ": dropped: " + line);
  return notes;
}

fs::path save_preset(const std::string& name, const Settings& settings, const std::vector<std::string>& groups) {
  const std::optional<fs::path> folder = presets_folder();
  if (!folder) throw Error(ErrorKind::usage, "no settings folder (IMAGO_NO_PREFS is set?): presets cannot be saved");
  if (name.empty() || name.front() == '.' || name.find_first_of("/\\:*?\"<>|\n\r\t") != std::string::npos) {
    throw Error(ErrorKind::usage, fmt::format("'{}' cannot be the name of a preset: it is a file's name", name));
  }
  const json changed = json_from_settings(settings);
  json chosen = json::object();
  for (const Tool& tool : tools) {
    const std::string tool_name(tool.name);
    const bool named = std::find(groups.begin(), groups.end(), tool_name) != groups.end();
    if (!groups.empty() && !named) continue;
    if (named) {
      chosen[tool_name] = json_from_fields(tool.fields, reinterpret_cast<const char*>(&settings) + tool.offset);
    }
    if (!named && changed.contains(tool_name)) chosen[tool_name] = changed[tool_name];
  }
  for (const std::string& group : groups) {
    if (!chosen.contains(group)) throw Error(ErrorKind::usage, fmt::format("--only {}: there is no such tool", group));
  }
  const fs::path file = *folder / path_from_utf8(name + ".json");
  std::error_code error;
  fs::create_directories(*folder, error);
  if (error) throw Error(ErrorKind::io, fmt::format("{}: {}", utf8(*folder), error.message()));
  write_preset(file, name, chosen);
  return file;
}

void write_preset(const fs::path& file, const std::string& name, const json& settings) {
  const json document = {{"name", name}, {"settings", settings}};
  write_file_atomically(file, document.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace imago::develop
