#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stage_command.h"

namespace imago {

// pipeline_360 masks: what is to be ignored in each face (people, the operator, the tripod).
struct MasksCommand {
  StageFolders folders;
  std::string model;
  std::string device = "auto";
  bool device_strict = false;
  std::string ep_cache;
  int image_size = 0;
  std::string classes = "person";
  std::vector<std::string> face_classes;  // "down=person,umbrella"
  double confidence = 0.25;
  double iou = 0.7;
  std::optional<int> dilate_px;
  double nadir_cone_deg = 0;
  std::string nadir_image;
  double stitch_seam_deg = 0;
  int overexposed = 0;
  int rotations = 1;
  double vote = 0;
  int temporal = 0;
  bool overlay = false;
  RerunOptions rerun;
};
void add_masks_options(CLI::App& app, MasksCommand& command);  // those that run has too
bool asks_for_masks(const MasksCommand& command);              // a model, or a mask that needs none
CLI::App* add_masks_command(CLI::App& app, MasksCommand& command, cli::CommonOptions& common);
int run_masks_command(const MasksCommand& command, const cli::CommonOptions& common);

}  // namespace imago
