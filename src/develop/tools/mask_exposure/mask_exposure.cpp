#include "develop/tools/mask_exposure/mask_exposure.h"

#include <algorithm>

namespace imago::develop {

MaskTermsParams mask_terms(const Masks& masks) {
  MaskTermsParams terms;
  const std::size_t count = std::min(masks.list.size(), most_masks);
  for (std::size_t i = 0; i < count; ++i) {
    terms.ev[i] = masks.list[i].exposure_ev * masks.list[i].amount / (100.0f * 255.0f);
    if (i > 0 && masks.list[i].combine != 0) terms.ev[i] = 0;  // a part of the mask before it
    if (terms.ev[i] != 0) terms.count = static_cast<std::uint32_t>(i + 1);
  }
  return terms;
}

MaskExposureParams derive_mask_exposure(const MaskTermsParams& terms) { return {.enabled = terms.count > 0 ? 1u : 0u}; }

}  // namespace imago::develop
