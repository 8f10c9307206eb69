// resize: the framed picture at the output's size.
//
// In, out: linear RGB. Mitchell when shrinking (a prefilter as wide as the ratio), Catmull-Rom when enlarging, per
// axis; in draft quality the area average and bilinear. Equal sizes copy nothing.
// Mirror: the CPU's taps, the CPU's order of sums; differences come from fused multiply-add only (1e-6 relative).
#pragma once

#include "image/pass.h"
#include "image/resample.h"

namespace imago::develop {

struct ResizePlan {
  ResampleTaps columns;  // along x
  ResampleTaps rows;     // along y
  bool is_draft = false;
  bool is_identity() const { return columns.is_identity() && rows.is_identity(); }
};

ResizePlan plan_resize(int source_width, int source_height, int output_width, int output_height, bool is_draft = false);

// The whole picture on all threads; bands of it through resample_rows. An identity moves its source through.
Rgb32f run_resize(const ResizePlan& plan, Rgb32f source);

// Adds two passes (rows, then columns; none for an axis that keeps its size) and returns the output's buffer.
int add_resize(const ResizePlan& plan, PassList& list, int source_buffer, StageKey key = 0);

// Equals `upstream` for an identity.
StageKey key(const ResizePlan& plan, StageKey upstream);

}  // namespace imago::develop
