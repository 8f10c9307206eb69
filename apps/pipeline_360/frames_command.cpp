#include "frames_command.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/path_text.h"

namespace imago {
namespace {

pano::Fisheye fisheye_from(const FramesCommand& command) {
  pano::Fisheye fisheye = command.options.fisheye;
  if (command.fisheye_circle.empty()) return fisheye;
  char rest = 0;
  const int count = std::sscanf(command.fisheye_circle.c_str(), "%lf,%lf,%lf%c", &fisheye.centre_x, &fisheye.centre_y,
                                &fisheye.radius, &rest);
  if (count != 3 || !(fisheye.radius > 0)) {
    throw Error(ErrorKind::usage,
                fmt::format("--fisheye-circle {}: give X,Y,RADIUS in pixels of the left half", command.fisheye_circle));
  }
  return fisheye;
}

void add_conversion_options(CLI::App& app, FramesCommand& command) {
  app.add_option("--projection", command.projection,
                 "What the inputs show, instead of looking: equirect, squeezed, top-bottom, left-right, dual-fisheye")
      ->option_text("NAME");
  add_choice<pano::Eye>(app, "--eye", command.options.eye, {{"left", pano::Eye::left}, {"right", pano::Eye::right}},
                        "Which eye of a stereo panorama is taken")
      ->default_str("left");
  app.add_option("--fisheye-fov", command.options.fisheye.fov_deg,
                 "Field of view of each lens of a dual fisheye (default: where both lenses agree best)")
      ->option_text("DEG")
      ->check(CLI::Range(180.0, 280.0).description(""));
  app.add_option("--fisheye-circle", command.fisheye_circle,
                 "Centre and radius of the left lens's picture (default: from where it is not black)")
      ->option_text("X,Y,R");
  add_choice<pano::HdrPolicy>(app, "--hdr", command.options.hdr,
                              {{"tonemap", pano::HdrPolicy::tonemap}, {"refuse", pano::HdrPolicy::refuse}},
                              "What to do with HLG and PQ video")
      ->default_str("tonemap");
  app.add_option("--gpx", command.gpx, "GPS track of the video (default: <video>.gpx beside it)")->option_text("FILE");
  app.add_option("--gpx-offset", command.options.gpx_offset_s, "Seconds that the track's clock is ahead of the video's")
      ->option_text("S");
}

}  // namespace

void add_frames_options(CLI::App& app, FramesCommand& command) {
  pano::FramesOptions& options = command.options;
  app.add_option("--fps", options.frames_per_second, "Frames a second: the sharpest one of each 1/FPS seconds")
      ->option_text("FPS")
      ->check(CLI::Range(0.001, 1000.0).description(""))
      ->capture_default_str();
  app.add_option("--every", command.every_s, "The same, said as seconds from frame to frame")
      ->option_text("S")
      ->check(CLI::Range(0.001, 1e6).description(""));
  app.add_option("--count", options.count, "So many frames over the whole video")
      ->option_text("N")
      ->check(CLI::Range(1, 1000000).description(""));
  app.add_option("--start", command.start, "Leave out what comes before, as seconds or m:ss")->option_text("TIME");
  app.add_option("--end", command.end, "Leave out what comes after")->option_text("TIME");
  add_choice<pano::Select>(app, "--select", options.select,
                           {{"sharpest", pano::Select::sharpest}, {"first", pano::Select::first}},
                           "Which frame of each window")
      ->default_str("sharpest");
  app.add_option("--min-sharpness", options.min_sharpness,
                 "Drop frames less sharp than this share of those around them; 0 keeps all")
      ->option_text("SHARE")
      ->check(CLI::Range(0.0, 1.0).description(""))
      ->capture_default_str();
  app.add_option("--min-motion", options.min_motion,
                 "Drop frames that differ less than this (in 8-bit levels) from the one before; 0 keeps all")
      ->option_text("LEVELS")
      ->check(CLI::Range(0.0, 255.0).description(""))
      ->capture_default_str();
  add_conversion_options(app, command);
  add_choice<pano::FrameFormat>(app, "--frame-format", options.format,
                                {{"jpg", pano::FrameFormat::jpg}, {"png", pano::FrameFormat::png}},
                                "File format of frames that are not copied as they are")
      ->default_str("jpg");
  app.add_option("--frame-quality", options.quality, "JPEG quality of the frames")
      ->option_text("1..100")
      ->check(CLI::Range(1, 100).description(""))
      ->capture_default_str();
}

pano::FramesOptions frames_options(const FramesCommand& command) {
  pano::FramesOptions options = command.options;
  for (const std::string& input : command.inputs) options.inputs.push_back(path_from_utf8(input));
  if (command.every_s) options.frames_per_second = 1 / *command.every_s;
  if (!command.start.empty()) options.start_s = pano::seconds_from_text(command.start);
  if (!command.end.empty()) options.end_s = pano::seconds_from_text(command.end);
  if (options.end_s > 0 && options.end_s <= options.start_s) {
    throw Error(ErrorKind::usage, fmt::format("--end {} does not lie behind --start {}", command.end, command.start));
  }
  if (!command.gpx.empty()) options.gpx = path_from_utf8(command.gpx);
  if (!command.projection.empty()) {
    options.projection = pano::projection_from_name(command.projection);
    if (!options.projection) {
      throw Error(ErrorKind::usage, fmt::format("--projection {}: there are equirect, squeezed, top-bottom, left-right "
                                                "and dual-fisheye",
                                                command.projection));
    }
  }
  options.fisheye = fisheye_from(command);
  options.rerun = command.rerun.rerun();
  options.shard = command.rerun.parsed_shard();
  return options;
}

CLI::App* add_frames_command(CLI::App& app, FramesCommand& command, cli::CommonOptions& common) {
  CLI::App* frames = app.add_subcommand("frames", "Take sharp frames out of 360 degree videos, or photos as they are");
  frames->add_option("inputs", command.inputs, "Videos, panoramas, folders of both")->required()->option_text("INPUT…");
  frames->add_option("--project", command.project, "Frames go to DIR/01_frames/images")->option_text("DIR");
  frames->add_option("--output-dir", command.output_dir, "Frames go to DIR, e.g. 01_frames/images")->option_text("DIR");
  add_frames_options(*frames, command);
  add_rerun_options(*frames, command.rerun);
  cli::add_common_options(*frames, common);
  return frames;
}

int run_frames_command(FramesCommand& command, const cli::CommonOptions& common) {
  pano::FramesOptions options = frames_options(command);
  options.output_dir = StageFolders{command.project, "", command.output_dir}.output("01_frames/images");
  return stage_exit_code(pano::frames(options, stage_printer(common.json), cli::interruption()));
}

}  // namespace imago
