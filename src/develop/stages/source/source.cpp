#include "develop/stages/source/source.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "develop/stages/source/camera_color.h"
#include "develop/stages/source/demosaic.h"
#include "develop/stages/source/highlights.h"
#include "develop/stages/source/levels.h"
#include "develop/stages/source/opcodes.h"

namespace imago::develop {
namespace {

constexpr int chunk_rows = 64;

Error unusable(const std::string& reason) { return {ErrorKind::input, reason}; }

bool contains(Rect outer, Rect inner) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.right() <= outer.right() && inner.bottom() <= outer.bottom();
}

void plan_area(const io::RawImage& raw, SourcePlan& plan) {
  const Rect active = raw.active_area;
  plan.crop = {active.x + raw.default_crop.x, active.y + raw.default_crop.y, raw.default_crop.width,
               raw.default_crop.height};
  if (plan.crop.empty() || !contains(active, plan.crop) || !contains({0, 0, raw.width, raw.height}, active)) {
    throw unusable("the picture's crop lies outside of its sensor area");
  }
  const std::size_t samples = static_cast<std::size_t>(raw.width) * static_cast<std::size_t>(raw.height) *
                              static_cast<std::size_t>(raw.channels());
  if (raw.samples.size() != samples && raw.float_samples.size() != samples) {
    throw unusable("the raw holds no samples");
  }
  const int margin = raw.layout == io::RawLayout::bayer ? demosaic_margin : 0;
  const int left = std::max(active.x, plan.crop.x - margin);
  const int top = std::max(active.y, plan.crop.y - margin);
  plan.window = {left, top, std::min(active.right(), plan.crop.right() + margin) - left,
                 std::min(active.bottom(), plan.crop.bottom() + margin) - top};
}

BayerPhase bayer_phase(const io::RawCfa& cfa, int x, int y) {
  for (int red_y = 0; red_y < 2; ++red_y) {
    for (int red_x = 0; red_x < 2; ++red_x) {
      const bool bayer = cfa.color(x + red_x, y + red_y) == 0 && cfa.color(x + 1 + red_x, y + 1 + red_y) == 2 &&
                         cfa.color(x + 1 + red_x, y + red_y) == 1 && cfa.color(x + red_x, y + 1 + red_y) == 1;
      if (bayer) return {red_x, red_y};
    }
  }
  throw unusable("this colour filter mosaic is not supported yet (2 x 2, but not red, green, green, blue)");
}

// Mean black of a channel: what its range is measured from.
double mean_black(const io::RawImage& raw, int channel) {
  const io::RawBlack& black = raw.black;
  double level = static_cast<double>(black.per_channel[static_cast<std::size_t>(channel)]);
  double sum = 0;
  int count = 0;
  for (int y = 0; y < black.pattern_height; ++y) {
    for (int x = 0; x < black.pattern_width; ++x) {
      // An even pattern is tied to the mosaic's colours; an odd one meets them all.
      const bool tied =
          raw.layout == io::RawLayout::bayer && black.pattern_width % 2 == 0 && black.pattern_height % 2 == 0;
      if (tied && raw.cfa.channel(raw.active_area.x + x, raw.active_area.y + y) != channel) continue;
      const int sub = black.pattern_channels == 1 ? 0 : std::min(channel, black.pattern_channels - 1);
      sum += static_cast<double>(
          black.pattern[static_cast<std::size_t>((y * black.pattern_width + x) * black.pattern_channels + sub)]);
      ++count;
    }
  }
  if (count > 0) level += sum / count;
  for (const auto* deltas : {&black.delta_rows, &black.delta_columns}) {
    double total = 0;
    for (const float delta : *deltas) total += static_cast<double>(delta);
    if (!deltas->empty()) level += total / static_cast<double>(deltas->size());
  }
  return level;
}

void plan_levels(const io::RawImage& raw, SourcePlan& plan) {
  const bool colored = raw.layout != io::RawLayout::monochrome;
  std::array<double, 3> gains{1, 1, 1};
  if (colored) {
    for (std::size_t c = 0; c < 3; ++c) {
      if (!(raw.neutral[c] > 0) || !std::isfinite(raw.neutral[c])) throw unusable("the white balance is not usable");
      gains[c] = 1 / raw.neutral[c];
    }
    const double smallest = *std::min_element(gains.begin(), gains.end());
    for (double& gain : gains) gain /= smallest;
  }
  for (std::size_t channel = 0; channel < 4; ++channel) {
    const std::size_t color = channel == 3 ? 1 : channel;
    const bool used = raw.layout == io::RawLayout::bayer ? true : channel < (colored ? 3u : 1u);
    if (!used) continue;
    const double range = static_cast<double>(raw.white[channel]) - mean_black(raw, static_cast<int>(channel));
    if (!(range > 0) || !std::isfinite(range)) throw unusable("black and white level do not fit together");
    plan.scales[channel] = static_cast<float>(gains[color] / range);
  }
  for (std::size_t c = 0; c < 3; ++c) {
    plan.gains[c] = static_cast<float>(gains[c]);
    const double black = mean_black(raw, static_cast<int>(c));
    const double range = static_cast<double>(raw.white[c]) - black;
    const double full = (static_cast<double>(raw.clip[c]) - black) / range;
    // A level that makes no sense is none: clipped at white.
    plan.clip[c] = static_cast<float>(full > 0.5 && full < 2 ? gains[c] * full : gains[c]);
  }
  plan.bounded = raw.samples.size() != 0;
}

void plan_opcodes(const io::RawImage& raw, SourcePlan& plan) {
  const bool is_mosaic = raw.channels() == 1;
  plan.active = raw.active_area;
  plan.cfa = raw.cfa;
  for (std::size_t list = 1; list < 3; ++list) {
    // A monochrome sensor is interpolated by nothing: its third list goes on samples, too.
    const bool on_samples = is_mosaic && (list == 1 || raw.layout == io::RawLayout::monochrome);
    auto& planned = on_samples ? plan.mosaic_opcodes : plan.picture_opcodes;
    std::ranges::copy_if(raw.opcodes[list], std::back_inserter(planned), changes_light);
  }
}

// Pixel by pixel on what already has three samples.
IMAGO_SIMD_CLONES void apply_matrix(float* pixels, int count, const float* matrix) {
  const float m0 = matrix[0], m1 = matrix[1], m2 = matrix[2], m3 = matrix[3], m4 = matrix[4], m5 = matrix[5],
              m6 = matrix[6], m7 = matrix[7], m8 = matrix[8];
  for (int i = 0; i < count; ++i) {
    const float r = pixels[3 * i], g = pixels[3 * i + 1], b = pixels[3 * i + 2];
    pixels[3 * i] = (m0 * r + m1 * g) + m2 * b;
    pixels[3 * i + 1] = (m3 * r + m4 * g) + m5 * b;
    pixels[3 * i + 2] = (m6 * r + m7 * g) + m8 * b;
  }
}

void apply_matrix(Rgb32f& picture, const SourcePlan& plan) {
  parallel_for(picture.height, chunk_rows, [&](RowRange rows) {
    apply_matrix(picture.row(rows.begin), rows.count() * picture.width, plan.working_from_camera.data());
  });
}

Rgb32f develop_linear(io::RawImage&& raw, const SourcePlan& plan) {
  Rgb32f picture = level_linear(raw, plan);
  raw.samples = {};
  raw.float_samples = {};
  apply_picture_opcodes(plan.picture_opcodes, plan, plan.window, picture);
  if (plan.bounded) limit_linear(picture, plan);
  apply_matrix(picture, plan);
  return picture;
}

Rgb32f develop_monochrome(io::RawImage&& raw, const SourcePlan& plan) {
  Plane light = level_mosaic(raw, plan);
  apply_mosaic_opcodes(plan.mosaic_opcodes, plan, light);
  raw.samples = {};
  raw.float_samples = {};
  Rgb32f picture(light.width, light.height);
  const float gain = plan.working_from_camera[0];
  parallel_for(light.height, chunk_rows, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) {
      const float* from = light.row(y);
      float* to = picture.row(y);
      for (int x = 0; x < light.width; ++x) to[3 * x] = to[3 * x + 1] = to[3 * x + 2] = gain * from[x];
    }
  });
  return picture;
}

Rgb32f develop_bayer(io::RawImage&& raw, const SourcePlan& plan) {
  Plane mosaic = level_mosaic(raw, plan);
  raw.samples = {};
  raw.float_samples = {};
  apply_mosaic_opcodes(plan.mosaic_opcodes, plan, mosaic);
  if (plan.bounded) {
    if (plan.highlights == HighlightMethod::opposed) {
      fill_opposed(mosaic, plan, measure_opposed(mosaic, plan));
    } else {
      clip_highlights(mosaic);
    }
  }
  const Rect crop{plan.crop.x - plan.window.x, plan.crop.y - plan.window.y, plan.crop.width, plan.crop.height};
  if (plan.picture_opcodes.empty()) return demosaic_bayer(mosaic, plan.phase, crop, plan.working_from_camera);
  Rgb32f picture = demosaic_bayer(mosaic, plan.phase, crop, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  apply_picture_opcodes(plan.picture_opcodes, plan, plan.crop, picture);
  apply_matrix(picture, plan);
  return picture;
}

}  // namespace

SourcePlan plan_source(const io::RawImage& raw, const SourceSettings& settings) {
  if (raw.layout == io::RawLayout::xtrans) throw unusable("X-Trans demosaic is not there yet");
  SourcePlan plan;
  plan.layout = raw.layout;
  plan.highlights = static_cast<HighlightMethod>(settings.highlights);
  plan_area(raw, plan);
  if (raw.layout == io::RawLayout::bayer) plan.phase = bayer_phase(raw.cfa, plan.window.x, plan.window.y);
  plan_levels(raw, plan);
  plan_opcodes(raw, plan);
  plan.working_from_camera = working_from_balanced_camera(raw);
  plan.hue_sat = derive_look_table(hue_sat_map(raw), plan.hue_sat_table);
  if (plan.hue_sat.enabled != 0) {
    plan.exposure_gain = static_cast<float>(exposure_gain(raw));
    plan.working_from_camera = prophoto_from_balanced_camera(raw);
  }
  return plan;
}

Rgb32f develop_source(io::RawImage&& raw, const SourcePlan& plan) {
  Rgb32f picture;
  switch (plan.layout) {
    case io::RawLayout::linear: picture = develop_linear(std::move(raw), plan); break;
    case io::RawLayout::monochrome: picture = develop_monochrome(std::move(raw), plan); break;
    default: picture = develop_bayer(std::move(raw), plan); break;
  }
  apply_hue_sat(plan, picture);
  return picture;
}

}  // namespace imago::develop
