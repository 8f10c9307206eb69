#include "commands.h"
#include "imago_version.h"

int main(int argc, char** argv) {
  CLI::App app{"Imago: develops raw photographs."};
  app.set_version_flag("--version", std::string("imago-cli ") + imago::version);
  app.require_subcommand(1);
  imago::cli::CommonOptions common;
  imago::RenderCommand render;
  imago::EditCommand edit;
  imago::InfoCommand info;
  imago::GpuCommand gpu;
  imago::PreviewCommand preview;
  CLI::App* render_app = imago::add_render_command(app, render, common);
  CLI::App* edit_app = imago::add_edit_command(app, edit, common);
  CLI::App* info_app = imago::add_info_command(app, info, common);
  CLI::App* preview_app = imago::add_preview_command(app, preview, common);
  CLI::App* gpu_app = imago::add_gpu_command(app, gpu, common);
  CLI::App* settings_app = imago::add_settings_command(app);
  return imago::cli::run_main(app, argc, argv, common, [&] {
    if (render_app->parsed()) return imago::run_render_command(render, common);
    if (edit_app->parsed()) return imago::run_edit_command(edit, common);
    if (info_app->parsed()) return imago::run_info_command(info, common);
    if (preview_app->parsed()) return imago::run_preview_command(preview, common);
    if (gpu_app->parsed()) return imago::run_gpu_command(gpu, common);
    if (settings_app->parsed()) return imago::run_settings_command();
    return static_cast<int>(imago::cli::exit_usage);
  });
}
