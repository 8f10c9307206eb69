#include "cubemap_command.h"

#include <fmt/format.h>

#include <charconv>
#include <map>

#include "base/path_text.h"
#include "pano/rig_files.h"

namespace imago {
namespace {

int face_size_from_text(const std::string& text) {
  if (text == "auto") return 0;
  if (text == "native") return -1;
  int size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || end != text.data() + text.size() || size < 1) {
    throw Error(ErrorKind::usage, "--face-size " + text + ": give auto, native or a number of pixels");
  }
  return size;
}

geometry::RigLayout layout_from(const CubemapCommand& command) {
  if (const auto layout = geometry::rig_layout_from_name(command.layout)) return *layout;
  const auto path = path_from_utf8(command.layout);
  if (path.extension() == ".json") return pano::read_layout_file(path);
  throw Error(ErrorKind::usage,
              fmt::format("--layout {}: there are cube6, ring, ring:N, colmap12 and files .json", command.layout));
}

}  // namespace

void add_cubemap_options(CLI::App& app, CubemapCommand& command) {
  pano::CubemapOptions& options = command.options;
  app.add_option("--layout", command.layout,
                 "Which views are cut: cube6 (front right back left up down), ring or ring:N (around the horizon), "
                 "colmap12 (those of COLMAP's panorama_sfm), or a JSON file of your own")
      ->option_text("NAME|FILE.json")
      ->capture_default_str();
  app.add_option("--fov", command.fov_deg,
                 "Field of view of a face in degrees (default: 96 for cube6, so that neighbours overlap, else 90)")
      ->option_text("DEG")
      ->check(CLI::Range(10.0, 170.0).description(""));
  app.add_option("--faces", command.faces, "Only these faces of the layout, for example front,right,back,left")
      ->option_text("A,B,…");
  app.add_option("--yaw", options.yaw_deg, "Turn the whole rig to the right")->option_text("DEG");
  app.add_option("--face-size", command.face_size,
                 "Pixels of a face's edge; auto: the density of a quarter of the width at 90 degrees, native: the "
                 "panorama's own density in the middle of a face")
      ->option_text("auto|native|N")
      ->capture_default_str();
  std::map<std::string, pano::Filter> filters;
  for (std::size_t i = 0; i < pano::filter_names.size(); ++i) {
    filters.emplace(pano::filter_names[i], static_cast<pano::Filter>(i));
  }
  add_choice(app, "--filter", options.filter, filters,
             "aniso follows each pixel's footprint and does not alias, lanczos is the sharpest")
      ->default_str("aniso");
  add_choice<pano::FaceFormat>(
      app, "--format", options.format,
      {{"jpg", pano::FaceFormat::jpg}, {"png", pano::FaceFormat::png}, {"png16", pano::FaceFormat::png16}},
      "File format of the faces; png16 keeps 16 bits")
      ->default_str("jpg");
  app.add_flag("--linear-light", options.linear_light,
               "Resample light instead of codes, so that small lights keep their brightness (on the CPU)");
  app.add_option("--quality", options.quality, "JPEG quality")
      ->option_text("1..100")
      ->check(CLI::Range(1, 100).description(""))
      ->capture_default_str();
}

CLI::App* add_cubemap_command(CLI::App& app, CubemapCommand& command, cli::CommonOptions& common) {
  CLI::App* cubemap = app.add_subcommand("cubemap", "Cut equirectangular panoramas into the faces of a camera rig");
  add_project_options(*cubemap, command.folders, "Folder of 2:1 panoramas (.jpg, .png, .tif)",
                      "Faces go to DIR/<face>/<frame>.jpg, e.g. 03_cubemap/images");
  add_cubemap_options(*cubemap, command);
  add_rerun_options(*cubemap, command.rerun);
  cli::add_backend_option(*cubemap, common);
  cli::add_common_options(*cubemap, common);
  return cubemap;
}

int run_cubemap_command(CubemapCommand& command, const cli::CommonOptions& common) {
  pano::CubemapOptions& options = command.options;
  options.input_dir = command.folders.input("02_equirect/images");
  options.output_dir = command.folders.output("03_cubemap/images");
  options.backend = common.backend;
  options.face_size = face_size_from_text(command.face_size);
  options.layout = layout_from(command);
  if (!command.faces.empty()) options.layout = pano::with_faces(options.layout, command.faces);
  options.fov_deg = command.fov_deg.value_or(options.layout.default_fov_deg);
  options.rerun = command.rerun.rerun();
  options.shard = command.rerun.parsed_shard();
  cli::require_gpu(common.backend);
  return stage_exit_code(pano::cubemap(options, stage_printer(common.json), cli::interruption()));
}

}  // namespace imago
