#include "masks_command.h"

#include <fmt/format.h>

#include "base/environment.h"
#include "base/path_text.h"
#include "pano/masks/masks.h"

namespace imago {
namespace {

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts;
  std::string part;
  for (const char c : list + ",") {
    if (c != ',') {
      part += c;
      continue;
    }
    const std::size_t first = part.find_first_not_of(' ');
    if (first != std::string::npos) parts.push_back(part.substr(first, part.find_last_not_of(' ') - first + 1));
    part.clear();
  }
  return parts;
}

// ~/.cache/pipeline_360/migraphx; nothing where no home is known.
std::filesystem::path default_ep_cache() {
  if (const auto cache = read_env("XDG_CACHE_HOME")) return path_from_utf8(*cache) / "pipeline_360" / "migraphx";
  if (const auto home = read_env("HOME")) return path_from_utf8(*home) / ".cache" / "pipeline_360" / "migraphx";
  return {};
}

nn::Device device_from(const std::string& name) {
  if (const auto device = nn::device_from_name(name)) return *device;
  throw Error(ErrorKind::usage,
              fmt::format("--mask-device {}: there are rocm, cpu, cuda, tensorrt, openvino, webgpu, coreml, directml "
                          "and auto",
                          name));
}

pano::MasksOptions options_from(const MasksCommand& command) {
  pano::MasksOptions options;
  options.input_dir = command.folders.input("03_cubemap/images");
  options.output_dir = command.folders.output("03_cubemap/masks");
  options.model = path_from_utf8(command.model);
  options.segmenter.session.device = device_from(command.device);
  options.segmenter.session.strict = command.device_strict;
  options.segmenter.session.cache_folder =
      command.ep_cache.empty() ? default_ep_cache() : path_from_utf8(command.ep_cache);
  options.segmenter.image_size = command.image_size;
  options.segmenter.detection.confidence = static_cast<float>(command.confidence);
  options.segmenter.detection.iou = static_cast<float>(command.iou);
  options.classes = parts_of(command.classes);
  for (const std::string& entry : command.face_classes) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error(ErrorKind::usage, fmt::format("--mask-face-classes {}: give FACE=CLASS,…", entry));
    }
    options.face_classes[entry.substr(0, equals)] = parts_of(entry.substr(equals + 1));
  }
  options.dilate_px = command.dilate_px;
  options.nadir_cone_deg = command.nadir_cone_deg;
  options.nadir_image = path_from_utf8(command.nadir_image);
  options.stitch_seam_deg = command.stitch_seam_deg;
  options.overexposed_level = command.overexposed;
  options.rotations = command.rotations;
  options.vote_share = command.vote;
  options.temporal = command.temporal;
  options.overlays = command.overlay;
  options.rerun = command.rerun.rerun();
  options.shard = command.rerun.parsed_shard();
  return options;
}

void add_model_options(CLI::App& app, MasksCommand& command) {
  app.add_option("--mask-model", command.model,
                 "Segmentation network as ONNX file: YOLOv8-seg, YOLO11-seg, YOLO26-seg, RF-DETR-seg. Without one only "
                 "the other masks are made")
      ->option_text("FILE.onnx");
  app.add_option("--mask-device", command.device,
                 "Where the network runs; rocm is AMD's MIGraphX. One that cannot be had is told, and the CPU goes on")
      ->option_text("rocm|cpu|cuda|tensorrt|openvino|webgpu|coreml|directml|auto")
      ->capture_default_str();
  app.add_flag("--mask-device-strict", command.device_strict, "A device that cannot be had is an error");
  app.add_option("--mask-ep-cache", command.ep_cache,
                 "Where compiled networks are kept (default: ~/.cache/pipeline_360/migraphx)")
      ->option_text("DIR");
  app.add_option("--mask-imgsz", command.image_size,
                 "Edge of the network's input in pixels (default: the model's, else 640)")
      ->option_text("N")
      ->check(CLI::Range(32, 8192).description(""));
  app.add_option("--mask-confidence", command.confidence, "Least score of what is masked")
      ->option_text("0..1")
      ->check(CLI::Range(0.0, 1.0).description(""))
      ->capture_default_str();
  app.add_option("--mask-iou", command.iou, "Two finds of a class that overlap by more are one")
      ->option_text("0..1")
      ->check(CLI::Range(0.0, 1.0).description(""))
      ->capture_default_str();
}

void add_mask_options(CLI::App& app, MasksCommand& command) {
  app.add_option("--mask-classes", command.classes,
                 "What is masked: names or numbers of the model's classes, and operator (a person with bags and "
                 "umbrella) or traffic (people and vehicles)")
      ->option_text("A,B,…")
      ->capture_default_str();
  app.add_option("--mask-face-classes", command.face_classes, "Other classes for one face; repeatable")
      ->option_text("FACE=A,B,…");
  app.add_option("--mask-dilate", command.dilate_px,
                 "Grow masks by so many pixels (default: 0.5 % of the width, at least 3)")
      ->option_text("PX")
      ->check(CLI::Range(0, 1000).description(""));
  app.add_option("--mask-nadir", command.nadir_cone_deg, "Mask a cone straight down: its half angle in degrees")
      ->option_text("DEG")
      ->check(CLI::Range(0.0, 90.0).description(""));
  app.add_option("--mask-nadir-image", command.nadir_image, "Picture laid over the face down: black is masked")
      ->option_text("FILE");
  app.add_option("--mask-seam", command.stitch_seam_deg,
                 "Mask the seam between two lenses that look ahead and back: its half width in degrees")
      ->option_text("DEG")
      ->check(CLI::Range(0.0, 45.0).description(""));
  app.add_option("--mask-overexposed", command.overexposed, "Mask pixels whose three colours reach this level")
      ->option_text("1..255")
      ->check(CLI::Range(1, 255).description(""));
  app.add_option("--mask-rotations", command.rotations,
                 "Look at the faces up and down in so many turns: people seen from above are found better")
      ->option_text("1|2|4")
      ->check(CLI::IsMember({1, 2, 4}).description(""))
      ->capture_default_str();
  app.add_option("--mask-vote", command.vote,
                 "What is masked in more than this share of a face's frames is masked in all of them: the operator "
                 "below a camera on a stick")
      ->option_text("0..1")
      ->check(CLI::Range(0.0, 1.0).description(""));
  app.add_option("--mask-temporal", command.temporal, "1: what both neighbours in time have masked is masked")
      ->option_text("0|1")
      ->check(CLI::Range(0, 1).description(""));
  app.add_flag("--mask-overlay", command.overlay, "Also write pictures with the masks in red, to masks_overlay/");
}

}  // namespace

void add_masks_options(CLI::App& app, MasksCommand& command) {
  add_model_options(app, command);
  add_mask_options(app, command);
}

bool asks_for_masks(const MasksCommand& command) {
  return !command.model.empty() || command.nadir_cone_deg > 0 || !command.nadir_image.empty() ||
         command.stitch_seam_deg > 0 || command.overexposed > 0;
}

CLI::App* add_masks_command(CLI::App& app, MasksCommand& command, cli::CommonOptions& common) {
  CLI::App* masks = app.add_subcommand("masks", "Mask people, the operator and the tripod in the faces");
  add_project_options(*masks, command.folders, "Faces as <face>/<frame>.jpg, or pictures",
                      "Masks go to DIR/<face>/<frame>.jpg.png: 255 keep, 0 ignore");
  add_masks_options(*masks, command);
  add_rerun_options(*masks, command.rerun);
  cli::add_common_options(*masks, common);
  return masks;
}

int run_masks_command(const MasksCommand& command, const cli::CommonOptions& common) {
  return stage_exit_code(pano::masks(options_from(command), stage_printer(common.json), cli::interruption()));
}

}  // namespace imago
