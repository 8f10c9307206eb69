#include "nn/segmenter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/error.h"
#include "base/path_text.h"

namespace imago::nn {
namespace {

constexpr int default_image_size = 640;
constexpr int largest_image_size = 8192;
constexpr int stride = 32;        // of the coarsest detection grid: inputs are its multiples
constexpr int largest_batch = 8;  // of a network that takes any: keeps memory bounded

int rounded_up(int size) { return (size + stride - 1) / stride * stride; }

// "[1280, 1280]" or "640".
int image_size_of(const std::string& metadata) {
  const std::size_t digit = metadata.find_first_of("0123456789");
  return digit == std::string::npos ? 0 : std::atoi(metadata.c_str() + digit);
}

// Files with dynamic shapes may leave all sizes of their detections open: what a run of an empty picture gives tells
// them. A picture of the size to come, so that nothing is compiled for another one.
std::vector<Port> known_outputs(Session& session, int size) {
  std::vector<Port> outputs = session.outputs();
  const bool open = std::any_of(outputs.begin(), outputs.end(), [](const Port& port) {
    return port.shape.size() == 3 && port.shape[1] < 0 && port.shape[2] < 0;
  });
  const bool takes_pictures = session.inputs().size() == 1 && session.inputs()[0].shape.size() == 4;
  if (!open || !takes_pictures) return outputs;
  std::vector<std::int64_t> shape = session.inputs()[0].shape;
  const std::array<std::int64_t, 4> usual = {1, 3, size, size};
  std::size_t count = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0) shape[i] = usual[i];
    if (shape[i] < 1 || shape[i] > largest_image_size) return outputs;
    count *= static_cast<std::size_t>(shape[i]);
  }
  const Tensor empty = tensor_of(shape, std::vector<float>(count, 0.0F));
  const std::vector<Tensor> given = session.run(std::span(&empty, 1));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].element != Element::other) outputs[i].shape = given[i].shape;
  }
  return outputs;
}

}  // namespace

Segmenter::Segmenter(const std::filesystem::path& model, const SegmenterOptions& options)
    : options_(options), session_(std::make_unique<Session>(model, options.session)) {
  std::map<std::string, std::string> metadata;
  for (const char* key : {"task", "names", "imgsz", "end2end"}) {
    if (std::string value = session_->metadata(key); !value.empty()) metadata[key] = std::move(value);
  }
  size_ = options.image_size;
  if (size_ == 0) size_ = image_size_of(metadata["imgsz"]);
  if (size_ == 0) size_ = default_image_size;
  size_ = rounded_up(std::min(size_, largest_image_size));
  try {
    model_ = recognise(session_->inputs(), known_outputs(*session_, size_), metadata);
  } catch (const Error& error) {
    throw Error(error.kind, utf8(model) + ": " + error.what());
  }
  if (options.image_size != 0 && model_.input_width > 0 &&
      (model_.input_width != options.image_size || model_.input_height != options.image_size)) {
    notes_.push_back(
        fmt::format("the model takes {} x {} only: --mask-imgsz {} is not used (export it with dynamic=True "
                    "or imgsz={})",
                    model_.input_width, model_.input_height, options.image_size, options.image_size));
  }
}

int Segmenter::batch() const { return model_.batch > 0 ? model_.batch : largest_batch; }

SegmenterInput Segmenter::prepare(const Rgba8& picture) const {
  const bool rf_detr = model_.kind == SegmentationKind::rf_detr;
  SegmenterInput input;
  input.picture_width = picture.width;
  input.picture_height = picture.height;
  if (rf_detr || model_.input_width > 0 || model_.input_height > 0) {
    const int width = model_.input_width > 0 ? model_.input_width : size_;
    const int height = model_.input_height > 0 ? model_.input_height : size_;
    input.box = letterbox_for(picture.width, picture.height, width, height, rf_detr);
  } else {
    input.box = least_letterbox_for(picture.width, picture.height, size_);
  }
  input.values.resize(3 * static_cast<std::size_t>(input.box.width) * static_cast<std::size_t>(input.box.height));
  fill_input(picture, input.box, rf_detr, input.values.data());
  return input;
}

std::vector<Tensor> Segmenter::run(std::span<const SegmenterInput* const> inputs) {
  // A fixed batch is filled up; what comes of the repeats is not looked at.
  const std::size_t count = model_.batch > 0 ? static_cast<std::size_t>(model_.batch) : inputs.size();
  const SegmenterInput& first = *inputs.front();
  Tensor tensor{{static_cast<std::int64_t>(count), 3, first.box.height, first.box.width}, first.values, nullptr};
  std::vector<float> together;
  if (count > 1) {
    together.reserve(count * first.values.size());
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<float>& values = inputs[std::min(i, inputs.size() - 1)]->values;
      together.insert(together.end(), values.begin(), values.end());
    }
    tensor.values = together;
  }
  std::vector<Tensor> outputs = session_->run(std::span(&tensor, 1));
  check_outputs(model_, outputs, static_cast<int>(inputs.size()));
  return outputs;
}

std::vector<std::string> Segmenter::notes() const {
  std::vector<std::string> all = notes_;
  all.insert(all.end(), session_->notes().begin(), session_->notes().end());
  return all;
}

SegmenterResult Segmenter::result(const std::vector<Tensor>& outputs, int index, const SegmenterInput& input,
                                  std::span<const int> classes) const {
  DetectionOptions wanted = options_.detection;
  if (!classes.empty()) wanted.classes.assign(classes.begin(), classes.end());
  SegmenterResult out;
  out.detections = detections_of(model_, outputs, index, input.box, wanted);
  out.mask = union_mask(model_, outputs, index, input.box, out.detections, input.picture_width, input.picture_height);
  return out;
}

}  // namespace imago::nn
