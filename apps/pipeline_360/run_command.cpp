#include "run_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <string_view>

#include "base/atomic_file.h"
#include "base/log.h"
#include "base/path_text.h"
#include "io/byte_source.h"

namespace imago {
namespace {

namespace fs = std::filesystem;

// What the stages are called by --until, in order.
constexpr std::array<const char*, 6> stages = {"frames", "equirect", "cubemap", "masks", "sfm", "dataset"};

// A run's own wishes, which the next one does not inherit.
bool is_momentary(const std::string& argument) {
  constexpr std::array<std::string_view, 3> flags = {"--force", "--update", "--json"};
  return std::ranges::find(flags, argument) != flags.end();
}
bool is_momentary_with_value(const std::string& argument) {
  constexpr std::array<std::string_view, 4> names = {"--shard", "--log-level", "--backend", "--until"};
  return std::ranges::find(names, argument) != names.end();
}

fs::path memory_of(const fs::path& project) { return project / "pipeline.json"; }

// Arguments that name files are kept as absolute paths: the next run may start elsewhere.
std::string anchored(const std::string& argument) {
  std::error_code error;
  const fs::path path = path_from_utf8(argument);
  if (argument.starts_with("-") || !fs::exists(path, error)) return argument;
  return utf8(fs::absolute(path).lexically_normal());
}

std::vector<std::string> to_remember(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (is_momentary_with_value(arguments[i])) {
      ++i;
    } else if (!is_momentary(arguments[i])) {
      kept.push_back(anchored(arguments[i]));
    }
  }
  return kept;
}

std::vector<std::string> remembered(const fs::path& project) {
  std::error_code error;
  if (!fs::exists(memory_of(project), error)) return {};
  const std::vector<std::byte> bytes = io::read_file(memory_of(project));
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  const nlohmann::json value = nlohmann::json::parse(text, text + bytes.size(), nullptr, false);
  try {
    return value.at("arguments").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::input,
                fmt::format("{}: damaged: remove it and name the inputs again", utf8(memory_of(project))));
  }
}

void remember_arguments(const RunCommand& command) {
  const fs::path project = path_from_utf8(command.project);
  std::error_code error;
  fs::create_directories(project, error);
  if (error) throw Error(ErrorKind::io, fmt::format("cannot make {}: {}", command.project, error.message()));
  const nlohmann::json value = {
      {"arguments", to_remember(std::vector<std::string>(command.arguments.begin() + 2, command.arguments.end()))}};
  write_file_atomically(memory_of(project), value.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

// Copies a stage needs of the options that all share.
void share(RunCommand& command) {
  command.frames.rerun = command.equirect.rerun = command.cubemap.rerun = command.masks.rerun = command.rerun;
  command.sfm.rerun = command.dataset.rerun = command.rerun;
  command.frames.project = command.equirect.folders.project = command.cubemap.folders.project = command.project;
  command.masks.folders.project = command.project;
  command.sfm.project = command.dataset.project = command.project;
}

}  // namespace

CLI::App* add_run_command(CLI::App& app, RunCommand& command, cli::CommonOptions& common) {
  CLI::App* run = app.add_subcommand("run", "All stages: from videos or photos to a dataset, going on where it was");
  run->add_option("project", command.project, "Folder of the project")->required()->option_text("PROJECT");
  run->add_option("inputs,--input", command.frames.inputs,
                  "Videos, panoramas, folders of both; without any, the run is the one of before")
      ->option_text("INPUT…");
  run->add_option("--until", command.until, "Stop after this stage")
      ->option_text("frames|equirect|cubemap|masks|sfm|dataset")
      ->check(CLI::IsMember(std::vector<std::string>(stages.begin(), stages.end())).description(""));
  add_frames_options(*run, command.frames);
  add_equirect_options(*run, command.equirect);
  add_cubemap_options(*run, command.cubemap);
  add_masks_options(*run, command.masks);
  add_sfm_options(*run, command.sfm);
  add_dataset_options(*run, command.dataset);
  add_rerun_options(*run, command.rerun);
  cli::add_backend_option(*run, common);
  cli::add_common_options(*run, common);
  return run;
}

std::vector<std::string> remembered_arguments(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2 || arguments[0] != "run" || arguments[1].starts_with("-")) return arguments;
  const fs::path project = path_from_utf8(arguments[1]);
  const std::vector<std::string> asked(arguments.begin() + 2, arguments.end());
  if (!to_remember(asked).empty()) return arguments;
  const std::vector<std::string> before = remembered(project);
  arguments.insert(arguments.end(), before.begin(), before.end());
  return arguments;
}

int run_run_command(RunCommand& command, const cli::CommonOptions& common) {
  if (command.frames.inputs.empty()) {
    throw Error(ErrorKind::usage, fmt::format("run {}: name a video, panoramas or a folder of them", command.project));
  }
  share(command);
  remember_arguments(command);
  const bool whole = command.rerun.parsed_shard().count == 1;
  const std::array<std::function<int()>, 6> work = {
      [&] { return run_frames_command(command.frames, common); },
      [&] { return run_equirect_command(command.equirect, common); },
      [&] { return run_cubemap_command(command.cubemap, common); },
      [&] { return asks_for_masks(command.masks) ? run_masks_command(command.masks, common) : cli::exit_ok; },
      [&] { return run_sfm_command(command.sfm, common); },
      [&] { return run_dataset_command(command.dataset, common); }};
  int worst = cli::exit_ok;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (i >= 4 && !whole) {
      log_info("[run] the shards' frames are done; run once more without --shard for the reconstruction");
      break;
    }
    const int code = work[i]();
    if (code != cli::exit_ok && code != cli::exit_some_failed) return code;
    worst = std::max(worst, code);
    if (command.until == stages[i]) break;
  }
  return worst;
}

}  // namespace imago
