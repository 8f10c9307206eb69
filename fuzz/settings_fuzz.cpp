// Text as a settings document and as one assignment. What is read must survive its own writing.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"
#include "develop/settings/settings_json.h"

using namespace imago;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  if (!document.is_discarded()) {
    try {
      std::vector<std::string> unknown_keys;
      const develop::Settings settings = develop::settings_from_json(document, unknown_keys);
      unknown_keys.clear();
      const auto again = develop::settings_from_json(develop::json_from_settings(settings), unknown_keys);
      if (!develop::equal(settings, again) || !unknown_keys.empty()) std::abort();
    } catch (const Error&) {
    }
  }
  try {
    develop::Settings settings;
    develop::set_setting(settings, text);
  } catch (const Error&) {
  }
  return 0;
}
