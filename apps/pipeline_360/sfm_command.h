#pragma once

#include <string>

#include "pano/dataset.h"
#include "pano/sfm.h"
#include "stage_command.h"

namespace imago {

// pipeline_360 sfm: camera poses by the user's COLMAP.
struct SfmCommand {
  std::string project, cubemap_dir, output_dir;
  pano::SfmOptions options;
  RerunOptions rerun;
};

void add_sfm_options(CLI::App& app, SfmCommand& command);  // those that run has too
CLI::App* add_sfm_command(CLI::App& app, SfmCommand& command, cli::CommonOptions& common);
int run_sfm_command(SfmCommand& command, const cli::CommonOptions& common);

// pipeline_360 dataset: what trainers read.
struct DatasetCommand {
  std::string project, cubemap_dir, model_dir, output_dir;
  std::string formats = "colmap,nerfstudio";
  std::string colmap_form = "binary";
  std::string dropped;
  pano::DatasetOptions options;
  RerunOptions rerun;
};

void add_dataset_options(CLI::App& app, DatasetCommand& command);
CLI::App* add_dataset_command(CLI::App& app, DatasetCommand& command, cli::CommonOptions& common);
int run_dataset_command(DatasetCommand& command, const cli::CommonOptions& common);

}  // namespace imago
