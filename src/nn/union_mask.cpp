#include <algorithm>
#include <cmath>
#include <mutex>
#include <span>

#include "base/error.h"
#include "base/parallel.h"
#include "nn/segmentation.h"

namespace imago::nn {
namespace {

// The part of a prototype plane that lies under the picture, and the picture's size.
struct Stretch {
  int left = 0, top = 0, width = 0, height = 0;
  int picture_width = 0, picture_height = 0;
};

// The letterbox's padding, rounded on the prototype's own grid as Ultralytics does.
Stretch stretch_for(int plane_width, int plane_height, int picture_width, int picture_height, bool padded) {
  Stretch out{0, 0, plane_width, plane_height, picture_width, picture_height};
  if (!padded) return out;
  const double gain =
      std::min(static_cast<double>(plane_height) / picture_height, static_cast<double>(plane_width) / picture_width);
  const double pad_x = (plane_width - picture_width * gain) / 2;
  const double pad_y = (plane_height - picture_height * gain) / 2;
  out.left = static_cast<int>(std::rint(pad_x - 0.1));
  out.top = static_cast<int>(std::rint(pad_y - 0.1));
  out.width = std::max(plane_width - static_cast<int>(std::rint(pad_x + 0.1)) - out.left, 1);
  out.height = std::max(plane_height - static_cast<int>(std::rint(pad_y + 0.1)) - out.top, 1);
  return out;
}

struct Box {
  int left = 0, top = 0, right = 0, bottom = 0;  // of the picture, right and bottom excluded
  bool empty() const { return right <= left || bottom <= top; }
};

Box picture_box(const Detection& d, const Letterbox& box, int picture_width, int picture_height) {
  const double scale_x = static_cast<double>(picture_width) / box.content_width;
  const double scale_y = static_cast<double>(picture_height) / box.content_height;
  // One scale for both axes where the picture was fitted, as Ultralytics has it; the stretch of RF-DETR has two.
  const bool fitted = box.content_width != box.width || box.content_height != box.height;
  const double gain =
      std::min(static_cast<double>(box.width) / picture_width, static_cast<double>(box.height) / picture_height);
  const auto place = [&](float at, int pad, double scale, int size) {
    const double in_picture = fitted ? (static_cast<double>(at) - pad) / gain : (static_cast<double>(at) - pad) * scale;
    return static_cast<int>(std::rint(std::clamp(in_picture, 0.0, static_cast<double>(size))));
  };
  return {place(d.left, box.left, scale_x, picture_width), place(d.top, box.top, scale_y, picture_height),
          place(d.right, box.left, scale_x, picture_width), place(d.bottom, box.top, scale_y, picture_height)};
}

struct Tap {
  int first = 0;
  int second = 0;
  float weight = 0;  // of the second
};

// Bilinear, pixel centres at +0.5, edges repeated.
Tap tap_at(int i, int from, int to) {
  const float scale = static_cast<float>(from) / static_cast<float>(to);
  const float at = std::max((static_cast<float>(i) + 0.5f) * scale - 0.5f, 0.0f);
  const int first = std::min(static_cast<int>(at), from - 1);
  return {first, std::min(first + 1, from - 1), at - static_cast<float>(first)};
}

// One detection's logits on the prototype's grid, for the rows and columns that its box reads.
struct Logits {
  int left = 0, top = 0, width = 0, height = 0;  // within the stretch
  std::vector<float> values;
  float at(int x, int y) const {
    return values[static_cast<std::size_t>(y - top) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x - left)];
  }
};

Logits logits_for(std::span<const float> planes, int plane_width, int plane_height, const Detection& d,
                  const Stretch& stretch, const Box& box) {
  Logits out;
  out.left = tap_at(box.left, stretch.width, stretch.picture_width).first;
  out.top = tap_at(box.top, stretch.height, stretch.picture_height).first;
  out.width = tap_at(box.right - 1, stretch.width, stretch.picture_width).second - out.left + 1;
  out.height = tap_at(box.bottom - 1, stretch.height, stretch.picture_height).second - out.top + 1;
  out.values.assign(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height), 0.0f);
  const std::size_t plane = static_cast<std::size_t>(plane_width) * static_cast<std::size_t>(plane_height);
  const std::size_t count = d.query >= 0 ? 1 : d.coefficients.size();
  for (std::size_t k = 0; k < count; ++k) {
    const float coefficient = d.query >= 0 ? 1.0f : d.coefficients[k];
    const float* from = planes.data() + (d.query >= 0 ? static_cast<std::size_t>(d.query) : k) * plane;
    for (int y = 0; y < out.height; ++y) {
      const float* row = from +
                         static_cast<std::size_t>(stretch.top + out.top + y) * static_cast<std::size_t>(plane_width) +
                         stretch.left + out.left;
      float* to = out.values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(out.width);
      for (int x = 0; x < out.width; ++x) to[x] += coefficient * row[x];
    }
  }
  return out;
}

void add_mask(const Logits& logits, const Stretch& stretch, const Box& box, float threshold, Plane8& mask) {
  std::vector<Tap> columns;
  for (int x = box.left; x < box.right; ++x) columns.push_back(tap_at(x, stretch.width, stretch.picture_width));
  parallel_for(box.bottom - box.top, 64, [&](RowRange rows) {
    std::vector<float> line(static_cast<std::size_t>(logits.width));
    for (int y = box.top + rows.begin; y < box.top + rows.end; ++y) {
      const Tap down = tap_at(y, stretch.height, stretch.picture_height);
      for (int x = 0; x < logits.width; ++x) {
        const float above = logits.at(logits.left + x, down.first);
        line[static_cast<std::size_t>(x)] = above + down.weight * (logits.at(logits.left + x, down.second) - above);
      }
      std::uint8_t* to = mask.row(y);
      for (int x = box.left; x < box.right; ++x) {
        const Tap& across = columns[static_cast<std::size_t>(x - box.left)];
        const float near = line[static_cast<std::size_t>(across.first - logits.left)];
        const float far = line[static_cast<std::size_t>(across.second - logits.left)];
        if (near + across.weight * (far - near) > threshold) to[x] = 255;
      }
    }
  });
}

}  // namespace

Plane8 union_mask(const SegmentationModel& model, const std::vector<Tensor>& outputs, int index, const Letterbox& box,
                  const std::vector<Detection>& detections, int picture_width, int picture_height) {
  Plane8 mask(picture_width, picture_height);
  std::fill(mask.pixels.begin(), mask.pixels.end(), std::uint8_t{0});
  const Tensor& prototypes = outputs.at(static_cast<std::size_t>(model.prototypes_output));
  if (prototypes.shape.size() != 4) throw Error(ErrorKind::model, "the model's masks have an unexpected shape");
  const int planes_count = static_cast<int>(prototypes.shape[1]);
  const int plane_height = static_cast<int>(prototypes.shape[2]);
  const int plane_width = static_cast<int>(prototypes.shape[3]);
  const std::size_t count = static_cast<std::size_t>(planes_count) * static_cast<std::size_t>(plane_height) *
                            static_cast<std::size_t>(plane_width);
  const std::span<const float> planes =
      std::span(prototypes.values).subspan(static_cast<std::size_t>(index) * count, count);
  const bool queries = model.kind == SegmentationKind::rf_detr;
  const Stretch stretch = stretch_for(plane_width, plane_height, picture_width, picture_height, !queries);
  // Some exports of RF-DETR give probabilities instead of logits.
  const bool probabilities =
      queries && std::all_of(planes.begin(), planes.end(), [](float v) { return v >= 0.0f && v <= 1.0f; });
  for (const Detection& d : detections) {
    const Box at = picture_box(d, box, picture_width, picture_height);
    if (at.empty() || (queries && d.query >= planes_count)) continue;
    // RF-DETR's masks are whole pictures: its box cuts nothing off.
    const Box area = queries ? Box{0, 0, picture_width, picture_height} : at;
    const Logits logits = logits_for(planes, plane_width, plane_height, d, stretch, area);
    add_mask(logits, stretch, area, probabilities ? 0.5f : 0.0f, mask);
  }
  return mask;
}

}  // namespace imago::nn
