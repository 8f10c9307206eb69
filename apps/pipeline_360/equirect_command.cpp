#include "equirect_command.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

namespace imago {
namespace {

std::optional<std::array<double, 3>> three_numbers(const std::string& text) {
  std::array<double, 3> values{};
  char rest = 0;
  if (std::sscanf(text.c_str(), "%lf,%lf,%lf%c", &values[0], &values[1], &values[2], &rest) != 3) return std::nullopt;
  for (const double value : values) {
    if (!std::isfinite(value)) return std::nullopt;
  }
  return values;
}

void set_level(const std::string& text, pano::EquirectOptions& options) {
  constexpr std::string_view gravity = "gravity:";
  if (text == "none") return;
  if (text == "xmp") {
    options.level = pano::LevelSource::xmp;
  } else if (text == "exif") {
    options.level = pano::LevelSource::exif;
  } else if (const auto angles = three_numbers(text)) {
    options.level = pano::LevelSource::angles;
    options.angles = {(*angles)[0], (*angles)[1], (*angles)[2]};
  } else if (const auto down = text.starts_with(gravity) ? three_numbers(text.substr(gravity.size())) : std::nullopt;
             down && (*down)[0] * (*down)[0] + (*down)[1] * (*down)[1] + (*down)[2] * (*down)[2] > 1e-12) {
    options.level = pano::LevelSource::gravity;
    options.gravity = {(*down)[0], (*down)[1], (*down)[2]};
  } else {
    throw Error(ErrorKind::usage,
                fmt::format("--level {}: give none, xmp, exif, YAW,PITCH,ROLL or gravity:X,Y,Z", text));
  }
}

}  // namespace

void add_equirect_options(CLI::App& app, EquirectCommand& command) {
  app.add_option(
         "--level", command.level,
         "How the camera was held, to turn it upright: from GPano XMP, from EXIF, as angles in degrees (pitch + "
         "up, roll + clockwise), or as the direction of gravity (x right, y down, z ahead)")
      ->option_text("none|xmp|exif|YAW,PITCH,ROLL|gravity:X,Y,Z")
      ->capture_default_str();
  app.add_option("--heading", command.heading, "Bring north into the middle, by GPano XMP or EXIF")
      ->option_text("none|xmp|exif")
      ->check(CLI::IsMember({"none", "xmp", "exif"}).description(""))
      ->capture_default_str();
  app.add_option("--pano-yaw", command.yaw_deg, "Bring what lies so far to the right into the middle")
      ->option_text("DEG");
}

pano::EquirectOptions equirect_options(const EquirectCommand& command) {
  pano::EquirectOptions options = command.options;
  set_level(command.level, options);
  options.angles.yaw_deg += command.yaw_deg;
  options.heading = command.heading == "xmp"    ? pano::HeadingSource::xmp
                    : command.heading == "exif" ? pano::HeadingSource::exif
                                                : pano::HeadingSource::none;
  options.rerun = command.rerun.rerun();
  options.shard = command.rerun.parsed_shard();
  return options;
}

CLI::App* add_equirect_command(CLI::App& app, EquirectCommand& command, cli::CommonOptions& common) {
  CLI::App* equirect = app.add_subcommand("equirect", "Make frames upright, whole 2:1 panoramas");
  add_project_options(*equirect, command.folders, "Folder of frames", "Panoramas go to DIR, e.g. 02_equirect/images");
  add_equirect_options(*equirect, command);
  equirect->add_option("--quality", command.options.quality, "JPEG quality of panoramas that change")
      ->option_text("1..100")
      ->check(CLI::Range(1, 100).description(""))
      ->capture_default_str();
  add_rerun_options(*equirect, command.rerun);
  cli::add_common_options(*equirect, common);
  return equirect;
}

int run_equirect_command(EquirectCommand& command, const cli::CommonOptions& common) {
  pano::EquirectOptions options = equirect_options(command);
  options.input_dir = command.folders.input("01_frames/images");
  options.output_dir = command.folders.output("02_equirect/images");
  return stage_exit_code(pano::equirect(options, stage_printer(common.json), cli::interruption()));
}

}  // namespace imago
