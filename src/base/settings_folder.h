#pragma once

#include <filesystem>
#include <optional>

namespace imago {

// Where settings and markers live: %APPDATA%\Imago, ~/Library/Application Support/Imago, $XDG_CONFIG_HOME/imago or
// ~/.config/imago. Nothing when IMAGO_NO_PREFS is set (settings are then neither read nor written) or no home is
// known. The folder need not exist yet.
std::optional<std::filesystem::path> settings_folder();

// Where caches live, which may be deleted at any time: %LOCALAPPDATA%\Imago\cache, ~/Library/Caches/Imago,
// $XDG_CACHE_HOME/imago or ~/.cache/imago. Nothing when no home is known.
std::optional<std::filesystem::path> cache_folder();

}  // namespace imago
