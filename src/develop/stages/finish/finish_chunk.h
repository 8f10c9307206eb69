// The CPU's inner loop: a chunk of one row, channel by channel, so that every tool vectorises.
#pragma once

#include "develop/stages/finish/finish.h"

namespace imago::develop {

inline constexpr int chunk_pixels = 128;

struct Colours {
  float red[chunk_pixels];
  float green[chunk_pixels];
  float blue[chunk_pixels];
};

struct Chunk {
  Colours colours;
  float base_log2[chunk_pixels];
  float local_ev[chunk_pixels];
  std::uint32_t x = 0, y = 0;  // of the first pixel in the full frame
  float vig_view[4] = {};      // see ViewParams
  const float* curve_table = nullptr;
  const float* lut_table = nullptr;
};

// Both run the same code and give the same bits: one compiled for what the machine has, one for the baseline (tests).
void run_tools(const FinishParams& params, Chunk& chunk);
void run_tools_baseline(const FinishParams& params, Chunk& chunk);

}  // namespace imago::develop
