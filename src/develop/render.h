// Renders a plan, on the CPU or on the GPU, into rows of output pixels.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "base/cancel.h"
#include "develop/plan.h"
#include "gpu/gpu.h"
#include "io/picture_writer.h"

namespace imago::develop {

// Takes finished rows, interleaved RGB of the render's sample type, in order from the top. What it throws passes on.
using RowSink = std::function<void(RowRange rows, std::span<const std::byte> samples)>;

// What was computed and is worth keeping between renders of one photo, on the CPU. An entry serves when its key does.
struct StageCache {
  StageKey scene_key = 0;
  Rgb32f scene;  // stays empty when the scene is the source itself
  StageKey clean_key = 0;
  Rgb32f clean;  // stays empty when there is nothing to clean
  StageKey base_key = 0;
  Plane base;
  StageKey detail_key = 0;
  Rgb32f detailed;  // stays empty without detail
  StageKey masks_key = 0;
  PixelBuffer<std::uint32_t> masks;
};

struct StageTimes {
  double scene_ms = 0;   // geom, resize
  double clean_ms = 0;   // noise and what else mends the picture
  double base_ms = 0;    // planes, detail, masks
  double finish_ms = 0;  // finish and what the sink takes beyond it
};

// The reference. `cache` null: nothing is kept, and the photo's source is freed as soon as no stage needs it.
// Throws Cancelled, and whatever the sink throws.
StageTimes render_cpu(const Plan& plan, Photo& photo, io::SampleType samples, StageCache* cache, const RowSink& sink,
                      const CancelToken& cancel);

// What of the plan the GPU cannot do yet; "" when it can do all.
std::string needs_cpu(const Plan& plan);

// The mirror. Calls the sink when the whole picture has arrived; else says why not, with nothing written.
// `keep`: intermediate buffers stay on the device under their keys.
std::optional<gpu::Fallback> render_gpu(const Plan& plan, const Photo& photo, io::SampleType samples, bool keep,
                                        const RowSink& sink, gpu::RunResult* run = nullptr);

// The passes of a plan and the buffer that holds the result: what render_gpu runs, for tests and benches.
struct RenderPasses {
  PassList list;
  int output = -1;
  FinishOutput form = FinishOutput::rgba8;
};
RenderPasses render_passes(const Plan& plan, const Photo& photo, io::SampleType samples);

}  // namespace imago::develop
