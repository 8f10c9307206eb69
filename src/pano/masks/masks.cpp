#include "pano/masks/masks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <future>
#include <set>

#include "base/log.h"
#include "base/parallel.h"
#include "base/path_text.h"
#include "io/picture_reader.h"
#include "io/picture_writer.h"
#include "pano/masks/mask_files.h"
#include "pano/masks/mask_shapes.h"
#include "pano/masks/mask_time.h"
#include "pano/pano.h"
#include "pano/rig_files.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

constexpr double much_masked = 0.6;  // a frame of which more is masked is told: little is left to work with
constexpr int least_dilation_px = 3;
constexpr double dilation_of_width = 0.005;

// What every picture of a face needs to know.
struct FaceWork {
  std::optional<FaceView> view;
  std::vector<int> classes;
  int rotations = 1;
  bool is_down = false;
};

struct Stage {
  const MasksOptions& options;
  std::unique_ptr<nn::Segmenter> segmenter;  // none without a model
  std::map<std::string, FaceWork> faces;
  Plane8 nadir;  // 255 where the nadir image says ignore
  std::size_t notes_told = 0;
};

std::map<std::string, FaceView> views_of(const MasksOptions& options) {
  std::map<std::string, FaceView> views;
  const CubemapDescription description = read_cubemap_description(stage_folder_of(options.input_dir));
  for (const geometry::RigCamera& camera : description.rig.layout.cameras) {
    views[camera.name] = {camera.cam_from_pano, description.rig.focal_px(), description.rig.size};
  }
  return views;
}

bool needs_views(const MasksOptions& options) { return options.nadir_cone_deg > 0 || options.stitch_seam_deg > 0; }

void report_network(const nn::Segmenter& segmenter) {
  const nn::RuntimeInfo& runtime = segmenter.session().runtime();
  log_info("[masks] ONNX Runtime {} from {}, on {}", runtime.version, utf8(runtime.path),
           nn::name_of(segmenter.session().device()));
}

// Those that were not told yet.
void report_notes(Stage& stage) {
  const std::vector<std::string> notes = stage.segmenter->notes();
  for (; stage.notes_told < notes.size(); ++stage.notes_told) log_warn("[masks] {}", notes[stage.notes_told]);
}

Stage prepare_stage(const MasksOptions& options, const std::set<std::string>& faces) {
  for (const auto& [face, classes] : options.face_classes) {
    if (!faces.contains(face)) {
      throw Error(ErrorKind::usage,
                  fmt::format("--mask-face-classes {}: there is no such face in {}", face, utf8(options.input_dir)));
    }
  }
  Stage stage{options, nullptr, {}, {}, 0};
  if (!options.model.empty()) {
    stage.segmenter = std::make_unique<nn::Segmenter>(options.model, options.segmenter);
  }
  std::map<std::string, FaceView> views;
  if (needs_views(options)) views = views_of(options);
  for (const std::string& face : faces) {
    FaceWork& work = stage.faces[face];
    if (const auto view = views.find(face); view != views.end()) work.view = view->second;
    if (stage.segmenter != nullptr) {
      const auto own = options.face_classes.find(face);
      work.classes =
          class_ids(own == options.face_classes.end() ? options.classes : own->second, stage.segmenter->model());
    }
    work.is_down = face == "down";
    if (work.is_down || face == "up") work.rotations = options.rotations;
  }
  if (!options.nadir_image.empty()) stage.nadir = read_ignored(options.nadir_image);
  if (stage.segmenter != nullptr) {
    report_network(*stage.segmenter);
    report_notes(stage);
  }
  return stage;
}

// --- One frame ------------------------------------------------------------------------------------------------------

struct Prepared {
  fs::path input;
  std::string face;
  int width = 0;
  int height = 0;
  Rgba8 picture;                           // empty where nobody looks at it again
  std::vector<nn::SegmenterInput> inputs;  // one a rotation
  std::optional<Error> error;
};

Prepared prepare(const Stage& stage, const fs::path& input) {
  Prepared out{input, face_of(stage.options.input_dir, input), 0, 0, {}, {}, std::nullopt};
  try {
    out.picture = io::read_rgba8(input);
    out.width = out.picture.width;
    out.height = out.picture.height;
    if (stage.segmenter == nullptr) return out;
    const int rotations = stage.faces.at(out.face).rotations;
    for (int turn = 0; turn < 4; turn += 4 / rotations) {
      out.inputs.push_back(turn == 0 ? stage.segmenter->prepare(out.picture)
                                     : stage.segmenter->prepare(turned(out.picture, turn)));
    }
    if (!stage.options.overlays && stage.options.overexposed_level == 0) out.picture = {};
  } catch (const Error& error) {
    out.error = error;
  } catch (const std::bad_alloc&) {
    out.error = Error(ErrorKind::memory, utf8(input) + ": out of memory");
  }
  return out;
}

std::vector<Prepared> prepare_frame(const Stage& stage, const StageItem& item) {
  std::vector<Prepared> out(item.inputs.size());
  parallel_for(static_cast<int>(item.inputs.size()), 1, [&](RowRange range) {
    for (int i = range.begin; i < range.end; ++i) {
      const auto index = static_cast<std::size_t>(i);
      out[index] = prepare(stage, item.inputs[index]);
    }
  });
  return out;
}

// What the network said, batch by batch, and which input of which batch belongs to which picture.
struct Answers {
  std::vector<std::vector<nn::Tensor>> batches;
  struct Place {
    std::size_t batch = 0;
    int index = 0;
  };
  std::vector<std::vector<Place>> places;  // of each picture, each rotation
  std::string device;                      // what really ran
  double run_ms = 0;
};

// The numbers of an input are let go as soon as they were run.
Answers ask(Stage& stage, std::vector<Prepared>& frame) {
  Answers answers;
  answers.places.resize(frame.size());
  if (stage.segmenter == nullptr) return answers;
  std::vector<nn::SegmenterInput*> batch;
  const auto flush = [&] {
    if (batch.empty()) return;
    const auto start = Clock::now();
    answers.batches.push_back(stage.segmenter->run(std::vector<const nn::SegmenterInput*>(batch.begin(), batch.end())));
    answers.run_ms += ms_since(start);
    for (nn::SegmenterInput* input : batch) input->values = {};
    batch.clear();
  };
  for (std::size_t i = 0; i < frame.size(); ++i) {
    for (nn::SegmenterInput& input : frame[i].inputs) {
      const bool fits = batch.empty() ||
                        (batch.front()->box.width == input.box.width && batch.front()->box.height == input.box.height);
      if (!fits) flush();
      answers.places[i].push_back({answers.batches.size(), static_cast<int>(batch.size())});
      batch.push_back(&input);
      if (static_cast<int>(batch.size()) == stage.segmenter->batch()) flush();
    }
  }
  flush();
  report_notes(stage);  // a device that was given up in this run
  answers.device = nn::name_of(stage.segmenter->session().device());
  return answers;
}

struct Masked {
  Plane8 mask;
  int found = 0;
};

Masked mask_of(const Stage& stage, const Prepared& prepared, const Answers& answers, std::size_t picture) {
  const MasksOptions& options = stage.options;
  const FaceWork& work = stage.faces.at(prepared.face);
  Masked out{Plane8(prepared.width, prepared.height), 0};
  std::fill(out.mask.pixels.begin(), out.mask.pixels.end(), std::uint8_t{0});
  for (std::size_t r = 0; r < answers.places[picture].size(); ++r) {
    const Answers::Place place = answers.places[picture][r];
    const nn::SegmenterResult result =
        stage.segmenter->result(answers.batches[place.batch], place.index, prepared.inputs[r], work.classes);
    const int turn = static_cast<int>(r) * 4 / work.rotations;
    if (turn == 0) {
      add_to(out.mask, result.mask);
    } else {
      add_to(out.mask, turned(result.mask, 4 - turn));
    }
    out.found = std::max(out.found, static_cast<int>(result.detections.size()));
  }
  if (options.overexposed_level > 0) add_overexposed(out.mask, prepared.picture, options.overexposed_level);
  dilate(out.mask, options.dilate_px.value_or(
                       std::max(least_dilation_px, static_cast<int>(dilation_of_width * prepared.width + 0.5))));
  if (work.view && work.view->size == prepared.width && work.view->size == prepared.height) {
    add_nadir_cone(out.mask, *work.view, options.nadir_cone_deg);
    add_stitch_seam(out.mask, *work.view, options.stitch_seam_deg);
  }
  if (work.is_down && !stage.nadir.empty()) add_to(out.mask, fitted(stage.nadir, out.mask.width, out.mask.height));
  return out;
}

ItemResult finish_frame(const Stage& stage, const std::vector<Prepared>& frame, const Answers& answers,
                        const fs::path& output_dir) {
  const auto start = Clock::now();
  ItemResult result;
  nlohmann::json faces = nlohmann::json::object();
  double covered = 0;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const Prepared& prepared = frame[i];
    Masked masked = mask_of(stage, prepared, answers, i);
    const double coverage = coverage_of(masked.mask);
    covered += coverage / static_cast<double>(frame.size());
    faces[prepared.face.empty() ? "." : prepared.face] = {{"coverage", coverage}, {"found", masked.found}};
    if (stage.options.overlays) {
      write_overlay(overlay_path(stage.options.output_dir, prepared.face, prepared.input),
                    overlay(prepared.picture, masked.mask));
    }
    to_file_convention(masked.mask);
    const fs::path path = mask_path(output_dir, prepared.face, prepared.input);
    write_mask(path, masked.mask);
    result.outputs.push_back(path);
  }
  result.details = {{"coverage", covered}, {"faces", faces}};
  if (!answers.device.empty()) result.details["device"] = answers.device;
  if (covered > much_masked) {
    result.details["warning"] = fmt::format("{:.0f} % of the frame is masked", 100 * covered);
  }
  result.timing_ms = {{"run", answers.run_ms}, {"assemble", ms_since(start)}};
  return result;
}

// --- The stage ------------------------------------------------------------------------------------------------------

nlohmann::json parameters_of(const MasksOptions& options) {
  nlohmann::json parameters = {{"classes", options.classes},
                               {"confidence", options.segmenter.detection.confidence},
                               {"iou", options.segmenter.detection.iou},
                               {"imageSize", options.segmenter.image_size},
                               {"nadirCone", options.nadir_cone_deg},
                               {"stitchSeam", options.stitch_seam_deg},
                               {"overexposed", options.overexposed_level},
                               {"rotations", options.rotations}};
  parameters["model"] = options.model.empty() ? "none" : hash_text(content_hash(options.model));
  if (options.dilate_px) parameters["dilate"] = *options.dilate_px;
  if (!options.nadir_image.empty()) parameters["nadirImage"] = hash_text(content_hash(options.nadir_image));
  for (const auto& [face, classes] : options.face_classes) parameters["classes:" + face] = classes;
  return parameters;
}

void report_coverage(const StageItem& item, const ItemResult& result) {
  if (result.details.contains("warning")) {
    log_warn("[masks] {}: {}", item.name, result.details["warning"].get<std::string>());
  }
}

// Three frames are alive: one is prepared and one finished while the network looks at the one between.
StageSummary run_network(Stage& stage, const fs::path& output_dir, StageRun& run, const CancelToken& cancel) {
  const std::vector<StageItem>& pending = run.pending();
  std::future<std::vector<Prepared>> next;
  std::future<void> finishing;
  const auto prepare_at = [&](std::size_t i) {
    return std::async(std::launch::async, [&, i] { return prepare_frame(stage, pending[i]); });
  };
  for (std::size_t i = 0; i < pending.size(); ++i) {
    auto frame = std::make_shared<std::vector<Prepared>>(next.valid() ? next.get() : prepare_frame(stage, pending[i]));
    cancel.throw_if_cancelled();
    if (i + 1 < pending.size()) next = prepare_at(i + 1);
    const auto broken =
        std::find_if(frame->begin(), frame->end(), [](const Prepared& p) { return p.error.has_value(); });
    if (broken != frame->end()) {
      run.failed(pending[i], *broken->error);
      continue;
    }
    auto answers = std::make_shared<Answers>(ask(stage, *frame));
    if (finishing.valid()) finishing.get();
    finishing = std::async(std::launch::async, [&, i, frame, answers] {
      const ItemResult result = finish_frame(stage, *frame, *answers, output_dir);
      report_coverage(pending[i], result);
      run.done(pending[i], result);
    });
  }
  if (finishing.valid()) finishing.get();
  return run.finish();
}

}  // namespace

std::vector<int> class_ids(const std::vector<std::string>& names, const nn::SegmentationModel& model) {
  static const std::map<std::string, std::vector<std::string>> presets = {
      {"operator", {"person", "backpack", "handbag", "suitcase", "umbrella", "cell phone"}},
      {"traffic", {"person", "bicycle", "car", "motorcycle", "bus", "truck"}}};
  std::set<int> ids;
  const auto add = [&](const std::string& name, bool needed) {
    for (const auto& [id, known] : model.names) {
      if (known == name) {
        ids.insert(id);
        return;
      }
    }
    if (!needed) return;
    std::string list;
    for (const auto& [id, known] : model.names) list += (list.empty() ? "" : ", ") + known;
    throw Error(ErrorKind::usage, fmt::format("--mask-classes {}: the model has no such class ({})", name,
                                              list.empty() ? "it names none: give numbers" : list));
  };
  for (const std::string& name : names) {
    if (!name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c) != 0; })) {
      ids.insert(std::atoi(name.c_str()));
    } else if (const auto preset = presets.find(name); preset != presets.end()) {
      for (const std::string& part : preset->second) add(part, false);  // those that the model knows
    } else if (name == "person" && model.names.empty() && model.kind == nn::SegmentationKind::rf_detr) {
      ids.insert(1);  // COCO's own numbering
    } else {
      add(name, true);
    }
  }
  return {ids.begin(), ids.end()};
}

StageSummary masks(const MasksOptions& options, const StageListener& listener, const CancelToken& cancel) {
  std::error_code ignored;
  if (!options.model.empty() && !fs::is_regular_file(options.model, ignored)) {
    throw Error(ErrorKind::model, fmt::format("--mask-model {}: there is no such model file", utf8(options.model)));
  }
  const std::vector<StageItem> items = frames_of(options.input_dir);
  std::set<std::string> faces;
  for (const StageItem& item : items) {
    for (const fs::path& input : item.inputs) faces.insert(face_of(options.input_dir, input));
  }
  const bool in_time = options.vote_share > 0 || options.temporal > 0;
  const fs::path first_dir = in_time ? base_dir_of(options.output_dir) : options.output_dir;
  const StageOptions first{mask_stage_folder(first_dir), "masks", mask_manifest_name(first_dir), options.rerun,
                           options.shard};
  const nlohmann::json parameters = parameters_of(options);
  Stage stage = prepare_stage(options, faces);
  make_mask_folders(first_dir, faces);
  StageRun run(first, parameters, items, listener);
  const StageSummary summary = run_network(stage, first_dir, run, cancel);
  // A shard cannot look at its neighbours: the pass over time is left to a run without --shard.
  if (!in_time || options.shard.count > 1 || summary.failed > 0) return summary;
  return masks_over_time(options, items, listener, cancel);
}

}  // namespace imago::pano
