#include "develop/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "base/field_access.h"
#include "develop/render.h"
#include "develop/synthetic_photo.h"

namespace imago::develop {
namespace {

constexpr int picture_width = 480;
constexpr int picture_height = 320;

struct Case {
  std::string name;
  RenderRequest request;
  io::SampleType samples = io::SampleType::u8;
};

std::vector<Case> cases() {
  std::vector<Case> out = {{"default settings", {}}, {"default settings, 16 bits", {}, io::SampleType::u16}};
  out.push_back({"half size", {.long_edge_px = picture_width / 2}});
  Case turned{"straightened and cropped", {}};
  turned.request.settings.geometry.straighten_deg = 3.5F;
  turned.request.settings.geometry.crop_right = 0.8F;
  turned.request.settings.geometry.quarter_turns = 1;
  out.push_back(turned);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Case random{fmt::format("every tool at random, {}", seed), {}};
    for (const Tool& tool : tools) {
      random_fields(tool.fields, reinterpret_cast<std::byte*>(&random.request.settings) + tool.offset, seed);
    }
    random.request.settings.noise = {};  // the CPU's alone
    random.request.settings.sharpen = {};
    random.request.settings.spots = {};
    for (Mask& mask : random.request.settings.masks.list) mask.kind = mask.combine = 0;
    random.request.settings.presence = {};
    random.request.settings.geometry = {};  // a random crop leaves a few pixels
    out.push_back(random);
  }
  return out;
}

struct Samples {
  std::vector<double> values;  // in 8-bit steps
  double milliseconds = 0;
  std::string problem;
};

RowSink collect(io::SampleType type, std::vector<double>& values) {
  return [type, &values](RowRange, std::span<const std::byte> bytes) {
    const std::size_t size = type == io::SampleType::u8 ? 1 : 2;
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      std::uint16_t word = 0;
      std::memcpy(&word, &bytes[at], size);
      values.push_back(size == 1 ? word : word / 257.0);
    }
  };
}

Samples render(const Case& test, Photo& photo, bool on_gpu, const CancelToken& cancel) {
  Samples out;
  const Plan plan = develop::plan(photo, test.request);
  const auto start = std::chrono::steady_clock::now();
  if (on_gpu) {
    const auto fallback = render_gpu(plan, photo, test.samples, false, collect(test.samples, out.values));
    if (fallback) out.problem = fallback->reason;
  } else {
    StageCache keeps_the_source;
    render_cpu(plan, photo, test.samples, &keeps_the_source, collect(test.samples, out.values), cancel);
  }
  out.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return out;
}

void compare(const Samples& gpu, const Samples& cpu, SelftestResult& result) {
  if (gpu.values.size() != cpu.values.size()) {
    result.problem = "the sizes differ";
    return;
  }
  double sum = 0;
  std::size_t over_one = 0;
  for (std::size_t i = 0; i < cpu.values.size(); ++i) {
    const double difference = std::abs(gpu.values[i] - cpu.values[i]);
    result.largest = std::max(result.largest, difference);
    sum += difference;
    if (difference > 1) ++over_one;
  }
  const auto count = static_cast<double>(cpu.values.size());
  result.mean = sum / count;
  const bool is_equal =
      result.largest <= 3 && static_cast<double>(over_one) <= std::max(1.0, 1e-5 * count) && result.mean <= 0.002;
  if (!is_equal) result.problem = fmt::format("the pictures differ, {} samples by more than one step", over_one);
}

}  // namespace

std::vector<SelftestResult> selftest(const CancelToken& cancel) {
  Photo photo = synthetic_photo(picture_width, picture_height);
  std::vector<SelftestResult> results;
  for (const Case& test : cases()) {
    cancel.throw_if_cancelled();
    SelftestResult result{.name = test.name};
    render(test, photo, true, cancel);  // builds the kernels
    const Samples gpu = render(test, photo, true, cancel);
    const Samples cpu = render(test, photo, false, cancel);
    result.gpu_ms = gpu.milliseconds;
    result.cpu_ms = cpu.milliseconds;
    result.problem = gpu.problem;
    if (result.problem.empty()) compare(gpu, cpu, result);
    results.push_back(result);
  }
  return results;
}

}  // namespace imago::develop
