#include "base/settings_folder.h"

#include "base/environment.h"

namespace imago {
namespace {

using std::filesystem::path;

std::optional<path> below(const char* variable, const path& rest) {
  const std::optional<std::string> value = read_env(variable);
  if (!value) return std::nullopt;
  return path(*value) / rest;
}

#if !defined(_WIN32) && !defined(__APPLE__)
// The XDG specification has relative paths ignored.
std::optional<path> xdg(const char* variable, const path& below_home) {
  std::optional<path> folder = below(variable, "imago");
  if (folder && folder->is_absolute()) return folder;
  return below("HOME", below_home / "imago");
}
#endif

}  // namespace

std::optional<path> settings_folder() {
  if (read_env("IMAGO_NO_PREFS")) return std::nullopt;
#if defined(_WIN32)
  return below("APPDATA", "Imago");
#elif defined(__APPLE__)
  return below("HOME", path("Library") / "Application Support" / "Imago");
#else
  return xdg("XDG_CONFIG_HOME", ".config");
#endif
}

std::optional<path> cache_folder() {
#if defined(_WIN32)
  return below("LOCALAPPDATA", path("Imago") / "cache");
#elif defined(__APPLE__)
  return below("HOME", path("Library") / "Caches" / "Imago");
#else
  return xdg("XDG_CACHE_HOME", ".cache");
#endif
}

}  // namespace imago
