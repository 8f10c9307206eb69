// File names between the command line (UTF-8 everywhere) and std::filesystem.
#pragma once

#include <filesystem>
#include <string>

namespace imago::cli {

inline std::filesystem::path path_from_argument(const std::string& text) {
  return std::filesystem::path(std::u8string(text.begin(), text.end()));
}

inline std::string utf8(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

}  // namespace imago::cli
