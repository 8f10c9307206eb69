// Manifests as status and verify read them.
#include "pano/manifest.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/path_text.h"
#include "io/byte_source.h"
#include "pano/stage.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

ManifestItem item_from(const std::string& name, const json& record) {
  ManifestItem item;
  item.name = name;
  item.error = record.value("error", "");
  item.details = record.value("details", json::object());
  for (const json& output : record.value("outputs", json::array())) {
    item.outputs.push_back(path_from_utf8(output.value("file", "")));
    item.bytes.push_back(output.value("bytes", std::uint64_t{0}));
    item.hashes.push_back(output.value("hash", ""));
  }
  return item;
}

Manifest manifest_from(const fs::path& path) {
  const json value = read_json_object(path);
  Manifest manifest;
  manifest.path = path;
  try {
    manifest.stage = value.at("stage").get<std::string>();
    manifest.shard = shard_from_text(value.value("shard", "1/1"));
    manifest.complete = value.value("complete", false);
    manifest.parameters = value.value("parameters", json::object());
    for (const auto& [name, record] : value.at("items").items()) manifest.items.push_back(item_from(name, record));
  } catch (const json::exception&) {
    throw Error(ErrorKind::input, fmt::format("{}: not a manifest: remove it to start the stage anew", utf8(path)));
  }
  return manifest;
}

}  // namespace

std::vector<fs::path> manifest_paths(const fs::path& folder, const std::string& name) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string file = utf8(it->path().filename());
    const bool of_shard = file.starts_with(name + ".") && file.find("of") != std::string::npos;
    if (file.ends_with(".json") && (file == name + ".json" || of_shard)) paths.push_back(it->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

json read_json_object(const fs::path& path) {
  const std::vector<std::byte> bytes = io::read_file(path);
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  json value = json::parse(text, text + bytes.size(), nullptr, false);
  if (!value.is_object()) {
    throw Error(ErrorKind::input, fmt::format("{}: no JSON object: remove it to start anew", utf8(path)));
  }
  return value;
}

std::vector<Manifest> read_manifests(const fs::path& folder, const std::string& manifest_name) {
  std::vector<Manifest> manifests;
  for (const fs::path& path : manifest_paths(folder, manifest_name)) manifests.push_back(manifest_from(path));
  return manifests;
}

std::vector<std::string> damaged_outputs(const Manifest& manifest, const fs::path& folder) {
  std::vector<std::string> lines;
  for (const ManifestItem& item : manifest.items) {
    for (std::size_t i = 0; i < item.outputs.size(); ++i) {
      const fs::path path = folder / item.outputs[i];
      std::error_code error;
      const auto size = fs::file_size(path, error);
      if (error) {
        lines.push_back(fmt::format("{}: missing", utf8(path)));
      } else if (size != item.bytes[i] || hash_text(content_hash(path)) != item.hashes[i]) {
        lines.push_back(fmt::format("{}: changed since it was written", utf8(path)));
      }
    }
  }
  return lines;
}

}  // namespace imago::pano
