#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "base/log.h"
#include "base/path_text.h"
#include "commands.h"
#include "develop/auto_adjust.h"
#include "develop/edits.h"
#include "develop/export_file.h"
#include "develop/scopes.h"
#include "develop/settings/settings_json.h"

namespace imago {
namespace {

using nlohmann::json;

void print(const json& line) { std::cout << line.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl; }

json adjust(const AutoCommand& command, const std::filesystem::path& path) {
  develop::Edits edits = develop::read_edits(path);
  develop::Settings& settings = edits.settings;
  if (!command.white_balance.empty()) settings.white_balance = develop::white_balance_preset(command.white_balance);
  const bool needs_photo = command.tone || !command.neutral.empty() || command.white_balance.empty();
  if (needs_photo) {
    const develop::Photo photo = develop::open_photo(path, settings.source);
    if (!command.neutral.empty())
      settings.white_balance = develop::pick_white_balance(photo, command.neutral[0], command.neutral[1]);
    const bool only_white = !command.neutral.empty() || !command.white_balance.empty();
    if (command.tone || !only_white) settings = develop::auto_tone(photo, settings);
  }
  if (!command.dry_run) {
    for (const std::string& warning : develop::write_edits(path, settings)) log_warn("{}", warning);
  }
  return {{"input", utf8(path)}, {"settings", develop::json_from_settings(settings)}};
}

json histogram_of(const std::filesystem::path& path, const HistogramCommand& command, Backend backend) {
  const develop::Edits edits = develop::read_edits(path);
  develop::RenderRequest request;
  request.settings = edits.settings;
  request.long_edge_px = command.long_edge_px;
  request.lut = develop::load_lut(edits.settings.lut);
  develop::Photo photo = develop::open_photo(path, edits.settings.source);
  develop::Scopes scopes;
  const int width = develop::plan(photo, request).width;
  develop::develop(
      photo, request, io::SampleType::u8, backend, nullptr,
      [&](RowRange, std::span<const std::byte> rows) {
        develop::add_rows(scopes, {reinterpret_cast<const std::uint8_t*>(rows.data()), rows.size()}, width);
      },
      cli::interruption());
  json line = {{"input", utf8(path)}, {"pixels", scopes.pixels}, {"black", scopes.black}, {"clipped", scopes.clipped},
               {"red", scopes.red},   {"green", scopes.green},   {"blue", scopes.blue},   {"luma", scopes.luma}};
  if (command.scopes) {
    line["waveform"] = scopes.waveform;
    line["vectorscope"] = scopes.vectorscope;
  }
  return line;
}

// One line a file on standard output; what cannot be read is named and the rest goes on.
template <typename Each>
int for_each_input(const std::vector<std::string>& inputs, bool as_json, Each&& each) {
  std::size_t failed = 0;
  ErrorKind failure = ErrorKind::input;
  for (const std::string& input : inputs) {
    cli::interruption().throw_if_cancelled();
    try {
      each(path_from_utf8(input));
    } catch (const Error& error) {
      ++failed;
      failure = error.kind;
      if (as_json) {
        print({{"input", input}, {"error", error.what()}});
      } else {
        std::cerr << "error: " << error.what() << std::endl;
      }
    }
  }
  if (failed == 0) return cli::exit_ok;
  return failed == inputs.size() ? cli::exit_code_of(failure) : cli::exit_some_failed;
}

}  // namespace

CLI::App* add_auto_command(CLI::App& app, AutoCommand& command, cli::CommonOptions& common) {
  CLI::App* automatic = app.add_subcommand("auto", "Set tone (default) or white balance by what is in the picture");
  automatic->add_option("IN", command.inputs, "Photos; their sidecars are changed")->required()->option_text("IN...");
  automatic->add_flag("--tone", command.tone, "Exposure and tone, beside a white balance");
  CLI::Option* preset = automatic->add_option("--wb", command.white_balance, "White balance for a light")
                            ->option_text("as_shot|daylight|cloudy|shade|tungsten|fluorescent|flash");
  automatic
      ->add_option("--neutral", command.neutral,
                   "White balance that makes this place grey: fractions of the sensor's width and height")
      ->delimiter(',')
      ->expected(2)
      ->option_text("X,Y")
      ->excludes(preset);
  automatic->add_flag("--dry-run", command.dry_run, "Only say");
  cli::add_common_options(*automatic, common);
  return automatic;
}

int run_auto_command(const AutoCommand& command, const cli::CommonOptions& common) {
  if (!command.white_balance.empty()) develop::white_balance_preset(command.white_balance);  // before the first file
  return for_each_input(command.inputs, common.json, [&](const std::filesystem::path& path) {
    const json line = adjust(command, path);
    if (common.json) {
      print(line);
    } else {
      std::cout << fmt::format("{}: {}\n", utf8(path), line["settings"].dump());
    }
  });
}

CLI::App* add_histogram_command(CLI::App& app, HistogramCommand& command, cli::CommonOptions& common) {
  CLI::App* histogram = app.add_subcommand("histogram", "Count the tones of developed photos (JSON lines)");
  histogram->add_option("IN", command.inputs, "Photos")->required()->option_text("IN...");
  histogram->add_option("--size", command.long_edge_px, "Long edge of the picture that is counted")
      ->option_text("N")
      ->check(CLI::Range(1, 65500).description(""))
      ->capture_default_str();
  histogram->add_flag("--scopes", command.scopes, "Waveform (256 columns by 256 levels) and vectorscope, too");
  cli::add_backend_option(*histogram, common);
  cli::add_common_options(*histogram, common);
  return histogram;
}

int run_histogram_command(const HistogramCommand& command, const cli::CommonOptions& common) {
  return for_each_input(command.inputs, true,
                        [&](const std::filesystem::path& path) { print(histogram_of(path, command, common.backend)); });
}

}  // namespace imago
