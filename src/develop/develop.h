// The raw developer. develop.cpp reads as the product: plan once, render on the GPU or the CPU, say which and why.
#pragma once

#include <string>

#include "base/backend.h"
#include "develop/render.h"

namespace imago::develop {

struct Developed {
  int width = 0;
  int height = 0;
  Backend backend = Backend::cpu;  // who rendered: gpu or cpu
  std::string gpu_fallback;        // why the GPU's attempt was redone on the CPU; empty when it was not
  StageTimes times;                // of the CPU; on the GPU only finish_ms, the whole run
};

// Renders `photo` into `sink`. With Backend::automatic a GPU that is absent is passed over, and a whole render that
// failed on it is redone on the CPU; Backend::gpu throws Error{gpu} instead. `cache`: what to keep between renders of
// this photo (null: nothing, and the photo's source is used up).
Developed develop(Photo& photo, const RenderRequest& request, io::SampleType samples, Backend backend,
                  StageCache* cache, const RowSink& sink, const CancelToken& cancel = {});

}  // namespace imago::develop
