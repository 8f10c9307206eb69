// File names as UTF-8 text, the form of command lines, messages and JSON; std::filesystem holds them natively.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace imago {

inline std::string utf8(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

inline std::filesystem::path path_from_utf8(std::string_view text) {
  return std::filesystem::path(std::u8string(text.begin(), text.end()));
}

}  // namespace imago
