#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "base/log.h"
#include "base/path_text.h"
#include "commands.h"
#include "develop/crs_import.h"
#include "develop/edits.h"
#include "develop/presets.h"
#include "develop/settings/settings_json.h"

namespace imago {
namespace {

using nlohmann::json;

void print(const json& line) { std::cout << line.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl; }

void list(bool as_json) {
  for (const develop::Preset& preset : develop::list_presets()) {
    develop::Settings settings;
    std::string problem;
    try {
      develop::apply_preset(preset.file, settings);
    } catch (const Error& error) {
      problem = error.what();
    }
    const json what = develop::json_from_settings(settings);
    if (as_json) {
      json line = {{"name", preset.name}, {"file", utf8(preset.file)}, {"settings", what}};
      if (!problem.empty()) line["error"] = problem;
      print(line);
    } else {
      std::cout << fmt::format("{}: {}\n", preset.name, problem.empty() ? what.dump() : problem);
    }
  }
}

void print_lines(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  std::cout << title << '\n';
  for (const std::string& line : lines) std::cout << "  " << line << '\n';
}

}  // namespace

CLI::App* add_presets_command(CLI::App& app, PresetsCommand& command, cli::CommonOptions& common) {
  CLI::App* presets = app.add_subcommand("presets", "List the presets, or save a photo's edits as one");
  command.save = presets->add_subcommand("save", "Save the edits of a photo's sidecar as a preset");
  command.save->add_option("NAME", command.name, "Name of the preset")->required()->option_text("NAME");
  command.save->add_option("IN", command.input, "A photo with edits")->required()->option_text("IN");
  command.save->add_option("--only", command.groups, "Tools to save, e.g. tone,hsl (default: all that are changed)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("TOOL,...");
  cli::add_common_options(*presets, common);
  cli::add_common_options(*command.save, common);
  return presets;
}

int run_presets_command(const PresetsCommand& command, const cli::CommonOptions& common) {
  if (!command.save->parsed()) {
    list(common.json);
    return cli::exit_ok;
  }
  const develop::Edits edits = develop::read_edits(path_from_utf8(command.input));
  if (!edits.found) throw Error(ErrorKind::input, command.input + ": has no edits to save (no sidecar of ours)");
  const std::filesystem::path file = develop::save_preset(command.name, edits.settings, command.groups);
  common.json ? print({{"name", command.name}, {"file", utf8(file)}}) : log_info("saved {}", utf8(file));
  return cli::exit_ok;
}

CLI::App* add_convert_xmp_command(CLI::App& app, ConvertXmpCommand& command, cli::CommonOptions& common) {
  CLI::App* convert = app.add_subcommand(
      "convert-xmp", "Translate Lightroom's or Camera Raw's settings (.xmp) and say what became of each");
  convert->add_option("IN", command.input, "An .xmp sidecar or preset")->required()->option_text("IN.xmp");
  convert
      ->add_option("-o,--output", command.output,
                   "A preset (.json), or a photo, whose sidecar gets the settings (default: only say)")
      ->option_text("OUT");
  cli::add_common_options(*convert, common);
  return convert;
}

int run_convert_xmp_command(const ConvertXmpCommand& command, const cli::CommonOptions& common) {
  const std::filesystem::path input = path_from_utf8(command.input);
  const io::CrsData crs = io::read_crs(input);
  if (crs.values.empty() && crs.lists.empty()) {
    throw Error(ErrorKind::input, command.input + ": holds no settings of Lightroom or Camera Raw (crs:)");
  }
  develop::Settings settings;
  const develop::CrsReport report = develop::import_crs(crs, settings);
  const json translated = develop::json_from_settings(settings);
  if (!command.output.empty()) {
    const std::string name = crs.name.empty() ? utf8(input.stem()) : crs.name;
    const std::filesystem::path output = path_from_utf8(command.output);
    if (output.extension() == ".json") {
      develop::write_preset(output, name, translated);
    } else {
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(output, ignored))
        throw Error(ErrorKind::input, command.output + ": no such photo (presets end in .json)");
      develop::Edits edits = develop::read_edits(output);
      develop::import_crs(crs, edits.settings);
      for (const std::string& warning : develop::write_edits(output, edits.settings)) log_warn("{}", warning);
    }
  }
  if (common.json) {
    print({{"input", command.input},
           {"settings", translated},
           {"mapped", report.mapped},
           {"approximated", report.approximated},
           {"dropped", report.dropped},
           {"atDefault", report.at_default}});
    return cli::exit_ok;
  }
  print_lines("mapped:", report.mapped);
  print_lines("approximated:", report.approximated);
  print_lines("dropped:", report.dropped);
  std::cout << fmt::format("{} more at their defaults\n{}\n", report.at_default, translated.dump());
  return cli::exit_ok;
}

}  // namespace imago
