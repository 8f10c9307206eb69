// Settings as text: JSON documents (sidecars, presets, commands) and single assignments ("exposure.ev=0.7").
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "develop/settings/settings.h"

namespace imago::develop {

// {"exposure": {"ev": 0.7}, …}: only what differs from the defaults of this process version.
nlohmann::json json_from_settings(const Settings& settings);

// Defaults, changed by what the document names. Keys that nobody knows are appended to `unknown_keys` and otherwise
// ignored. Throws Error{input} "exposure.ev = 99 is outside -5..5" for values that do not fit.
Settings settings_from_json(const nlohmann::json& document, std::vector<std::string>& unknown_keys);

// The same over settings that are there: what the document does not name stays. On Error the settings are unchanged.
void apply_settings_json(const nlohmann::json& document, Settings& settings, std::vector<std::string>& unknown_keys);

// "exposure.ev=0.7"; lists take JSON text. Throws Error{usage}, with the known names, for what does not fit.
void set_setting(Settings& settings, std::string_view assignment);

bool equal(const Settings& a, const Settings& b);

// The table of all settings (docs/settings.md).
std::string settings_markdown();

}  // namespace imago::develop
