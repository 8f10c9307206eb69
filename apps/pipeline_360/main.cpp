#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/cli.h"
#include "cubemap_command.h"
#include "doctor_command.h"
#include "equirect_command.h"
#include "frames_command.h"
#include "imago_version.h"
#include "masks_command.h"
#include "run_command.h"
#include "sfm_command.h"

namespace imago {
namespace {

struct Commands {
  RunCommand run;
  FramesCommand frames;
  EquirectCommand equirect;
  CubemapCommand cubemap;
  MasksCommand masks;
  SfmCommand sfm;
  DatasetCommand dataset;
  ProjectCommand status, verify;
  DoctorCommand doctor;
};

int run_program(std::vector<std::string> arguments, const char* program) {
  CLI::App app{"360 degree panoramas and video to cubemap faces, masks and datasets for photogrammetry and splatting."};
  app.set_version_flag("--version", std::string("pipeline_360 ") + version);
  app.require_subcommand(1);
  cli::CommonOptions common;
  Commands c;
  c.run.arguments = arguments;
  const std::vector<std::pair<CLI::App*, std::function<int()>>> commands = {
      {add_run_command(app, c.run, common), [&] { return run_run_command(c.run, common); }},
      {add_frames_command(app, c.frames, common), [&] { return run_frames_command(c.frames, common); }},
      {add_equirect_command(app, c.equirect, common), [&] { return run_equirect_command(c.equirect, common); }},
      {add_cubemap_command(app, c.cubemap, common), [&] { return run_cubemap_command(c.cubemap, common); }},
      {add_masks_command(app, c.masks, common), [&] { return run_masks_command(c.masks, common); }},
      {add_sfm_command(app, c.sfm, common), [&] { return run_sfm_command(c.sfm, common); }},
      {add_dataset_command(app, c.dataset, common), [&] { return run_dataset_command(c.dataset, common); }},
      {add_status_command(app, c.status, common), [&] { return run_status_command(c.status, common); }},
      {add_verify_command(app, c.verify, common), [&] { return run_verify_command(c.verify, common); }},
      {add_doctor_command(app, c.doctor, common), [&] { return run_doctor_command(c.doctor, common); }}};
  std::vector<char*> argv = {const_cast<char*>(program)};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  return cli::run_main(app, static_cast<int>(argv.size()), argv.data(), common, [&] {
    for (const auto& [command, work] : commands) {
      if (command->parsed()) return work();
    }
    return static_cast<int>(cli::exit_usage);
  });
}

}  // namespace
}  // namespace imago

int main(int argc, char** argv) {
  try {
    return imago::run_program(imago::remembered_arguments(argc, argv), argv[0]);
  } catch (const imago::Error& error) {  // of the remembered arguments
    std::cerr << "error: " << error.what() << '\n';
    return imago::cli::exit_code_of(error.kind);
  }
}
