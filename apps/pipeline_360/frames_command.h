#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pano/frames.h"
#include "stage_command.h"

namespace imago {

// pipeline_360 frames: videos and photos to the panoramas of a project.
struct FramesCommand {
  std::string project, output_dir;
  std::vector<std::string> inputs;
  std::optional<double> every_s;
  std::string start, end, gpx, projection, fisheye_circle;
  pano::FramesOptions options;
  RerunOptions rerun;
};

void add_frames_options(CLI::App& app, FramesCommand& command);    // those that run has too
pano::FramesOptions frames_options(const FramesCommand& command);  // throws Error{usage}
CLI::App* add_frames_command(CLI::App& app, FramesCommand& command, cli::CommonOptions& common);
int run_frames_command(FramesCommand& command, const cli::CommonOptions& common);

}  // namespace imago
