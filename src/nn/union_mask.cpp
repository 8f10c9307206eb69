#include <algorithm>
#include <cmath>
#include <numeric>
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

// The picture's place between the letterbox's padding, on the grid of the (finer) prototypes, rounded as Ultralytics
// rounds.
Stretch stretch_for(int plane_width, int plane_height, int picture_width, int picture_height, bool padded) {
  Stretch out{0, 0, plane_width, plane_height, picture_width, picture_height};
  if (!padded) return out;
  const double gain =
      std::min(static_cast<double>(plane_height) / picture_height, static_cast<double>(plane_width) / picture_width);
  out.width = std::clamp(static_cast<int>(std::rint(picture_width * gain)), 1, plane_width);
  out.height = std::clamp(static_cast<int>(std::rint(picture_height * gain)), 1, plane_height);
  out.left = std::max(static_cast<int>(std::rint((plane_width - out.width) / 2.0 - 0.1)), 0);
  out.top = std::max(static_cast<int>(std::rint((plane_height - out.height) / 2.0 - 0.1)), 0);
  return out;
}

// Prototypes are a quarter of the input's size: where the padding is no whole number of their pixels they are made
// finer first (Ultralytics 8.4), by 1, 2 or 4.
int refinement(int plane_width, int plane_height, int picture_width, int picture_height) {
  const double gain = std::min(4.0 * plane_height / picture_height, 4.0 * plane_width / picture_width);
  const int pad_y = 4 * plane_height - std::max(static_cast<int>(std::rint(picture_height * gain)), 1);
  const int pad_x = 4 * plane_width - std::max(static_cast<int>(std::rint(picture_width * gain)), 1);
  const int pad = pad_x | pad_y;
  return 4 / std::gcd(4, pad | pad / 2);
}

struct Box {
  int left = 0, top = 0, right = 0, bottom = 0;  // of the picture, right and bottom excluded
  bool empty() const { return right <= left || bottom <= top; }
};

Box picture_box(const Detection& d, const Letterbox& box, int picture_width, int picture_height) {
  const float scale_x = static_cast<float>(box.content_width) / static_cast<float>(picture_width);
  const float scale_y = static_cast<float>(box.content_height) / static_cast<float>(picture_height);
  // A pixel is inside from left <= x on and as long as x < right.
  const auto place = [&](float at, int pad, float scale, int size) {
    const float in_picture = (at - static_cast<float>(pad)) / scale;
    return static_cast<int>(std::ceil(std::clamp(in_picture, 0.0F, static_cast<float>(size))));
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

// A part of a plane of logits.
struct Logits {
  int left = 0, top = 0, width = 0, height = 0;
  std::vector<float> values;
  float at(int x, int y) const { return values[index(x, y)]; }
  float* row(int y) { return values.data() + index(left, y); }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y - top) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x - left);
  }
};

Logits empty_logits(int left, int top, int right, int bottom) {
  Logits out{left, top, right - left + 1, bottom - top + 1, {}};
  out.values.assign(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height), 0.0f);
  return out;
}

struct Planes {
  std::span<const float> values;
  int width = 0;
  int height = 0;
  const float* row(std::size_t plane, int y) const {
    const auto h = static_cast<std::size_t>(height);
    return values.data() + (plane * h + static_cast<std::size_t>(y)) * static_cast<std::size_t>(width);
  }
};

// One detection's logits on the prototypes' grid, right and bottom included.
Logits logits_on_planes(const Planes& planes, const Detection& d, int left, int top, int right, int bottom) {
  Logits out = empty_logits(left, top, right, bottom);
  const bool is_query = d.query >= 0;
  const std::size_t count = is_query ? 1 : d.coefficients.size();
  for (std::size_t k = 0; k < count; ++k) {
    const float coefficient = is_query ? 1.0f : d.coefficients[k];
    for (int y = top; y <= bottom; ++y) {
      const float* from = planes.row(is_query ? static_cast<std::size_t>(d.query) : k, y) + left;
      float* to = out.row(y);
      for (int x = 0; x < out.width; ++x) to[x] += coefficient * from[x];
    }
  }
  return out;
}

// Those for the part of the stretch that the box reads, in the stretch's own coordinates.
Logits logits_for(const Planes& planes, int finer, const Detection& d, const Stretch& stretch, const Box& box) {
  const int left = tap_at(box.left, stretch.width, stretch.picture_width).first + stretch.left;
  const int top = tap_at(box.top, stretch.height, stretch.picture_height).first + stretch.top;
  const int right = tap_at(box.right - 1, stretch.width, stretch.picture_width).second + stretch.left;
  const int bottom = tap_at(box.bottom - 1, stretch.height, stretch.picture_height).second + stretch.top;
  Logits out;
  if (finer == 1) {
    out = logits_on_planes(planes, d, left, top, right, bottom);
  } else {
    const auto across = [&](int x) { return tap_at(x, planes.width, planes.width * finer); };
    const auto down = [&](int y) { return tap_at(y, planes.height, planes.height * finer); };
    const Logits coarse =
        logits_on_planes(planes, d, across(left).first, down(top).first, across(right).second, down(bottom).second);
    out = empty_logits(left, top, right, bottom);
    for (int y = top; y <= bottom; ++y) {
      const Tap rows = down(y);
      float* to = out.row(y);
      for (int x = left; x <= right; ++x) {
        const Tap columns = across(x);
        const auto between = [&](int row) {
          const float near = coarse.at(columns.first, row);
          return near + columns.weight * (coarse.at(columns.second, row) - near);
        };
        const float above = between(rows.first);
        to[x - left] = above + rows.weight * (between(rows.second) - above);
      }
    }
  }
  out.left -= stretch.left;
  out.top -= stretch.top;
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
  const auto planes_count = static_cast<std::size_t>(prototypes.shape[1]);
  Planes planes{{}, static_cast<int>(prototypes.shape[3]), static_cast<int>(prototypes.shape[2])};
  const std::size_t count =
      planes_count * static_cast<std::size_t>(planes.height) * static_cast<std::size_t>(planes.width);
  planes.values = prototypes.values.subspan(static_cast<std::size_t>(index) * count, count);
  const bool queries = model.kind == SegmentationKind::rf_detr;
  const int finer = queries ? 1 : refinement(planes.width, planes.height, picture_width, picture_height);
  const Stretch stretch =
      stretch_for(planes.width * finer, planes.height * finer, picture_width, picture_height, !queries);
  // Some exports of RF-DETR give probabilities instead of logits.
  const bool probabilities = queries && std::all_of(planes.values.begin(), planes.values.end(),
                                                    [](float v) { return v >= 0.0f && v <= 1.0f; });
  for (const Detection& d : detections) {
    const Box at = picture_box(d, box, picture_width, picture_height);
    if (at.empty() || (d.query >= 0 && static_cast<std::size_t>(d.query) >= planes_count)) continue;
    // RF-DETR's masks are whole pictures: its box cuts nothing off.
    const Box area = queries ? Box{0, 0, picture_width, picture_height} : at;
    const Logits logits = logits_for(planes, finer, d, stretch, area);
    add_mask(logits, stretch, area, probabilities ? 0.5f : 0.0f, mask);
  }
  return mask;
}

}  // namespace imago::nn
