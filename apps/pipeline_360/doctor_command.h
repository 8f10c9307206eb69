#pragma once

#include <string>

#include "stage_command.h"

namespace imago {

// pipeline_360 doctor: what this machine has for the pipeline, and what that means for speed.
struct DoctorCommand {
  std::string colmap;
};
CLI::App* add_doctor_command(CLI::App& app, DoctorCommand& command, cli::CommonOptions& common);
int run_doctor_command(const DoctorCommand& command, const cli::CommonOptions& common);

}  // namespace imago
