// A segmentation network with its session: batches of pictures to masks.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nn/segmentation.h"

namespace imago::nn {

struct SegmenterOptions {
  SessionOptions session;
  DetectionOptions detection;
  int image_size = 0;  // of the network's input where the model leaves it open; 0: the model's own, else 640
};

// What goes into a run, made beside other work. Only inputs of one size go into a run together.
struct SegmenterInput {
  Letterbox box;
  int picture_width = 0;
  int picture_height = 0;
  std::vector<float> values;
};

struct SegmenterResult {
  Plane8 mask;  // 255 where something was found
  std::vector<Detection> detections;
};

class Segmenter {
 public:
  // Throws Error{model}.
  Segmenter(const std::filesystem::path& model, const SegmenterOptions& options);

  const SegmentationModel& model() const { return model_; }
  const Session& session() const { return *session_; }
  // One line each: what is not as asked for. Grows in a run.
  std::vector<std::string> notes() const;
  int batch() const;  // pictures of one run at most

  // Any thread, at the same time.
  SegmenterInput prepare(const Rgba8& picture) const;
  // One call at a time; at most batch() inputs, of one size.
  std::vector<Tensor> run(std::span<const SegmenterInput* const> inputs);
  // Any thread. `index`: of the input in its batch; `classes`: what counts, none: the options' own.
  SegmenterResult result(const std::vector<Tensor>& outputs, int index, const SegmenterInput& input,
                         std::span<const int> classes) const;

 private:
  SegmenterOptions options_;
  std::unique_ptr<Session> session_;
  SegmentationModel model_;
  int size_ = 0;  // where the model leaves it open
  std::vector<std::string> notes_;
};

}  // namespace imago::nn
