#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "nn/segmentation.h"

namespace imago::nn {
namespace {

// Numbers of one picture of a batch.
std::span<const float> part_of(const Tensor& tensor, int index) {
  const std::size_t batch = static_cast<std::size_t>(std::max<std::int64_t>(tensor.shape.at(0), 1));
  const std::size_t count = tensor.values.size() / batch;
  return tensor.values.subspan(static_cast<std::size_t>(index) * count, count);
}

bool is_finite(const Detection& d) {
  return std::isfinite(d.left) && std::isfinite(d.top) && std::isfinite(d.right) && std::isfinite(d.bottom) &&
         std::isfinite(d.score);
}

bool is_wanted(const DetectionOptions& options, int class_id) {
  return options.classes.empty() ||
         std::find(options.classes.begin(), options.classes.end(), class_id) != options.classes.end();
}

struct Best {
  int class_id = -1;
  float score = 0;
};

// The best of all classes counts: a dog that might also be a cat is no cat.
template <typename ScoreOf>
Best best_class(int classes, const ScoreOf& score_of) {
  Best best;
  for (int c = 0; c < classes; ++c) {
    const float score = score_of(c);
    if (score > best.score) best = {c, score};
  }
  return best;
}

// Of every anchor. The classic layout is read class by class, as it lies in memory.
std::vector<Best> best_classes(const SegmentationModel& model, std::span<const float> values, std::size_t anchors,
                               std::size_t fields) {
  std::vector<Best> best(anchors);
  if (model.kind == SegmentationKind::transposed) {
    for (std::size_t a = 0; a < anchors; ++a) {
      best[a] = best_class(model.classes, [&](int c) { return values[a * fields + 4 + static_cast<std::size_t>(c)]; });
    }
    return best;
  }
  for (int c = 0; c < model.classes; ++c) {
    const float* scores = values.data() + (4 + static_cast<std::size_t>(c)) * anchors;
    for (std::size_t a = 0; a < anchors; ++a) {
      if (scores[a] > best[a].score) best[a] = {c, scores[a]};
    }
  }
  return best;
}

std::vector<Detection> classic(const SegmentationModel& model, std::span<const float> values, std::int64_t rows,
                               std::int64_t columns, const DetectionOptions& options) {
  const bool transposed = model.kind == SegmentationKind::transposed;
  const auto anchors = static_cast<std::size_t>(transposed ? rows : columns);
  const auto fields = static_cast<std::size_t>(transposed ? columns : rows);
  const auto at = [&](std::size_t field, std::size_t anchor) {
    return transposed ? values[anchor * fields + field] : values[field * anchors + anchor];
  };
  const std::vector<Best> bests = best_classes(model, values, anchors, fields);
  std::vector<Detection> out;
  for (std::size_t a = 0; a < anchors; ++a) {
    const Best best = bests[a];
    if (best.class_id < 0 || !(best.score > options.confidence) || !is_wanted(options, best.class_id)) continue;
    Detection d;
    const float x = at(0, a), y = at(1, a), w = at(2, a), h = at(3, a);
    d.left = x - w / 2;
    d.top = y - h / 2;
    d.right = x + w / 2;
    d.bottom = y + h / 2;
    d.score = best.score;
    d.class_id = best.class_id;
    for (std::size_t k = fields - static_cast<std::size_t>(model.coefficients); k < fields; ++k) {
      d.coefficients.push_back(at(k, a));
    }
    if (is_finite(d)) out.push_back(std::move(d));
  }
  return out;
}

std::vector<Detection> end_to_end(const SegmentationModel& model, std::span<const float> values, std::int64_t rows,
                                  std::int64_t columns, const DetectionOptions& options) {
  const auto fields = static_cast<std::size_t>(columns);
  std::vector<Detection> out;
  for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
    const std::span<const float> row = values.subspan(r * fields, fields);
    if (!(row[5] >= 0.0F && row[5] < 65536.0F)) continue;
    const int class_id = static_cast<int>(std::lround(row[5]));
    if (!(row[4] > options.confidence) || !is_wanted(options, class_id)) continue;
    Detection d{row[0], row[1], row[2], row[3], row[4], class_id, {}, -1};
    d.coefficients.assign(row.begin() + 6, row.begin() + 6 + model.coefficients);
    if (is_finite(d)) out.push_back(std::move(d));
  }
  return out;
}

float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

std::vector<Detection> rf_detr(const SegmentationModel& model, std::span<const float> boxes,
                               std::span<const float> logits, const Letterbox& box, const DetectionOptions& options) {
  std::vector<Detection> out;
  const auto classes = static_cast<std::size_t>(model.classes);
  for (std::size_t q = 0; q < boxes.size() / 4; ++q) {
    const Best best =
        best_class(model.classes, [&](int c) { return sigmoid(logits[q * classes + static_cast<std::size_t>(c)]); });
    if (best.class_id < 0 || !(best.score > options.confidence) || !is_wanted(options, best.class_id)) continue;
    const auto width = static_cast<float>(box.width);
    const auto height = static_cast<float>(box.height);
    const float x = boxes[4 * q] * width, y = boxes[4 * q + 1] * height;
    const float w = boxes[4 * q + 2] * width, h = boxes[4 * q + 3] * height;
    Detection d{x - w / 2, y - h / 2, x + w / 2, y + h / 2, best.score, best.class_id, {}, static_cast<int>(q)};
    if (is_finite(d)) out.push_back(std::move(d));
  }
  return out;
}

float overlap(const Detection& a, const Detection& b) {
  const float w = std::min(a.right, b.right) - std::max(a.left, b.left);
  const float h = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  if (w <= 0 || h <= 0) return 0;
  const float both = w * h;
  return both / ((a.right - a.left) * (a.bottom - a.top) + (b.right - b.left) * (b.bottom - b.top) - both);
}

// Greedy, each class for itself. Input sorted, best first.
std::vector<Detection> suppressed(std::vector<Detection> sorted, const DetectionOptions& options) {
  std::vector<Detection> kept;
  for (Detection& candidate : sorted) {
    if (static_cast<int>(kept.size()) >= options.most) break;
    const bool is_double = std::any_of(kept.begin(), kept.end(), [&](const Detection& better) {
      return better.class_id == candidate.class_id && overlap(better, candidate) > options.iou;
    });
    if (!is_double) kept.push_back(std::move(candidate));
  }
  return kept;
}

}  // namespace

void check_outputs(const SegmentationModel& model, const std::vector<Tensor>& outputs, int count) {
  const auto has = [&](int output, std::size_t rank) {
    if (output < 0 || static_cast<std::size_t>(output) >= outputs.size()) return false;
    const Tensor& tensor = outputs[static_cast<std::size_t>(output)];
    return tensor.shape.size() == rank && tensor.shape[0] >= count && !tensor.values.empty();
  };
  bool good = has(model.detections_output, 3) && has(model.prototypes_output, 4);
  if (good) {
    const auto& found = outputs[static_cast<std::size_t>(model.detections_output)].shape;
    const auto& masks = outputs[static_cast<std::size_t>(model.prototypes_output)].shape;
    const std::int64_t fields = 4 + model.classes + model.coefficients;
    const std::int64_t finished = 6 + model.coefficients;
    switch (model.kind) {
      case SegmentationKind::classic: good = found[1] == fields && masks[1] == model.coefficients; break;
      case SegmentationKind::transposed: good = found[2] == fields && masks[1] == model.coefficients; break;
      case SegmentationKind::end_to_end: good = found[2] >= finished && masks[1] == model.coefficients; break;
      case SegmentationKind::rf_detr:
        good = has(model.logits_output, 3) && found[2] == 4 && masks[1] == found[1];
        if (good) {
          const auto& logits = outputs[static_cast<std::size_t>(model.logits_output)].shape;
          good = logits[0] == found[0] && logits[1] == found[1] && logits[2] >= 1 && logits[2] == model.classes;
        }
        break;
    }
  }
  if (!good) throw Error(ErrorKind::model, "the model gives other shapes than its file promises");
}

std::vector<Detection> detections_of(const SegmentationModel& model, const std::vector<Tensor>& outputs, int index,
                                     const Letterbox& box, const DetectionOptions& options) {
  const Tensor& tensor = outputs.at(static_cast<std::size_t>(model.detections_output));
  const std::span<const float> values = part_of(tensor, index);
  std::vector<Detection> found;
  switch (model.kind) {
    case SegmentationKind::classic:
    case SegmentationKind::transposed: found = classic(model, values, tensor.shape[1], tensor.shape[2], options); break;
    case SegmentationKind::end_to_end:
      found = end_to_end(model, values, tensor.shape[1], tensor.shape[2], options);
      break;
    case SegmentationKind::rf_detr:
      found = rf_detr(model, values, part_of(outputs.at(static_cast<std::size_t>(model.logits_output)), index), box,
                      options);
      break;
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Detection& a, const Detection& b) { return a.score > b.score; });
  const bool has_nms = model.kind == SegmentationKind::end_to_end || model.kind == SegmentationKind::rf_detr;
  if (!has_nms) return suppressed(std::move(found), options);
  if (static_cast<int>(found.size()) > options.most) found.resize(static_cast<std::size_t>(options.most));
  return found;
}

}  // namespace imago::nn
