#include "oracle/perf.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "develop/stages/finish/finish.h"
#include "develop/stages/geom/geom.h"
#include "develop/stages/masks/masks.h"
#include "develop/stages/planes/planes.h"
#include "develop/stages/resize/resize.h"
#include "geometry/rig.h"
#include "gpu/bands.h"
#include "oracle/case.h"
#include "oracle/pictures.h"
#include "pano/face_passes.h"

namespace imago::oracle {
namespace {

using namespace develop;

// The passes of a bench run this often within one run, so that the device is at its working clock and the wait for
// the readback lies outside; the medians of all but the first are told.
constexpr std::size_t repetitions = 25;

// One float and four floats an invocation; the faster one is the bandwidth that a kernel can hope for.
const Kernel copy_one{
    .name = "copy",
    .sources = {R"(@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  output[output_index(at.x, at.y)] = source[input0_index(at.x, at.y)];
})"},
    .inputs = {"source"},
    .output = "output"};
const Kernel copy_four{
    .name = "copy_four",
    .sources = {R"(@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let first = 4u * input0_index(at.x, at.y);
  let to = 4u * output_index(at.x, at.y);
  output[to] = source[first];
  output[to + 1u] = source[first + 1u];
  output[to + 2u] = source[first + 2u];
  output[to + 3u] = source[first + 3u];
})"},
    .inputs = {"source"},
    .output = "output"};

struct Bench {
  PassList list;
  std::vector<int> outputs;
};

// Inputs have keys, so that they stay on the device between the repetitions.
template <typename Samples>
int input(Bench& bench, int width, int height, int channels, Element element, const Samples& samples, StageKey key) {
  const int buffer = upload(bench.list, width, height, channels, element, samples);
  bench.list.buffers[static_cast<std::size_t>(buffer)].key = key;
  return buffer;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

struct Measured {
  std::vector<gpu::PassTime> passes;  // medians
  double in_a_row_ms = 0;             // all passes, once more
  double wall_ms = 0;
  std::string problem;
};

bool is_software() {
  const auto adapter = gpu::adapter();
  return adapter && adapter->type == "Cpu";
}

PassList repeat(const PassList& list, std::size_t times) {
  PassList out = list;
  for (std::size_t i = 1; i < times; ++i) {
    for (Pass pass : list.passes) {
      pass.keep_output = true;  // the executor must not leave the earlier ones out
      out.passes.push_back(std::move(pass));
    }
  }
  return out;
}

// What one more repetition costs. A timestamp may be taken while the pass before is still running, so that the times of
// passes add up to more than this; for passes shorter than their recording this is the larger one.
double milliseconds_in_a_row(const PassList& list, std::span<const gpu::Readback> wanted) {
  constexpr std::size_t more = 2 * repetitions;
  const auto fastest = [&](std::size_t times) {
    const PassList repeated = repeat(list, times);
    double best = 1e9;
    for (int i = 0; i < 4; ++i) best = std::min(best, gpu::run(repeated, wanted).wall_milliseconds);
    return best;
  };
  return (fastest(repetitions + more) - fastest(repetitions)) / static_cast<double>(more);
}

Measured measure(const Bench& bench) {
  std::vector<std::vector<std::byte>> results;
  std::vector<gpu::Readback> wanted;
  for (const int output : bench.outputs) {
    results.emplace_back(gpu::buffer_bytes(bench.list.buffers[static_cast<std::size_t>(output)]));
  }
  for (std::size_t i = 0; i < results.size(); ++i) wanted.push_back({bench.outputs[i], results[i]});
  const PassList repeated = repeat(bench.list, repetitions);
  Measured out;
  gpu::run(bench.list, wanted);  // builds kernels and uploads
  const gpu::RunResult single = gpu::run(bench.list, wanted);
  const gpu::RunResult run = gpu::run(repeated, wanted, {.time_passes = true});
  for (const gpu::RunResult* result : {&single, &run}) {
    if (result->fallback) out.problem = result->fallback->reason;
  }
  if (!out.problem.empty()) return out;
  const std::size_t count = bench.list.passes.size();
  for (std::size_t p = 0; p < count && run.passes.size() == count * repetitions; ++p) {
    std::vector<double> times;
    for (std::size_t i = 1; i < repetitions; ++i) times.push_back(run.passes[i * count + p].milliseconds);
    out.passes.push_back(run.passes[p]);
    out.passes.back().milliseconds = median(std::move(times));
  }
  if (!is_software()) out.in_a_row_ms = milliseconds_in_a_row(bench.list, wanted);
  out.wall_ms = single.wall_milliseconds;
  return out;
}

double gigabytes_per_second(const gpu::PassTime& time) {
  return time.milliseconds > 0 ? static_cast<double>(time.bytes) / time.milliseconds * 1e-6 : 0;
}

// A device that was idle runs at a low clock; this keeps it busy until it does not.
void warm_up(const Bench& bench, std::chrono::milliseconds time) {
  if (is_software()) return;
  const PassList long_list = repeat(bench.list, 400);
  const auto end = std::chrono::steady_clock::now() + time;
  std::vector<std::byte> result(gpu::buffer_bytes(bench.list.buffers[static_cast<std::size_t>(bench.outputs[0])]));
  const gpu::Readback wanted{bench.outputs[0], result};
  while (std::chrono::steady_clock::now() < end && gpu::run(long_list, {&wanted, 1}).ok()) {
  }
}

// Neighbours that run the same kernel (faces) as one row.
std::vector<gpu::PassTime> joined(const std::vector<gpu::PassTime>& passes) {
  std::vector<gpu::PassTime> out;
  for (const gpu::PassTime& pass : passes) {
    if (out.empty() || out.back().kernel != pass.kernel) {
      out.push_back(pass);
      continue;
    }
    out.back().milliseconds += pass.milliseconds;
    out.back().bytes += pass.bytes;
  }
  return out;
}

struct Table {
  double copy_gigabytes_per_second = 0;

  void print(const std::string& name, const Bench& bench) const {
    warm_up(bench, std::chrono::milliseconds(500));
    const Measured measured = oracle::measure(bench);
    if (!measured.problem.empty()) {
      fmt::print("{:40} {}\n", name, measured.problem);
      return;
    }
    double total = 0;
    for (const gpu::PassTime& pass : joined(measured.passes)) {
      const double speed = gigabytes_per_second(pass);
      fmt::print("{:40} {:20} {:9.4f} ms {:9.2f} MB {:9.1f} GB/s {:6.1f} %\n", name, pass.kernel, pass.milliseconds,
                 static_cast<double>(pass.bytes) * 1e-6, speed, 100 * speed / copy_gigabytes_per_second);
      total += pass.milliseconds;
    }
    fmt::print("{:40} {:20} {:9.4f} ms, in a row {:.4f} ms, with readback {:.2f} ms\n", name, "total", total,
               measured.in_a_row_ms, measured.wall_ms);
    std::fflush(stdout);
  }
};

double copy_speed(const std::vector<float>& samples, Size size) {
  double best = 0;
  for (const auto& [kernel, channels] : {std::pair{&copy_one, 1}, {&copy_four, 4}}) {
    Bench bench;
    // Three floats a pixel, as pictures have; whole groups of four.
    const int width = size.width * 3 / channels;
    const int from = input(
        bench, width, size.height, channels, Element::f32,
        std::span(samples).first(static_cast<std::size_t>(width * channels) * static_cast<std::size_t>(size.height)),
        static_cast<StageKey>(100 + channels));
    const int to = bench.list.add_buffer({.width = width, .height = size.height, .channels = channels, .name = "copy"});
    bench.list.passes.push_back({.kernel = kernel, .inputs = {{from, {}}}, .output = to});
    bench.outputs = {to};
    warm_up(bench, std::chrono::seconds(3));
    const Measured measured = measure(bench);
    if (!measured.problem.empty()) fmt::print("{}: {}\n", kernel->name, measured.problem);
    if (measured.passes.empty()) continue;
    fmt::print("{} float{} an invocation: {:.1f} GB/s\n", channels, channels == 1 ? "" : "s",
               gigabytes_per_second(measured.passes[0]));
    best = std::max(best, gigabytes_per_second(measured.passes[0]));
    if (measured.in_a_row_ms > 0) {
      const double in_a_row = static_cast<double>(measured.passes[0].bytes) / measured.in_a_row_ms * 1e-6;
      fmt::print("  in a row: {:.1f} GB/s\n", in_a_row);
    }
    gpu::clear_cache();
  }
  return best;
}

Settings heavy_settings() {
  Settings s;
  s.exposure.ev = 0.6f;
  s.tone = {.highlights = -80, .shadows = 60};
  s.curve.rgb = {{0, 0.02f}, {0.25f, 0.2f}, {0.75f, 0.82f}, {1, 1}};
  for (int i = 0; i < 2; ++i) {
    Mask mask;
    mask.exposure_ev = 0.5f;
    s.masks.list.push_back(mask);
  }
  return s;
}

void finish_benches(const Table& table, const std::vector<float>& samples, Size size, const std::string& at) {
  const auto run = [&](const std::string& name, const Settings& settings, FinishOutput output) {
    const FinishPlan plan = plan_finish(settings, {});
    Bench bench;
    const std::size_t pixels = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
    const auto add = [&](int channels, StageKey key) {
      return input(bench, size.width, size.height, channels, Element::f32,
                   std::span(samples).first(pixels * static_cast<std::size_t>(channels)), key);
    };
    const int image = add(3, 1);
    const int base = plan.needs_base() ? add(1, 2) : -1;
    int masks = -1;
    if (plan.needs_masks()) {
      masks = add(1, 3);
      bench.list.buffers[static_cast<std::size_t>(masks)].element = Element::u32;
    }
    bench.outputs = {add_finish(plan, bench.list, image, base, masks, output)};
    table.print(name + at, bench);
  };
  run("finish defaults u8", {}, FinishOutput::rgba8);
  run("finish heavy u8", heavy_settings(), FinishOutput::rgba8);
  run("finish defaults f32", {}, FinishOutput::f32x4);
}

void geom_benches(const Table& table, const std::vector<float>& samples, Size size) {
  const auto run = [&](const std::string& name, const Geometry& geometry, int orientation, GeomFilter filter) {
    const GeomPlan plan = plan_geom(geometry, orientation, size.width, size.height, filter);
    Bench bench;
    const int source = input(bench, size.width, size.height, 3, Element::f32, samples, 1);
    bench.outputs = {add_geom(plan, bench.list, source)};
    table.print(name, bench);
  };
  run("geom flip", {}, 2, GeomFilter::bicubic);
  run("geom quarter turn", {}, 6, GeomFilter::bicubic);
  run("geom straighten 2.5", {.straighten_deg = 2.5f}, 1, GeomFilter::bicubic);
  run("geom straighten 2.5 draft", {.straighten_deg = 2.5f}, 1, GeomFilter::bilinear);
  run("geom straighten and turn", {.straighten_deg = 2.5f}, 6, GeomFilter::bicubic);
}

void area_benches(const Table& table, const std::vector<float>& samples, Size size) {
  const auto source = [&](Bench& bench) { return input(bench, size.width, size.height, 3, Element::f32, samples, 1); };
  for (const int long_edge : {2560, 1920}) {
    if (long_edge >= size.width) continue;
    const ResizePlan plan =
        plan_resize(size.width, size.height, long_edge, std::max(1, size.height * long_edge / size.width));
    Bench bench;
    bench.outputs = {add_resize(plan, bench.list, source(bench))};
    table.print(fmt::format("resize to {}", long_edge), bench);
  }
  Bench planes;
  planes.outputs = {add_planes(plan_planes(size.width, size.height, std::hypot(size.width, size.height)), planes.list,
                               source(planes))};
  table.print("planes", planes);
  Bench masks;
  const GeomPlan geom = plan_geom({}, 1, size.width, size.height);
  masks.outputs = {add_masks(
      plan_masks(heavy_settings().masks, sensor_from_output(geom), size.width, size.height, size.width, size.height),
      masks.list)};
  table.print("two masks", masks);
}

void face_benches(const Table& table) {
  const int width = is_software() ? 1024 : 8192;
  constexpr double fov_rad = 96 * std::numbers::pi / 180;
  pano::PaddedPanorama panorama(width, width / 2);
  for (std::size_t i = 0; i < panorama.pixels.pixels.size(); ++i) {
    panorama.pixels.pixels[i] = static_cast<std::uint8_t>(mix64(i));
  }
  std::vector<std::array<double, 9>> rotations;
  for (const geometry::RigCamera& camera : geometry::cube6().cameras) rotations.push_back(camera.cam_from_pano);
  for (std::size_t f = 0; f < pano::filter_names.size(); ++f) {
    const pano::FacesPlan plan = pano::plan_faces(
        width, width / 2, rotations, fov_rad, pano::automatic_face_size(width, fov_rad), static_cast<pano::Filter>(f));
    const pano::PanoramaLevels levels = pano::build_levels(plan, panorama);
    Bench bench;
    bench.outputs = pano::add_faces(plan, levels, bench.list);
    bench.list.buffers[0].key = 10;
    table.print(fmt::format("six faces of {}, panorama {}, {}", plan.faces[0].size, width, pano::filter_names[f]),
                bench);
  }
}

}  // namespace

int perf(const std::string& size_text) {
  Size size{};
  if (std::sscanf(size_text.c_str(), "%dx%d", &size.width, &size.height) != 2 || size.width < 4 || size.height < 1 ||
      size.width > 20000 || size.height > 20000) {
    fmt::print("size '{}' is not WIDTHxHEIGHT\n", size_text);
    return 2;
  }
  std::vector<float> samples(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) * 3);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = random_unit(i);
  gpu::set_cache_bytes(std::uint64_t{4} << 30);
  Table table{copy_speed(samples, size)};
  if (table.copy_gigabytes_per_second == 0) {
    fmt::print("no times: the adapter has no timestamp queries\n");
    return 0;
  }
  fmt::print("copy {:.1f} GB/s; medians of {} runs at {}x{}; bytes: inputs read once + output written once\n",
             table.copy_gigabytes_per_second, repetitions, size.width, size.height);
  finish_benches(table, samples, size, "");
  geom_benches(table, samples, size);
  area_benches(table, samples, size);
  gpu::clear_cache();
  if (size.width >= 1920 && size.height >= 1280) {
    finish_benches(table, samples, {1920, 1280}, " 1920x1280");
    gpu::clear_cache();
  }
  face_benches(table);
  return 0;
}

}  // namespace imago::oracle
