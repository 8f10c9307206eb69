#include "develop/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/log.h"
#include "base/parallel.h"
#include "base/settings_folder.h"
#include "develop/render.h"
#include "develop/synthetic_photo.h"

namespace imago::develop {
namespace {

using nlohmann::json;

constexpr int picture_width = 1536;
constexpr int picture_height = 1024;

RenderRequest heavy_request() {
  RenderRequest request;
  request.settings.tone.highlights = -40;
  request.settings.tone.shadows = 30;
  return request;
}

// The faster of two runs: the first one builds kernels and touches memory.
template <typename Render>
std::optional<double> nanoseconds_a_pixel(const Render& render) {
  double best = 0;
  for (int run = 0; run < 2; ++run) {
    const auto start = std::chrono::steady_clock::now();
    if (!render()) return std::nullopt;
    const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
    best = run == 0 ? ns : std::min(best, ns);
  }
  return best / (picture_width * picture_height);
}

std::optional<double> time_gpu(Photo& photo, const Plan& plan) {
  const RowSink nowhere = [](RowRange, std::span<const std::byte>) {};
  return nanoseconds_a_pixel([&] { return !render_gpu(plan, photo, io::SampleType::u8, false, nowhere); });
}

std::optional<double> time_cpu(Photo& photo, const Plan& plan) {
  const RowSink nowhere = [](RowRange, std::span<const std::byte>) {};
  return nanoseconds_a_pixel([&] {
    StageCache keeps_the_source;
    render_cpu(plan, photo, io::SampleType::u8, &keeps_the_source, nowhere, {});
    return true;
  });
}

json key_of(const gpu::AdapterInfo& adapter) {
  return {{"adapter", adapter.name},
          {"backend", adapter.backend},
          {"driver", adapter.driver},
          {"process", process_version},
          {"threads", thread_count()}};
}

std::optional<RenderSpeed> speed_of(const json& kept) {
  const auto number = [&](const char* name) { return kept.is_object() ? kept.value(name, 0.0) : 0.0; };
  const RenderSpeed speed{number("cpuLightNs"), number("gpuLightNs"), number("cpuHeavyNs"), number("gpuHeavyNs")};
  if (std::min({speed.cpu_light_ns, speed.gpu_light_ns, speed.cpu_heavy_ns, speed.gpu_heavy_ns}) <= 0) {
    return std::nullopt;
  }
  return speed;
}

void keep(const std::filesystem::path& file, const json& key, const RenderSpeed& speed) {
  const json kept = {{"key", key},
                     {"cpuLightNs", speed.cpu_light_ns},
                     {"gpuLightNs", speed.gpu_light_ns},
                     {"cpuHeavyNs", speed.cpu_heavy_ns},
                     {"gpuHeavyNs", speed.gpu_heavy_ns}};
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  try {
    write_file_atomically(file, kept.dump(2) + "\n");
  } catch (const Error& error) {
    log_debug("{}", error.what());
  }
}

}  // namespace

std::optional<RenderSpeed> measure_speed() {
  Photo photo = synthetic_photo(picture_width, picture_height);
  const Plan light = plan(photo, {});
  const Plan heavy = plan(photo, heavy_request());
  const auto gpu_light = time_gpu(photo, light);
  const auto gpu_heavy = time_gpu(photo, heavy);
  const auto cpu_light = time_cpu(photo, light);
  const auto cpu_heavy = time_cpu(photo, heavy);
  if (!gpu_light || !gpu_heavy || !cpu_light || !cpu_heavy) return std::nullopt;
  return RenderSpeed{*cpu_light, *gpu_light, *cpu_heavy, *gpu_heavy};
}

std::optional<RenderSpeed> kept_speed(const std::filesystem::path& file, const gpu::AdapterInfo& adapter,
                                      const std::function<std::optional<RenderSpeed>()>& measure) {
  const json key = key_of(adapter);
  if (!file.empty()) {
    std::ifstream in(file);
    const json kept = json::parse(in, nullptr, false);
    if (kept.is_object() && kept.contains("key") && kept["key"] == key) {
      try {
        if (const auto speed = speed_of(kept)) return speed;
      } catch (const json::exception&) {  // a number that is a text: measured again
      }
    }
  }
  const std::optional<RenderSpeed> speed = measure();
  if (speed && !file.empty()) keep(file, key, *speed);
  return speed;
}

bool is_gpu_faster(const RenderSpeed& speed, const Plan& plan) {
  const bool heavy = plan.finish.needs_base() || !plan.geom.is_identity || !plan.resize.is_identity();
  return heavy ? speed.gpu_heavy_ns <= speed.cpu_heavy_ns : speed.gpu_light_ns <= speed.cpu_light_ns;
}

std::string prefers_cpu(const Plan& plan) {
  const std::optional<gpu::AdapterInfo> adapter = gpu::adapter();
  // A software adapter is in use only where somebody asked for it.
  if (!adapter || adapter->type == "DiscreteGpu" || adapter->type == "Cpu") return "";
  static const std::optional<RenderSpeed> speed = [&] {
    const std::optional<std::filesystem::path> folder = cache_folder();
    return kept_speed(folder ? *folder / "gpu-speed.json" : std::filesystem::path(), *adapter, measure_speed);
  }();
  if (!speed || is_gpu_faster(*speed, plan)) return "";
  return fmt::format("{} takes longer for this render than the CPU (--backend gpu uses it all the same)",
                     adapter->name);
}

}  // namespace imago::develop
