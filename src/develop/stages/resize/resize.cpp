#include "develop/stages/resize/resize.h"

#include "base/hash.h"

namespace imago::develop {
namespace {

ResampleFilter filter_for(int source_size, int output_size, bool is_draft) {
  if (output_size < source_size) return is_draft ? ResampleFilter::box : ResampleFilter::mitchell;
  return is_draft ? ResampleFilter::triangle : ResampleFilter::catmull_rom;
}

}  // namespace

ResizePlan plan_resize(int source_width, int source_height, int output_width, int output_height, bool is_draft) {
  return {.columns = resample_taps(source_width, output_width, filter_for(source_width, output_width, is_draft)),
          .rows = resample_taps(source_height, output_height, filter_for(source_height, output_height, is_draft)),
          .is_draft = is_draft};
}

Rgb32f run_resize(const ResizePlan& plan, Rgb32f source) {
  if (plan.is_identity()) return source;
  return resample(source, plan.columns, plan.rows);
}

StageKey key(const ResizePlan& plan, StageKey upstream) {
  if (plan.is_identity()) return upstream;
  return Hash64()
      .add("resize")
      .add(upstream)
      .add(plan.columns.output_size)
      .add(plan.rows.output_size)
      .add(plan.is_draft)
      .value();
}

}  // namespace imago::develop
