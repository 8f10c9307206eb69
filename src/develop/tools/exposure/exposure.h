// exposure: lighter or darker, as a longer or shorter exposure would have been.
//
//   out = in * 2^ev
//
// Scene-linear Rec.2020 in and out. At 0 EV the bits are kept. Mirror: one product, the same bits.
#pragma once

#include "develop/settings/exposure.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

struct ExposureParams {
  std::uint32_t enabled = 0;
  float gain = 1;
};
inline constexpr Param exposure_params[] = {IMAGO_PARAM(ExposureParams, enabled), IMAGO_PARAM(ExposureParams, gain)};
static_assert(covers<ExposureParams>(exposure_params));

ExposureParams derive_exposure(const Exposure& settings);

inline Rgb exposure(const ExposureParams& p, Rgb v, const Pixel&) { return {v.r * p.gain, v.g * p.gain, v.b * p.gain}; }

}  // namespace imago::develop
