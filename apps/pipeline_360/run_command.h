#pragma once

#include <string>
#include <vector>

#include "cubemap_command.h"
#include "equirect_command.h"
#include "frames_command.h"
#include "masks_command.h"
#include "sfm_command.h"

namespace imago {

// pipeline_360 run: all stages of a project, one after the other.
struct RunCommand {
  std::string project;
  FramesCommand frames;
  EquirectCommand equirect;
  CubemapCommand cubemap;
  MasksCommand masks;
  SfmCommand sfm;
  DatasetCommand dataset;
  std::string until;                   // last stage, "": all
  std::vector<std::string> arguments;  // the program's own, to be kept
  RerunOptions rerun;
};

CLI::App* add_run_command(CLI::App& app, RunCommand& command, cli::CommonOptions& common);
int run_run_command(RunCommand& command, const cli::CommonOptions& common);

// "run PROJECT" alone repeats what was asked for before: the arguments that pipeline.json keeps. Others are kept there.
// To be called with the program's own arguments before they are parsed.
std::vector<std::string> remembered_arguments(int argc, char** argv);

// pipeline_360 status, verify.
struct ProjectCommand {
  std::string project;
};
CLI::App* add_status_command(CLI::App& app, ProjectCommand& command, cli::CommonOptions& common);
int run_status_command(const ProjectCommand& command, const cli::CommonOptions& common);
CLI::App* add_verify_command(CLI::App& app, ProjectCommand& command, cli::CommonOptions& common);
int run_verify_command(const ProjectCommand& command, const cli::CommonOptions& common);

}  // namespace imago
