#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "develop/render.h"

namespace imago::develop {
namespace {

constexpr int sink_rows = 256;

// RGB rows of the sink from the device's RGBA.
template <typename To, typename From, typename Convert>
void sink_rgb(const RowSink& sink, const Plan& plan, const From* rgba, Convert&& convert) {
  const std::size_t width = static_cast<std::size_t>(plan.width);
  std::vector<To> strip;
  for (int y = 0; y < plan.height; y += sink_rows) {
    const RowRange rows{y, std::min(y + sink_rows, plan.height)};
    const From* from = rgba + static_cast<std::size_t>(y) * width * 4;
    strip.resize(static_cast<std::size_t>(rows.count()) * width * 3);
    parallel_for(rows.count(), 32, [&](RowRange part) {
      for (std::size_t i = static_cast<std::size_t>(part.begin) * width; i < static_cast<std::size_t>(part.end) * width;
           ++i) {
        for (std::size_t k = 0; k < 3; ++k) strip[3 * i + k] = convert(from[4 * i + k]);
      }
    });
    sink(rows, std::as_bytes(std::span(strip)));
  }
}

}  // namespace

RenderPasses render_passes(const Plan& plan, const Photo& photo, io::SampleType samples) {
  RenderPasses render;
  PassList& list = render.list;
  const Rgb32f& source = photo.source;
  int scene = list.add_buffer({source.width, source.height, 3, Element::f32, plan.source_key, "source"});
  list.uploads.push_back({scene, std::as_bytes(std::span(source.pixels.data(), source.pixels.size()))});
  scene = add_geom(plan.geom, list, scene, plan.geom_key);
  scene = add_resize(plan.resize, list, scene, plan.scene_key);
  const int base = plan.finish.needs_base() ? add_planes(plan.planes, list, scene, plan.base_key) : -1;
  const int masks = plan.finish.needs_masks() ? add_masks(plan.masks, list, plan.masks_key) : -1;
  render.form = samples == io::SampleType::u8 ? FinishOutput::rgba8 : FinishOutput::f32x4;
  render.output = add_finish(plan.finish, list, scene, base, masks, render.form);
  return render;
}

std::string needs_cpu(const Plan& plan) {
  if (!plan.noise.is_identity()) return "noise reduction runs on the CPU";
  if (!plan.spots.is_identity()) return "spots are removed on the CPU";
  if (!plan.dehaze.is_identity()) return "dehaze runs on the CPU";
  if (plan.finish.needs_masks() && !plan.masks.is_linear()) {
    return "radial, brush, range and combined masks run on the CPU";
  }
  if (plan.has_detail()) return "sharpening, texture and clarity run on the CPU";
  return "";
}

std::optional<gpu::Fallback> render_gpu(const Plan& plan, const Photo& photo, io::SampleType samples, bool keep,
                                        const RowSink& sink, gpu::RunResult* run) {
  if (!gpu::available()) return gpu::Fallback{gpu::Fallback::Kind::not_tried, gpu::unavailable_reason()};
  if (std::string why = needs_cpu(plan); !why.empty()) {
    return gpu::Fallback{gpu::Fallback::Kind::not_tried, std::move(why)};
  }
  const RenderPasses render = render_passes(plan, photo, samples);
  const std::size_t values = static_cast<std::size_t>(plan.width) * static_cast<std::size_t>(plan.height) * 4;
  PixelBuffer<std::uint8_t> codes(render.form == FinishOutput::rgba8 ? values : 0);
  PixelBuffer<float> floats(render.form == FinishOutput::f32x4 ? values : 0);
  const std::span<std::byte> destination = render.form == FinishOutput::rgba8
                                               ? std::as_writable_bytes(std::span(codes.data(), codes.size()))
                                               : std::as_writable_bytes(std::span(floats.data(), floats.size()));
  const gpu::Written written = render.form == FinishOutput::rgba8 ? gpu::Written::alpha_255 : gpu::Written::alpha_one;
  const gpu::Readback wanted{render.output, destination, written};
  gpu::RunOptions options;
  options.use_cache = keep;
  const gpu::RunResult result = gpu::run(render.list, std::span(&wanted, 1), options);
  if (run != nullptr) *run = result;
  if (result.fallback) {
    return gpu::Fallback{result.fallback->kind,
                         fmt::format("{}×{}: {}", plan.width, plan.height, result.fallback->reason)};
  }
  // A really black photograph costs one render on the CPU, nothing else.
  if (gpu::entirely_black(destination, written)) {
    return gpu::Fallback{gpu::Fallback::Kind::failed,
                         fmt::format("{}×{}: the GPU returned an entirely black image", plan.width, plan.height)};
  }
  switch (samples) {
    case io::SampleType::u8:
      sink_rgb<std::uint8_t>(sink, plan, codes.data(), [](std::uint8_t code) { return code; });
      break;
    case io::SampleType::u16:
      sink_rgb<std::uint16_t>(sink, plan, floats.data(), [](float value) { return u16_from_encoded(value); });
      break;
    case io::SampleType::f32: sink_rgb<float>(sink, plan, floats.data(), [](float value) { return value; }); break;
  }
  return std::nullopt;
}

}  // namespace imago::develop
