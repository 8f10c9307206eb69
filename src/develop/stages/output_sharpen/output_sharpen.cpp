#include "develop/stages/output_sharpen/output_sharpen.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/parallel.h"

namespace imago::develop {
namespace {

std::vector<float> half_gaussian(double sigma) {
  const int reach = std::max(1, static_cast<int>(std::ceil(sigma * 3)));
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i <= reach; ++i) {
    weights.push_back(std::exp(-0.5 * i * i / (sigma * sigma)));
    sum += i == 0 ? weights.back() : 2 * weights.back();
  }
  std::vector<float> kernel;
  for (const double weight : weights) kernel.push_back(static_cast<float>(weight / sum));
  return kernel;
}

float luma(const float* rgb) { return 0.2627f * rgb[0] + 0.678f * rgb[1] + 0.0593f * rgb[2]; }

}  // namespace

OutputSharpenPlan plan_output_sharpen(SharpenFor medium, SharpenAmount amount, double pixels_per_inch) {
  if (medium == SharpenFor::none) return {};
  const double strength = amount == SharpenAmount::low ? 0.6 : amount == SharpenAmount::standard ? 1.0 : 1.6;
  const double spread_px = std::clamp(pixels_per_inch / 300, 0.4, 3.0);
  const double sigma_px = medium == SharpenFor::screen   ? 0.55
                          : medium == SharpenFor::glossy ? 0.8 * spread_px
                                                         : spread_px;
  const double gain = medium == SharpenFor::screen ? 0.8 : medium == SharpenFor::glossy ? 1.0 : 1.4;
  return {.amount = static_cast<float>(gain * strength),
          .threshold = 1.5f / 255,
          .overshoot = medium == SharpenFor::screen ? 0.02f : 0.06f,
          .kernel = half_gaussian(sigma_px)};
}

OutputSharpen::OutputSharpen(const OutputSharpenPlan& plan, int width, int height, Emit emit)
    : plan_(plan), width_(width), height_(height), emit_(std::move(emit)) {}

const float* OutputSharpen::row(int y) const {
  const int inside = std::clamp(y, 0, height_ - 1) - first_;
  return kept_.data() + static_cast<std::size_t>(inside) * static_cast<std::size_t>(width_) * 3;
}

void OutputSharpen::take(RowRange rows, const float* rgb) {
  const std::size_t row_samples = static_cast<std::size_t>(width_) * 3;
  kept_.insert(kept_.end(), rgb, rgb + static_cast<std::size_t>(rows.count()) * row_samples);
  received_ = rows.end;
  const int reach = std::max(plan_.reach(), 1);
  const int complete = received_ == height_ ? height_ : received_ - reach;
  if (complete > emitted_) run({emitted_, complete});
  const int still_needed = std::max(first_, emitted_ - reach);
  kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(
                                                 static_cast<std::size_t>(still_needed - first_) * row_samples));
  first_ = still_needed;
}

void OutputSharpen::run(RowRange rows) {
  const int reach = plan_.reach();
  const int above = std::max(reach, 1);
  const auto width = static_cast<std::size_t>(width_);
  // Luma and its horizontal blur of all rows that are looked at.
  const int lines = rows.count() + 2 * above;
  std::vector<float> lumas(static_cast<std::size_t>(lines) * width), blurred(lumas.size());
  parallel_for(lines, 8, [&](RowRange part) {
    for (int line = part.begin; line < part.end; ++line) {
      const float* rgb = row(rows.begin - above + line);
      float* y = lumas.data() + static_cast<std::size_t>(line) * width;
      float* h = blurred.data() + static_cast<std::size_t>(line) * width;
      for (std::size_t x = 0; x < width; ++x) y[x] = luma(rgb + 3 * x);
      for (int x = 0; x < width_; ++x) {
        float sum = plan_.kernel[0] * y[x];
        for (int k = 1; k <= reach; ++k)
          sum += plan_.kernel[static_cast<std::size_t>(k)] * (y[std::max(x - k, 0)] + y[std::min(x + k, width_ - 1)]);
        h[x] = sum;
      }
    }
  });
  std::vector<float> out(static_cast<std::size_t>(rows.count()) * width * 3);
  parallel_for(rows.count(), 8, [&](RowRange part) {
    for (int r = part.begin; r < part.end; ++r) {
      const auto line = [&](const std::vector<float>& plane, int dy) {
        return plane.data() + static_cast<std::size_t>(r + above + dy) * width;
      };
      const float* from = row(rows.begin + r);
      float* to = out.data() + static_cast<std::size_t>(r) * width * 3;
      const float *upper = line(lumas, -1), *middle = line(lumas, 0), *lower = line(lumas, 1);
      for (int x = 0; x < width_; ++x) {
        float blur = plan_.kernel[0] * line(blurred, 0)[x];
        for (int k = 1; k <= reach; ++k)
          blur += plan_.kernel[static_cast<std::size_t>(k)] * (line(blurred, -k)[x] + line(blurred, k)[x]);
        const float y = middle[x];
        const float d = y - blur;
        const float shaped = d * (d * d / (d * d + plan_.threshold * plan_.threshold));
        float least = y, most = y;
        for (const int i : {std::max(x - 1, 0), x, std::min(x + 1, width_ - 1)}) {
          least = std::min({least, upper[i], middle[i], lower[i]});
          most = std::max({most, upper[i], middle[i], lower[i]});
        }
        const float sharp = std::clamp(y + plan_.amount * shaped, least - plan_.overshoot, most + plan_.overshoot);
        for (int c = 0; c < 3; ++c) to[3 * x + c] = std::clamp(from[3 * x + c] + (sharp - y), 0.0f, 1.0f);
      }
    }
  });
  emitted_ = rows.end;
  emit_(rows, out.data());
}

}  // namespace imago::develop
