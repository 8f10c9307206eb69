#include <iostream>
#include <nlohmann/json.hpp>

#include "base/log.h"
#include "base/path_text.h"
#include "commands.h"
#include "develop/edits.h"
#include "develop/settings/settings_json.h"
#include "io/sidecar/sidecar.h"

namespace imago {

CLI::App* add_edit_command(CLI::App& app, EditCommand& command, cli::CommonOptions& common) {
  CLI::App* edit = app.add_subcommand("edit", "Change the settings in a photo's sidecar (IN.xmp)");
  edit->add_option("IN", command.inputs, "Photos")->required()->option_text("IN...");
  edit->add_option("--set", command.assignments,
                   "A setting, e.g. exposure.ev=0.7; repeatable (see: imago-cli settings)")
      ->allow_extra_args(false)  // what follows may be an input
      ->option_text("TOOL.FIELD=VALUE");
  edit->add_flag("--reset", command.reset, "Start from the defaults instead of the sidecar");
  cli::add_common_options(*edit, common);
  return edit;
}

int run_edit_command(const EditCommand& command, const cli::CommonOptions& common) {
  for (const std::string& input : command.inputs) {
    const std::filesystem::path photo = path_from_utf8(input);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(photo, ignored)) throw Error(ErrorKind::input, input + ": no such file");
    develop::Edits edits;
    if (!command.reset) edits = develop::read_edits(photo);
    for (const std::string& assignment : command.assignments) develop::set_setting(edits.settings, assignment);
    if (command.reset || !command.assignments.empty()) {
      for (const std::string& warning : develop::write_edits(photo, edits.settings)) edits.warnings.push_back(warning);
    }
    for (const std::string& warning : edits.warnings) log_warn("{}", warning);
    const nlohmann::json settings = develop::json_from_settings(edits.settings);
    if (common.json) {
      std::cout << nlohmann::json{{"input", input}, {"settings", settings}}.dump() << std::endl;
    } else {
      std::cout << utf8(io::sidecar_path(photo)) << ": " << settings.dump() << std::endl;
    }
  }
  return cli::exit_ok;
}

CLI::App* add_settings_command(CLI::App& app) {
  return app.add_subcommand("settings", "List everything that --set takes");
}

int run_settings_command() {
  std::cout << develop::settings_markdown();
  return cli::exit_ok;
}

}  // namespace imago
