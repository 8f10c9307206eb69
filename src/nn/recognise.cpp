#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "base/error.h"
#include "nn/segmentation.h"

namespace imago::nn {
namespace {

constexpr int most_finished_detections = 1000;

std::string shape_text(const Port& port) {
  std::string text;
  for (const std::int64_t n : port.shape) text += (text.empty() ? "" : "×") + (n < 0 ? "?" : std::to_string(n));
  return port.name + " [" + text + "]";
}

std::string outputs_text(const std::vector<Port>& outputs) {
  std::string text;
  for (const Port& port : outputs) text += (text.empty() ? "" : ", ") + shape_text(port);
  return text;
}

[[noreturn]] void refuse(const std::string& why, const std::vector<Port>& outputs) {
  throw Error(ErrorKind::model,
              fmt::format("not a segmentation model: {}; export the segmentation one (for example yolo11x-seg.pt, not "
                          "yolo11x.pt). Its outputs are {}",
                          why, outputs_text(outputs)));
}

std::string value_of(const std::map<std::string, std::string>& metadata, const char* key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? "" : found->second;
}

int size_of(std::int64_t n) { return n < 0 ? 0 : static_cast<int>(std::min<std::int64_t>(n, 1 << 20)); }

int index_of(const std::vector<Port>& ports, std::size_t rank) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i].shape.size() == rank && ports[i].element != Element::other) return static_cast<int>(i);
  }
  return -1;
}

int index_of(const std::vector<Port>& ports, const std::string& name) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

// By names, and for versions that call the masks by a number, by ranks.
std::optional<SegmentationModel> as_rf_detr(const std::vector<Port>& outputs) {
  SegmentationModel model;
  model.kind = SegmentationKind::rf_detr;
  model.detections_output = index_of(outputs, "dets");
  model.logits_output = index_of(outputs, "labels");
  model.prototypes_output = index_of(outputs, "masks");
  if (model.prototypes_output < 0) model.prototypes_output = index_of(outputs, std::size_t{4});
  if (model.detections_output < 0) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto& shape = outputs[i].shape;
      if (shape.size() == 3 && shape[2] == 4) model.detections_output = static_cast<int>(i);
      if (shape.size() == 3 && shape[2] > 4) model.logits_output = static_cast<int>(i);
    }
  }
  if (model.detections_output < 0 || model.logits_output < 0 || model.prototypes_output < 0) return std::nullopt;
  const auto& boxes = outputs[static_cast<std::size_t>(model.detections_output)].shape;
  if (boxes.size() != 3 || boxes[2] != 4) return std::nullopt;
  const auto& logits = outputs[static_cast<std::size_t>(model.logits_output)].shape;
  if (logits.size() != 3) return std::nullopt;
  model.classes = size_of(logits[2]);
  return model;
}

// COCO's own numbering, which leaves eleven numbers between 1 and 90 out: RF-DETR's official weights count so.
std::map<int, std::string> sparse_coco_names() {
  constexpr std::array left_out = {12, 26, 29, 30, 45, 66, 68, 69, 71, 83};
  std::map<int, std::string> names;
  int number = 0;
  for (const auto& [id, name] : coco_names()) {
    do ++number;
    while (std::find(left_out.begin(), left_out.end(), number) != left_out.end());
    names[number] = name;
  }
  return names;
}

bool is_true(const std::string& text) { return text == "True" || text == "true" || text == "1"; }

void recognise_yolo(const std::vector<Port>& outputs, const std::map<std::string, std::string>& metadata,
                    SegmentationModel& model) {
  model.prototypes_output = index_of(outputs, std::size_t{4});
  model.detections_output = index_of(outputs, std::size_t{3});
  if (model.prototypes_output < 0) refuse("there are no mask prototypes among its outputs", outputs);
  if (model.detections_output < 0) refuse("there are no detections among its outputs", outputs);
  const auto& prototypes = outputs[static_cast<std::size_t>(model.prototypes_output)].shape;
  const auto& detections = outputs[static_cast<std::size_t>(model.detections_output)].shape;
  model.coefficients = size_of(prototypes[1]);
  if (model.coefficients == 0) refuse("the number of its mask prototypes is not fixed", outputs);
  const int rows = size_of(detections[1]);
  const int columns = size_of(detections[2]);
  const int named = static_cast<int>(model.names.size());
  const auto is_classic = [&](int size) {
    const int classes = size - 4 - model.coefficients;
    return size > 0 && classes > 0 && (named == 0 || classes == named);
  };
  // A transposed layout of two classes has as many columns as finished detections have; those are never so many.
  const bool many = rows > most_finished_detections && is_classic(columns);
  if (is_true(value_of(metadata, "end2end")) || (columns == 6 + model.coefficients && !many)) {
    model.kind = SegmentationKind::end_to_end;
    model.classes = named;
  } else if (is_classic(rows) && (columns == 0 || rows < columns || !is_classic(columns))) {
    model.kind = SegmentationKind::classic;
    model.classes = rows - 4 - model.coefficients;
  } else if (is_classic(columns)) {
    model.kind = SegmentationKind::transposed;
    model.classes = columns - 4 - model.coefficients;
  } else {
    refuse("its outputs have no shape that is known", outputs);
  }
}

}  // namespace

SegmentationModel recognise(const std::vector<Port>& inputs, const std::vector<Port>& outputs,
                            const std::map<std::string, std::string>& metadata) {
  if (const std::string task = value_of(metadata, "task"); !task.empty() && task != "segment") {
    refuse("its task is '" + task + "'", outputs);
  }
  const bool takes_pictures = inputs.size() == 1 && inputs[0].shape.size() == 4 &&
                              inputs[0].element != Element::other &&
                              (inputs[0].shape[1] == 3 || inputs[0].shape[1] < 0);
  if (!takes_pictures) {
    throw Error(ErrorKind::model, fmt::format("not a segmentation model: it does not take pictures of three colours "
                                              "(its inputs are {})",
                                              outputs_text(inputs)));
  }
  SegmentationModel model;
  const std::map<int, std::string> names = names_from_text(value_of(metadata, "names"));
  if (const auto rf_detr = as_rf_detr(outputs)) {
    model = *rf_detr;
    model.names = names;
    if (names.empty() && (model.classes == 90 || model.classes == 91)) model.names = sparse_coco_names();
  } else {
    model.names = names;
    recognise_yolo(outputs, metadata, model);
    if (model.names.empty() && (model.classes == 80 || model.classes == 0)) model.names = coco_names();
  }
  model.batch = size_of(inputs[0].shape[0]);
  model.input_height = size_of(inputs[0].shape[2]);
  model.input_width = size_of(inputs[0].shape[3]);
  return model;
}

std::map<int, std::string> names_from_text(const std::string& text) {
  std::map<int, std::string> names;
  std::size_t at = text.find('{');
  while (at != std::string::npos && at + 1 < text.size()) {
    const std::size_t digit = text.find_first_of("0123456789", at + 1);
    const std::size_t colon = text.find(':', at + 1);
    if (digit == std::string::npos || colon == std::string::npos || digit > colon) break;
    const std::size_t open = text.find_first_of("'\"", colon);
    if (open == std::string::npos) break;
    std::size_t close = open + 1;
    std::string name;
    while (close < text.size() && text[close] != text[open]) {
      if (text[close] == '\\' && close + 1 < text.size()) ++close;
      name += text[close++];
    }
    if (close >= text.size()) break;
    names[std::atoi(text.c_str() + digit)] = name;
    at = text.find(',', close);
  }
  return names;
}

const std::map<int, std::string>& coco_names() {
  static const std::map<int, std::string> names = [] {
    constexpr const char* list[] = {"person",        "bicycle",      "car",
                                    "motorcycle",    "airplane",     "bus",
                                    "train",         "truck",        "boat",
                                    "traffic light", "fire hydrant", "stop sign",
                                    "parking meter", "bench",        "bird",
                                    "cat",           "dog",          "horse",
                                    "sheep",         "cow",          "elephant",
                                    "bear",          "zebra",        "giraffe",
                                    "backpack",      "umbrella",     "handbag",
                                    "tie",           "suitcase",     "frisbee",
                                    "skis",          "snowboard",    "sports ball",
                                    "kite",          "baseball bat", "baseball glove",
                                    "skateboard",    "surfboard",    "tennis racket",
                                    "bottle",        "wine glass",   "cup",
                                    "fork",          "knife",        "spoon",
                                    "bowl",          "banana",       "apple",
                                    "sandwich",      "orange",       "broccoli",
                                    "carrot",        "hot dog",      "pizza",
                                    "donut",         "cake",         "chair",
                                    "couch",         "potted plant", "bed",
                                    "dining table",  "toilet",       "tv",
                                    "laptop",        "mouse",        "remote",
                                    "keyboard",      "cell phone",   "microwave",
                                    "oven",          "toaster",      "sink",
                                    "refrigerator",  "book",         "clock",
                                    "vase",          "scissors",     "teddy bear",
                                    "hair drier",    "toothbrush"};
    std::map<int, std::string> made;
    for (const char* name : list) made.emplace(static_cast<int>(made.size()), name);
    return made;
  }();
  return names;
}

}  // namespace imago::nn
