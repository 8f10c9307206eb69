#include <functional>
#include <utility>
#include <vector>

#include "commands.h"
#include "imago_version.h"

int main(int argc, char** argv) {
  using namespace imago;
  CLI::App app{"Imago: develops raw photographs."};
  app.set_version_flag("--version", std::string("imago-cli ") + version);
  app.require_subcommand(1);
  cli::CommonOptions common;
  std::vector<std::pair<CLI::App*, std::function<int()>>> commands;

  RenderCommand render;
  commands.emplace_back(add_render_command(app, render, common), [&] { return run_render_command(render, common); });
  EditCommand edit;
  commands.emplace_back(add_edit_command(app, edit, common), [&] { return run_edit_command(edit, common); });
  InfoCommand info;
  commands.emplace_back(add_info_command(app, info, common), [&] { return run_info_command(info, common); });
  PreviewCommand preview;
  commands.emplace_back(add_preview_command(app, preview, common),
                        [&] { return run_preview_command(preview, common); });
  GpuCommand gpu;
  commands.emplace_back(add_gpu_command(app, gpu, common), [&] { return run_gpu_command(gpu, common); });
  AutoCommand automatic;
  commands.emplace_back(add_auto_command(app, automatic, common), [&] { return run_auto_command(automatic, common); });
  HistogramCommand histogram;
  commands.emplace_back(add_histogram_command(app, histogram, common),
                        [&] { return run_histogram_command(histogram, common); });
  PresetsCommand presets;
  commands.emplace_back(add_presets_command(app, presets, common),
                        [&] { return run_presets_command(presets, common); });
  ConvertXmpCommand convert;
  commands.emplace_back(add_convert_xmp_command(app, convert, common),
                        [&] { return run_convert_xmp_command(convert, common); });
  commands.emplace_back(add_settings_command(app), [] { return run_settings_command(); });

  return cli::run_main(app, argc, argv, common, [&] {
    for (const auto& [command, run] : commands) {
      if (command->parsed()) return run();
    }
    return static_cast<int>(cli::exit_usage);
  });
}
