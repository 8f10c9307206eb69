#include "develop/stages/dehaze/dehaze.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/hash.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "develop/stages/planes/block_grid.h"
#include "develop/stages/planes/log_luminance.h"

namespace imago::develop {
namespace {

constexpr double patch_of_diagonal = 1.0 / 150;
constexpr int blocks_per_patch = 4;
constexpr float veil_share = 0.95f;  // a trace of haze is kept: without it distance looks wrong
constexpr float least_transmission = 0.15f;
constexpr float guide_epsilon = 0.05f;  // squared stops
constexpr double airlight_share = 0.005;

float usable(float x) {
  const float above = x > 0.0f ? x : 0.0f;  // also for NaN
  return above < 65504.0f ? above : 65504.0f;
}

// Per block: the least of each channel, their means, and the mean of log2 luminance.
struct Blocks {
  Rgb32f least, mean;
  Plane stops;
};

void measure_block(const DehazePlan& plan, const Rgb32f& scene, int block_x, int block_y, Blocks& blocks) {
  const int x_begin = block_x * plan.step, x_end = std::min(x_begin + plan.step, plan.width);
  const int y_begin = block_y * plan.step, y_end = std::min(y_begin + plan.step, plan.height);
  float least[3] = {65504.0f, 65504.0f, 65504.0f}, sum[3] = {}, stops = 0.0f;
  for (int y = y_begin; y < y_end; ++y) {
    for (int x = x_begin; x < x_end; ++x) {
      const float* rgb = scene.at(x, y);
      for (int c = 0; c < 3; ++c) {
        const float value = usable(rgb[c]);
        least[c] = std::min(least[c], value);
        sum[c] += value;
      }
      stops += log_luminance(rgb[0], rgb[1], rgb[2]);
    }
  }
  const auto count = static_cast<float>((x_end - x_begin) * (y_end - y_begin));
  for (int c = 0; c < 3; ++c) {
    blocks.least.at(block_x, block_y)[c] = least[c];
    blocks.mean.at(block_x, block_y)[c] = sum[c] / count;
  }
  *blocks.stops.at(block_x, block_y) = stops / count;
}

Blocks measure(const DehazePlan& plan, const Rgb32f& scene) {
  assert(scene.width == plan.width && scene.height == plan.height);
  Blocks blocks{Rgb32f(plan.grid_width, plan.grid_height), Rgb32f(plan.grid_width, plan.grid_height),
                Plane(plan.grid_width, plan.grid_height)};
  parallel_for(plan.grid_height, 1, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) {
      for (int x = 0; x < plan.grid_width; ++x) measure_block(plan, scene, x, y, blocks);
    }
  });
  return blocks;
}

// combine(a, b) of a window of 2 * radius + 1 clipped at the frame, along rows, then columns.
template <typename Combine>
Plane over_window(const Plane& in, int radius, const Combine& combine) {
  Plane across(in.width, in.height), out(in.width, in.height);
  for (int y = 0; y < in.height; ++y) {
    for (int x = 0; x < in.width; ++x) {
      float value = *in.at(std::max(x - radius, 0), y);
      for (int i = std::max(x - radius, 0) + 1; i <= std::min(x + radius, in.width - 1); ++i) {
        value = combine(value, *in.at(i, y));
      }
      *across.at(x, y) = value;
    }
  }
  for (int y = 0; y < in.height; ++y) {
    const int first = std::max(y - radius, 0), last = std::min(y + radius, in.height - 1);
    for (int x = 0; x < in.width; ++x) {
      float value = *across.at(x, first);
      for (int j = first + 1; j <= last; ++j) value = combine(value, *across.at(x, j));
      *out.at(x, y) = value;
    }
  }
  return out;
}

Plane window_mean(const Plane& in, int radius) {
  Plane out = over_window(in, radius, [](float a, float b) { return a + b; });
  for (int y = 0; y < in.height; ++y) {
    const int rows = std::min(y + radius, in.height - 1) - std::max(y - radius, 0) + 1;
    for (int x = 0; x < in.width; ++x) {
      const int columns = std::min(x + radius, in.width - 1) - std::max(x - radius, 0) + 1;
      *out.at(x, y) /= static_cast<float>(rows * columns);
    }
  }
  return out;
}

Plane dark_channel(const DehazePlan& plan, const Rgb32f& least, const Airlight& airlight) {
  Plane dark(plan.grid_width, plan.grid_height);
  for (std::size_t i = 0; i < dark.pixels.size(); ++i) {
    const float* rgb = least.pixels.data() + 3 * i;
    dark.pixels[i] =
        std::min(std::min(rgb[0] / airlight[0], rgb[1] / airlight[1]), std::min(rgb[2] / airlight[2], 1.0f));
  }
  return over_window(dark, plan.patch, [](float a, float b) { return std::min(a, b); });
}

// The guided filter of t by `stops` on the grid: t = a * stops + b near a block.
struct Coefficients {
  Plane a, b;
};

template <typename Function>
Plane each(const Plane& p, const Plane& q, const Function& function) {
  Plane out(p.width, p.height);
  for (std::size_t i = 0; i < out.pixels.size(); ++i) out.pixels[i] = function(p.pixels[i], q.pixels[i]);
  return out;
}

Coefficients refine(const DehazePlan& plan, const Plane& t, const Plane& stops) {
  const auto product = [](float p, float q) { return p * q; };
  const Plane mean_stops = window_mean(stops, plan.radius), mean_t = window_mean(t, plan.radius);
  const Plane square = window_mean(each(stops, stops, product), plan.radius);
  const Plane cross = window_mean(each(stops, t, product), plan.radius);
  const Plane variance =
      each(square, mean_stops, [](float s, float m) { return std::max(s - m * m, 0.0f) + guide_epsilon; });
  const Plane covariance = each(cross, each(mean_stops, mean_t, product), [](float c, float m) { return c - m; });
  const Plane a = each(covariance, variance, [](float c, float v) { return c / v; });
  const Plane b = each(mean_t, each(a, mean_stops, product), [](float m, float as) { return m - as; });
  return {window_mean(a, plan.radius), window_mean(b, plan.radius)};
}

struct PixelParams {
  float amount;
  Airlight airlight;
};

// a, b: the coefficients of each pixel.
IMAGO_SIMD_CLONES
void dehaze_row(const PixelParams& p, const float* a, const float* b, int count, float* rgb) {
  for (int x = 0; x < count; ++x) {
    const float stops = log_luminance(rgb[3 * x], rgb[3 * x + 1], rgb[3 * x + 2]);
    const float refined = a[x] * stops + b[x];
    const float above = refined > 0.0f ? refined : 0.0f;
    const float t = above < 1.0f ? above : 1.0f;
    const float wanted = 1.0f - p.amount * (1.0f - t);
    const float through = wanted > least_transmission ? wanted : least_transmission;
    const float veil = -p.amount * (0.2f + 0.6f * (1.0f - t));
    for (int c = 0; c < 3; ++c) {
      const float in = rgb[3 * x + c], air = p.airlight[static_cast<std::size_t>(c)];
      const float cleared = air + (in - air) / through;
      const float least = in * 0.05f;
      const float kept = cleared < least ? least : cleared;
      rgb[3 * x + c] = p.amount > 0.0f ? kept : in + (air - in) * veil;
    }
  }
}

}  // namespace

DehazePlan plan_dehaze(const Presence& presence, int width, int height, double full_diagonal_px) {
  DehazePlan plan;
  plan.width = width;
  plan.height = height;
  plan.amount = presence.dehaze * 0.01f;
  const double patch_px = full_diagonal_px * patch_of_diagonal;
  plan.step = std::clamp(static_cast<int>(patch_px / blocks_per_patch), 1, 64);
  plan.grid_width = (width + plan.step - 1) / plan.step;
  plan.grid_height = (height + plan.step - 1) / plan.step;
  plan.patch = std::max(1, static_cast<int>(std::lround(patch_px / plan.step)));
  plan.radius = 3 * plan.patch;
  return plan;
}

Airlight airlight_of(const DehazePlan& plan, const Rgb32f& scene) {
  const Blocks blocks = measure(plan, scene);
  const Plane dark = dark_channel(plan, blocks.least, {1, 1, 1});
  // dark_channel stops at 1: a burnt sky is as light as any.
  std::vector<std::size_t> order(dark.pixels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t i, std::size_t j) { return dark.pixels[i] > dark.pixels[j]; });
  const auto count =
      std::max<std::size_t>(1, static_cast<std::size_t>(airlight_share * static_cast<double>(order.size())));
  std::array<double, 3> sum{};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < 3; ++c) sum[c] += static_cast<double>(blocks.mean.pixels[3 * order[i] + c]);
  }
  Airlight airlight{};
  for (std::size_t c = 0; c < 3; ++c) airlight[c] = static_cast<float>(sum[c] / static_cast<double>(count));
  return std::ranges::min(airlight) > 1e-4f ? airlight : Airlight{1, 1, 1};
}

void dehaze(const DehazePlan& plan, const Airlight& airlight, Rgb32f& scene) {
  const Blocks blocks = measure(plan, scene);
  Plane t = dark_channel(plan, blocks.least, airlight);
  for (float& value : t.pixels) value = 1.0f - veil_share * value;
  const Coefficients grid = refine(plan, t, blocks.stops);
  const ColumnBlend columns = column_blend(plan.width, plan.step, plan.grid_width);
  const PixelParams params{plan.amount, airlight};
  parallel_for(plan.height, 32, [&](RowRange rows) {
    std::vector<float> line(static_cast<std::size_t>(plan.grid_width));
    std::vector<float> a(static_cast<std::size_t>(plan.width)), b(a.size());
    for (int y = rows.begin; y < rows.end; ++y) {
      const Between at = blocks_around(y, plan.step, plan.grid_height);
      for (const auto& [plane, out] : {std::pair{&grid.a, &a}, {&grid.b, &b}}) {
        blend_rows(plane->row(at.low), plane->row(at.high), at.t, plan.grid_width, line.data());
        blend_columns(line.data(), columns, plan.width, out->data());
      }
      dehaze_row(params, a.data(), b.data(), plan.width, scene.row(y));
    }
  });
}

StageKey key(const DehazePlan& plan, StageKey upstream) {
  if (plan.is_identity()) return upstream;
  return Hash64().add("dehaze").add(upstream).add(plan.amount).add(plan.step).add(plan.patch).add(plan.radius).value();
}

}  // namespace imago::develop
