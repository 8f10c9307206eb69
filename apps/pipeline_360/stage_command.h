// What the commands of all stages share: rerun and shard options, progress, JSON events, the exit code.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "cli/cli.h"
#include "pano/stage.h"

namespace imago {

// A stage's folders: named one by one, or by the project that holds them.
struct StageFolders {
  std::string project, input_dir, output_dir;

  // `in_project` is the place below the project. Throws Error{usage} when neither is given.
  std::filesystem::path input(const char* in_project) const;
  std::filesystem::path output(const char* in_project) const;
};
void add_project_options(CLI::App& app, StageFolders& folders, const std::string& input_help,
                         const std::string& output_help);

struct RerunOptions {
  bool force = false;
  bool update = false;
  std::string shard;

  pano::Rerun rerun() const;
  pano::Shard parsed_shard() const;  // throws Error{usage}
};
void add_rerun_options(CLI::App& app, RerunOptions& options);

// Progress to the log, at most one line a second; with --json one line an event on standard output.
pano::StageListener stage_printer(bool as_json);

// One line of --json.
void print_json(const nlohmann::json& line);

int stage_exit_code(const pano::StageSummary& summary);

template <typename Value>
CLI::Option* add_choice(CLI::App& app, const std::string& flag, Value& value, const std::map<std::string, Value>& names,
                        const std::string& help) {
  std::string text;
  for (const auto& [name, unused] : names) text += (text.empty() ? "" : "|") + name;
  return app.add_option(flag, value, help)
      ->transform(CLI::CheckedTransformer(names, CLI::ignore_case).description(""))
      ->option_text(text);
}

}  // namespace imago
