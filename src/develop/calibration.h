// Whether a GPU is worth using for a render. A discrete one always is; an integrated one may be slower than the CPU
// beside it, so both are timed once on a small picture and the answer is kept in the cache folder.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "develop/plan.h"
#include "gpu/gpu.h"

namespace imago::develop {

// Nanoseconds a pixel of the output, with upload and readback. Light: per-pixel tools alone; heavy: with
// neighbourhoods.
struct RenderSpeed {
  double cpu_light_ns = 0;
  double gpu_light_ns = 0;
  double cpu_heavy_ns = 0;
  double gpu_heavy_ns = 0;
};

// Nothing when the GPU failed at it.
std::optional<RenderSpeed> measure_speed();

// The speed kept in `file` for this adapter, driver, process version and number of threads; else `measure`d and kept
// there. A file that cannot be read or written only costs measuring again. `file` empty: nothing is kept.
std::optional<RenderSpeed> kept_speed(const std::filesystem::path& file, const gpu::AdapterInfo& adapter,
                                      const std::function<std::optional<RenderSpeed>()>& measure);

bool is_gpu_faster(const RenderSpeed& speed, const Plan& plan);

// For Backend::automatic: "" to use the GPU, else why the CPU is taken. Measures at the first call in a process that
// has an integrated GPU.
std::string prefers_cpu(const Plan& plan);

}  // namespace imago::develop
