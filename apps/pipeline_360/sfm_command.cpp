#include "sfm_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"
#include "base/path_text.h"

namespace imago {
namespace {

std::filesystem::path folder(const std::string& named, const std::string& project, const char* in_project,
                             const char* flag) {
  if (!named.empty()) return path_from_utf8(named);
  if (!project.empty()) return path_from_utf8(project) / in_project;
  throw Error(ErrorKind::usage, fmt::format("give --project DIR, or {} DIR", flag));
}

std::vector<std::string> list_from(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

void print_report(const pano::SfmReport& report, bool as_json) {
  if (as_json) {
    print_json({{"event", "sfm"},
                {"models", report.models},
                {"bestModel", utf8(report.best_model)},
                {"registeredImages", report.registered_images},
                {"images", report.images},
                {"registeredFrames", report.registered_frames},
                {"frames", report.frames},
                {"points", report.points},
                {"reprojectionErrorPx", report.reprojection_error_px}});
    return;
  }
  log_info("[sfm] {} of {} frames ({} of {} images) in the largest of {} models, {} points, {:.2f} px: {}",
           report.registered_frames, report.frames, report.registered_images, report.images, report.models,
           report.points, report.reprojection_error_px, utf8(report.best_model));
  if (report.registered_frames < report.frames) {
    log_warn("{} frames could not be placed: take more frames a second, or mask what moves",
             report.frames - report.registered_frames);
  }
}

}  // namespace

void add_sfm_options(CLI::App& app, SfmCommand& command) {
  app.add_option("--colmap", command.options.colmap,
                 "COLMAP program (3.12 or later), or a Python that has pycolmap 4 (default: the one in the PATH)")
      ->option_text("PROGRAM");
  app.add_option("--matcher", command.options.matcher, "Which frames are compared: neighbours in time, or all")
      ->option_text("sequential|exhaustive")
      ->check(CLI::IsMember({"sequential", "exhaustive"}).description(""))
      ->capture_default_str();
  app.add_option("--mapper", command.options.mapper, "COLMAP's incremental or global mapper")
      ->option_text("incremental|global")
      ->check(CLI::IsMember({"incremental", "global"}).description(""))
      ->capture_default_str();
}

CLI::App* add_sfm_command(CLI::App& app, SfmCommand& command, cli::CommonOptions& common) {
  CLI::App* sfm = app.add_subcommand("sfm", "Find the camera poses with COLMAP, or write the scripts that do");
  sfm->add_option("--project", command.project, "Folder that holds 03_cubemap")->option_text("DIR");
  sfm->add_option("--cubemap-dir", command.cubemap_dir, "Folder of images/, rig_config.json and masks/")
      ->option_text("DIR");
  sfm->add_option("--output-dir", command.output_dir, "Reconstruction goes to DIR/sparse, e.g. 04_sfm")
      ->option_text("DIR");
  add_sfm_options(*sfm, command);
  sfm->add_flag("--script-only", command.options.script_only, "Write masks and scripts, run nothing");
  sfm->add_flag("--force", command.rerun.force, "Reconstruct anew; without it, what is there and unchanged is kept");
  sfm->add_flag("--update", command.rerun.update, "Reconstruct anew when options changed");
  cli::add_common_options(*sfm, common);
  return sfm;
}

int run_sfm_command(SfmCommand& command, const cli::CommonOptions& common) {
  pano::SfmOptions options = command.options;
  options.cubemap_dir = folder(command.cubemap_dir, command.project, "03_cubemap", "--cubemap-dir");
  options.output_dir = folder(command.output_dir, command.project, "04_sfm", "--output-dir");
  options.rerun = command.rerun.rerun();
  const pano::SfmReport report = pano::sfm(options, stage_printer(common.json), cli::interruption());
  if (report.ran) {
    print_report(report, common.json);
    return cli::exit_ok;
  }
  const std::string scripts = fmt::format("sh {} (COLMAP 3.12 or later) or python3 {} (pycolmap 4 or later)",
                                          utf8(report.shell_script), utf8(report.python_script));
  if (!options.script_only) {
    throw Error(ErrorKind::input,
                "no COLMAP found: install it or name it by --colmap, or run where there is one: " + scripts);
  }
  if (common.json) {
    print_json(
        {{"event", "sfm"}, {"shellScript", utf8(report.shell_script)}, {"pythonScript", utf8(report.python_script)}});
  } else {
    log_info("[sfm] to run: {}", scripts);
  }
  return cli::exit_ok;
}

void add_dataset_options(CLI::App& app, DatasetCommand& command) {
  app.add_option("--dataset", command.formats, "Which datasets: colmap, nerfstudio, realityscan")
      ->option_text("A,B,…")
      ->capture_default_str();
  app.add_option("--colmap-model", command.colmap_form, "How the COLMAP model is written")
      ->option_text("binary|text")
      ->check(CLI::IsMember({"binary", "text"}).description(""))
      ->capture_default_str();
  app.add_option("--drop-faces", command.dropped, "Faces that trainers do not get, for example up")
      ->option_text("A,B,…");
}

CLI::App* add_dataset_command(CLI::App& app, DatasetCommand& command, cli::CommonOptions& common) {
  CLI::App* dataset = app.add_subcommand("dataset", "Write the reconstruction and faces as splat trainers read them");
  dataset->add_option("--project", command.project, "Folder that holds 03_cubemap and 04_sfm")->option_text("DIR");
  dataset->add_option("--cubemap-dir", command.cubemap_dir, "Folder of images/, cubemap.json and masks/")
      ->option_text("DIR");
  dataset->add_option("--model-dir", command.model_dir, "COLMAP model, or a folder of them, e.g. 04_sfm/sparse")
      ->option_text("DIR");
  dataset->add_option("--output-dir", command.output_dir, "Datasets go to DIR/colmap, DIR/nerfstudio, …")
      ->option_text("DIR");
  add_dataset_options(*dataset, command);
  dataset->add_flag("--force", command.rerun.force, "Write everything anew");
  dataset->add_flag("--update", command.rerun.update, "Write anew what other options change");
  cli::add_common_options(*dataset, common);
  return dataset;
}

int run_dataset_command(DatasetCommand& command, const cli::CommonOptions& common) {
  pano::DatasetOptions options = command.options;
  options.cubemap_dir = folder(command.cubemap_dir, command.project, "03_cubemap", "--cubemap-dir");
  options.model_dir = folder(command.model_dir, command.project, "04_sfm/sparse", "--model-dir");
  options.output_dir = folder(command.output_dir, command.project, "05_dataset", "--output-dir");
  options.rerun = command.rerun.rerun();
  options.text = command.colmap_form == "text";
  options.dropped_faces = list_from(command.dropped);
  options.colmap = options.nerfstudio = options.realityscan = false;
  for (const std::string& format : list_from(command.formats)) {
    bool* wanted = format == "colmap"        ? &options.colmap
                   : format == "nerfstudio"  ? &options.nerfstudio
                   : format == "realityscan" ? &options.realityscan
                                             : nullptr;
    if (wanted == nullptr) {
      throw Error(ErrorKind::usage, fmt::format("--dataset {}: there are colmap, nerfstudio and realityscan", format));
    }
    *wanted = true;
  }
  const pano::DatasetReport report = pano::dataset(options, stage_printer(common.json), cli::interruption());
  for (const pano::DatasetCheck& check : report.checks) {
    if (common.json) {
      print_json({{"event", "dataset"},
                  {"format", check.format},
                  {"images", check.images},
                  {"masks", check.masks},
                  {"points", check.points},
                  {"observations", check.observations},
                  {"outside", check.outside},
                  {"errorPx", check.error_px}});
    } else {
      log_info("[dataset] {}: {} images, {} masks, {} points; read back: {} observations, {} outside, {:.2f} px",
               check.format, check.images, check.masks, check.points, check.observations, check.outside,
               check.error_px);
    }
  }
  return cli::exit_ok;
}

}  // namespace imago
