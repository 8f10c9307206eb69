#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include "base/parallel.h"
#include "develop/render.h"

namespace imago::develop {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The framed picture at the output's size. Empty when that is the source itself.
Rgb32f make_scene(const Plan& plan, Photo& photo, bool free_source) {
  Rgb32f framed;
  if (!plan.geom.is_identity) {
    framed = Rgb32f(plan.geom.output_width, plan.geom.output_height);
    parallel_for(framed.height, 32,
                 [&](RowRange rows) { geom_rows(plan.geom, photo.source, rows, framed.row(rows.begin)); });
    if (free_source) photo.source = {};
  }
  if (plan.resize.is_identity()) return framed;
  Rgb32f resized = resample(framed.empty() ? photo.source : framed, plan.resize.columns, plan.resize.rows);
  if (free_source) photo.source = {};
  return resized;
}

Rgb32f copy_of(const Rgb32f& picture) {
  Rgb32f copy(picture.width, picture.height);
  std::copy(picture.pixels.begin(), picture.pixels.end(), copy.pixels.begin());
  return copy;
}

// The scene without spots, noise and haze.
Rgb32f make_clean(const Plan& plan, const Rgb32f& scene) {
  Rgb32f clean;
  if (!plan.spots.is_identity()) {
    clean = copy_of(scene);
    fill_spots(plan.spots, clean);
  }
  if (!plan.noise.is_identity()) clean = reduce_noise(plan.noise, clean.empty() ? scene : clean);
  if (!plan.dehaze.is_identity()) {
    if (clean.empty()) clean = copy_of(scene);
    dehaze(plan.dehaze, airlight_of(plan.dehaze, clean), clean);
  }
  return clean;
}

PixelBuffer<std::uint32_t> make_masks(const MasksPlan& plan, const Rgb32f& scene) {
  const std::size_t row_words = static_cast<std::size_t>(plan.width) * static_cast<std::size_t>(plan.words_per_pixel());
  PixelBuffer<std::uint32_t> words(row_words * static_cast<std::size_t>(plan.height));
  parallel_for(plan.height, 32, [&](RowRange rows) {
    mask_rows(plan, rows, words.data() + static_cast<std::size_t>(rows.begin) * row_words, &scene);
  });
  return words;
}

std::size_t bytes_of(io::SampleType samples) {
  return samples == io::SampleType::u8 ? 1 : samples == io::SampleType::u16 ? 2 : 4;
}

struct Finish {
  const Plan& plan;
  const Rgb32f& scene;
  const Plane& base;
  const PixelBuffer<std::uint32_t>& masks;
  io::SampleType samples;

  void run(RowRange rows, std::byte* out) const {
    FinishInputs inputs{&scene, plan.finish.needs_base() ? &base : nullptr, nullptr, 0};
    if (plan.finish.needs_masks()) {
      inputs.words_per_pixel = plan.masks.words_per_pixel();
      inputs.mask_words = masks.data() + static_cast<std::size_t>(rows.begin) * static_cast<std::size_t>(plan.width) *
                                             static_cast<std::size_t>(inputs.words_per_pixel);
    }
    switch (samples) {
      case io::SampleType::u8: return finish_rows(plan.finish, inputs, rows, reinterpret_cast<std::uint8_t*>(out));
      case io::SampleType::u16: return finish_rows(plan.finish, inputs, rows, reinterpret_cast<std::uint16_t*>(out));
      case io::SampleType::f32: return finish_rows(plan.finish, inputs, rows, reinterpret_cast<float*>(out));
    }
  }
};

// Strips are finished on all threads while the sink (an encoder, on one) works on the strip before.
void stream(const Finish& finish, const RowSink& sink, const CancelToken& cancel) {
  constexpr int strip_rows = 256;
  constexpr int band_rows = 16;
  const int height = finish.plan.height;
  const std::size_t row_bytes = static_cast<std::size_t>(finish.plan.width) * 3 * bytes_of(finish.samples);
  PixelBuffer<std::byte> strips[2] = {PixelBuffer<std::byte>(row_bytes * strip_rows),
                                      PixelBuffer<std::byte>(row_bytes * strip_rows)};
  std::future<void> sunk;
  for (int y = 0, turn = 0; y < height; y += strip_rows, turn ^= 1) {
    cancel.throw_if_cancelled();
    const RowRange strip{y, std::min(y + strip_rows, height)};
    std::byte* const out = strips[turn].data();
    parallel_for(strip.count(), band_rows, [&](RowRange rows) {
      finish.run({y + rows.begin, y + rows.end}, out + static_cast<std::size_t>(rows.begin) * row_bytes);
    });
    if (sunk.valid()) sunk.get();
    sunk = std::async(std::launch::async, [&sink, strip, out, row_bytes] {
      sink(strip, {out, static_cast<std::size_t>(strip.count()) * row_bytes});
    });
  }
  if (sunk.valid()) sunk.get();
}

}  // namespace

StageTimes render_cpu(const Plan& plan, Photo& photo, io::SampleType samples, StageCache* cache, const RowSink& sink,
                      const CancelToken& cancel) {
  StageTimes times;
  StageCache fresh;
  StageCache& stages = cache != nullptr ? *cache : fresh;

  auto start = Clock::now();
  if (stages.scene_key != plan.scene_key) {
    stages.scene = make_scene(plan, photo, cache == nullptr);
    stages.scene_key = plan.scene_key;
  }
  const Rgb32f& framed = stages.scene.empty() ? photo.source : stages.scene;
  times.scene_ms = ms_since(start);
  cancel.throw_if_cancelled();

  start = Clock::now();
  if (plan.is_clean()) {
    stages.clean = {};
    stages.clean_key = 0;
  } else if (stages.clean_key != plan.clean_key) {
    stages.clean = make_clean(plan, framed);
    stages.clean_key = plan.clean_key;
    if (cache == nullptr) photo.source = {}, stages.scene = {};
  }
  const Rgb32f& scene = plan.is_clean() ? framed : stages.clean;
  times.clean_ms = ms_since(start);
  cancel.throw_if_cancelled();

  start = Clock::now();
  if (plan.needs_base() && stages.base_key != plan.base_key) {
    stages.base = base_layer(plan.planes, scene);
    stages.base_key = plan.base_key;
  }
  if (plan.finish.needs_masks() && stages.masks_key != plan.masks_key) {
    stages.masks = make_masks(plan.masks, scene);
    stages.masks_key = plan.masks_key;
  }
  if (!plan.has_detail()) {
    stages.detailed = {};
    stages.detail_key = 0;
  } else if (stages.detail_key != plan.detail_key) {
    stages.detailed = apply_detail(plan.detail, scene, plan.detail.needs_base() ? &stages.base : nullptr);
    stages.detail_key = plan.detail_key;
    if (cache == nullptr) photo.source = {}, stages.scene = {}, stages.clean = {};
  }
  times.base_ms = ms_since(start);
  cancel.throw_if_cancelled();

  start = Clock::now();
  stream({plan, plan.has_detail() ? stages.detailed : scene, stages.base, stages.masks, samples}, sink, cancel);
  times.finish_ms = ms_since(start);
  return times;
}

}  // namespace imago::develop
