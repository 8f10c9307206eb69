#include "develop/tools/grain/grain.h"

#include <algorithm>
#include <cmath>

namespace imago::develop {
namespace {

std::uint32_t half_step(float pixel_grains) {
  return static_cast<std::uint32_t>(std::lround(std::min(pixel_grains, 1000.0f) * 32768));
}

}  // namespace

GrainParams derive_grain(const Grain& s, float frame_pixels) {
  if (s.amount == 0) return {};
  const float size = 1 + 0.05f * s.size;  // pixels of the full frame
  const float pixel = frame_pixels / size;
  const float roughness = 0.01f * s.roughness;
  return {.enabled = 1,
          .seed = 0x67726e,
          .amount = 0.006f * s.amount / (std::sqrt(1 + pixel * pixel) * std::sqrt(1 + roughness * roughness)),
          .roughness = roughness,
          .half_step = half_step(pixel),
          .rough_half_step = half_step(2.3f * pixel)};
}

}  // namespace imago::develop
