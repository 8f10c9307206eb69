#include "develop/develop.h"

#include "base/log.h"
#include "develop/calibration.h"

namespace imago::develop {

Developed develop(Photo& photo, const RenderRequest& request, io::SampleType samples, Backend backend,
                  StageCache* cache, const RowSink& sink, const CancelToken& cancel) {
  const Plan plan = develop::plan(photo, request);
  Developed developed{plan.width, plan.height, Backend::gpu, "", {}};
  if (backend == Backend::automatic) {
    if (const std::string why = prefers_cpu(plan); !why.empty()) {
      log_debug("{}: on the CPU: {}", photo.name, why);
      backend = Backend::cpu;
    }
  }
  if (backend != Backend::cpu) {
    gpu::RunResult run;
    const std::optional<gpu::Fallback> fallback = render_gpu(plan, photo, samples, cache != nullptr, sink, &run);
    developed.times.finish_ms = run.wall_milliseconds;
    if (!fallback) return developed;
    if (backend == Backend::gpu) throw Error(ErrorKind::gpu, photo.name + ": " + fallback->reason);
    developed.gpu_fallback = gpu::redone_on_cpu(*fallback);
  }
  developed.backend = Backend::cpu;
  developed.times = render_cpu(plan, photo, samples, cache, sink, cancel);
  return developed;
}

}  // namespace imago::develop
