// The commands of imago-cli: options and what runs them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "develop/export_file.h"

namespace imago {

// What to do with an output that exists already. A camera's JPEG may lie where the raw's would go.
enum class Conflict : std::uint8_t { unique, overwrite, skip, error };

// imago-cli render: photos to pictures, with the edits of their sidecars.
struct RenderCommand {
  std::vector<std::string> inputs;  // files, folders with `recursive`, "-" for a list on standard input
  bool recursive = false;
  std::string output;
  std::string name_template;   // "": the input's name
  std::string format;          // "": by the output's name, else jpg
  int bits = 0;                // 0: 8, of a DNG 16
  std::string space = "srgb";  // or the file of a profile
  bool no_sidecar = false;
  bool no_black_point = false;
  std::optional<Conflict> conflict;
  int jobs = 0;                      // 0: as many as the cores and the memory budget feed
  double timeout_s = 0;              // a file; 0: none
  std::vector<std::string> presets;  // files or names, in order
  std::string xmp;                   // Lightroom's settings
  std::string lut;
  std::vector<std::string> assignments;
  develop::ExportOptions options;
};
CLI::App* add_render_command(CLI::App& app, RenderCommand& command, cli::CommonOptions& common);
int run_render_command(RenderCommand& command, const cli::CommonOptions& common);

// imago-cli edit: changes the settings in sidecars.
struct EditCommand {
  std::vector<std::string> inputs;
  std::vector<std::string> assignments;
  bool reset = false;
};
CLI::App* add_edit_command(CLI::App& app, EditCommand& command, cli::CommonOptions& common);
int run_edit_command(const EditCommand& command, const cli::CommonOptions& common);

// imago-cli auto: tone or white balance read off the picture, into sidecars.
struct AutoCommand {
  std::vector<std::string> inputs;
  bool tone = false;
  std::string white_balance;    // a preset's name
  std::vector<double> neutral;  // x, y
  bool dry_run = false;
};
CLI::App* add_auto_command(CLI::App& app, AutoCommand& command, cli::CommonOptions& common);
int run_auto_command(const AutoCommand& command, const cli::CommonOptions& common);

// imago-cli histogram: the tones of developed photos, counted.
struct HistogramCommand {
  std::vector<std::string> inputs;
  int long_edge_px = 1024;
  bool scopes = false;
};
CLI::App* add_histogram_command(CLI::App& app, HistogramCommand& command, cli::CommonOptions& common);
int run_histogram_command(const HistogramCommand& command, const cli::CommonOptions& common);

// imago-cli presets [save]: what --preset takes by name.
struct PresetsCommand {
  CLI::App* save = nullptr;
  std::string name;
  std::string input;
  std::vector<std::string> groups;
};
CLI::App* add_presets_command(CLI::App& app, PresetsCommand& command, cli::CommonOptions& common);
int run_presets_command(const PresetsCommand& command, const cli::CommonOptions& common);

// imago-cli convert-xmp: what Lightroom's settings are here.
struct ConvertXmpCommand {
  std::string input;
  std::string output;
};
CLI::App* add_convert_xmp_command(CLI::App& app, ConvertXmpCommand& command, cli::CommonOptions& common);
int run_convert_xmp_command(const ConvertXmpCommand& command, const cli::CommonOptions& common);

// imago-cli info: what a photo says about itself, from its headers.
struct InfoCommand {
  std::vector<std::string> inputs;
};
CLI::App* add_info_command(CLI::App& app, InfoCommand& command, cli::CommonOptions& common);
int run_info_command(const InfoCommand& command, const cli::CommonOptions& common);

// imago-cli preview: the picture that the camera put into the raw.
struct PreviewCommand {
  std::vector<std::string> inputs;
  std::string output;
  int quality = 92;
};
CLI::App* add_preview_command(CLI::App& app, PreviewCommand& command, cli::CommonOptions& common);
int run_preview_command(const PreviewCommand& command, const cli::CommonOptions& common);

// imago-cli gpu [selftest]: the adapter in use, or why there is none; whether it renders right.
struct GpuCommand {
  CLI::App* selftest = nullptr;
};
CLI::App* add_gpu_command(CLI::App& app, GpuCommand& command, cli::CommonOptions& common);
int run_gpu_command(const GpuCommand& command, const cli::CommonOptions& common);

// imago-cli settings: the table of everything that --set takes.
CLI::App* add_settings_command(CLI::App& app);
int run_settings_command();

}  // namespace imago
