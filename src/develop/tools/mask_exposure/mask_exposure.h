// mask_exposure: lighter or darker where masks say so; masks that overlap add up in stops.
//
//   out = in * 2^local_ev,   local_ev = sum of mask / 255 * ev
//
// Scene-linear Rec.2020 in and out. Where every mask is 0 the bits are kept. Mirror: poly_exp2, 3e-7 relative.
#pragma once

#include "base/math.h"
#include "develop/settings/masks.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

inline constexpr std::size_t most_masks = 64;
static_assert(mask_list.capacity == most_masks);

// What each mask adds where it is 255. Kept apart from the tool: later local tools read the same masks.
struct MaskTermsParams {
  std::uint32_t count = 0;                // masks up to the last one that does something
  alignas(16) float ev[most_masks] = {};  // stops / 255, amount included
};
inline constexpr Param mask_terms_params[] = {IMAGO_PARAM(MaskTermsParams, count), IMAGO_PARAM(MaskTermsParams, ev)};
static_assert(covers<MaskTermsParams>(mask_terms_params));

struct MaskExposureParams {
  std::uint32_t enabled = 0;
};
inline constexpr Param mask_exposure_params[] = {IMAGO_PARAM(MaskExposureParams, enabled)};
static_assert(covers<MaskExposureParams>(mask_exposure_params));

MaskTermsParams mask_terms(const Masks& masks);
MaskExposureParams derive_mask_exposure(const MaskTermsParams& terms);

inline Rgb mask_exposure(const MaskExposureParams&, Rgb v, const Pixel& at) {
  const float gain = poly_exp2(at.local_ev);
  return {v.r * gain, v.g * gain, v.b * gain};
}

}  // namespace imago::develop
