// Bytes as a preset: JSON of ours or settings of Camera Raw, laid over settings and rendered into parameters.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "develop/presets.h"
#include "develop/settings/settings_json.h"
#include "develop/stages/finish/finish.h"

namespace fs = std::filesystem;
using namespace imago;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fs::path file = [] {
    std::string name = (fs::temp_directory_path() / "imago-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    return fs::path(name) / "preset";
  }();
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    develop::Settings settings;
    develop::apply_preset(file, settings);
    develop::Settings again;
    std::vector<std::string> unknown;
    develop::apply_settings_json(develop::json_from_settings(settings), again, unknown);
    if (!unknown.empty() || !develop::equal(settings, again)) std::abort();
    for (const float value : develop::plan_finish(settings, {}).curve_table) {
      if (!std::isfinite(value)) std::abort();
    }
  } catch (const Error&) {
  }
  return 0;
}
