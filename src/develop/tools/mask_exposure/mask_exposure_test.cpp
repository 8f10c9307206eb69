#include "develop/tools/mask_exposure/mask_exposure.h"

#include <gtest/gtest.h>

namespace imago::develop {
namespace {

Mask mask_of(float exposure_ev, float amount = 100) {
  Mask mask;
  mask.exposure_ev = exposure_ev;
  mask.amount = amount;
  return mask;
}

TEST(MaskExposure, AFullMaskOfOneStopDoublesLinearLight) {
  const MaskTermsParams terms = mask_terms({.list = {mask_of(1)}});
  const Rgb v = mask_exposure({}, {0.1f, 0.2f, 0.3f}, {.local_ev = 255 * terms.ev[0]});
  EXPECT_NEAR(v.r, 0.2f, 1e-7f);
  EXPECT_NEAR(v.b, 0.6f, 2e-7f);
}

TEST(MaskExposure, NoMaskKeepsTheBits) {
  EXPECT_EQ(mask_exposure({}, {0.1f, 1e-30f, 7}, {.local_ev = 0}), (Rgb{0.1f, 1e-30f, 7}));
}

TEST(MaskExposure, AmountScalesTheStops) {
  EXPECT_FLOAT_EQ(mask_terms({.list = {mask_of(1, 200)}}).ev[0] * 255, 2);
  EXPECT_FLOAT_EQ(mask_terms({.list = {mask_of(-4, 25)}}).ev[0] * 255, -1);
}

TEST(MaskExposure, IsOffWithoutAnEffectiveMask) {
  EXPECT_EQ(derive_mask_exposure(mask_terms({})).enabled, 0u);
  EXPECT_EQ(derive_mask_exposure(mask_terms({.list = {mask_of(0), mask_of(1, 0)}})).enabled, 0u);
  EXPECT_EQ(mask_terms({.list = {mask_of(0), mask_of(1), mask_of(0)}}).count, 2u);
}

TEST(MaskExposure, AsManyMasksAsADocumentHolds) {
  const MaskTermsParams terms = mask_terms({.list = std::vector<Mask>(most_masks, mask_of(1))});
  EXPECT_EQ(terms.count, most_masks);
  EXPECT_GT(terms.ev[most_masks - 1], 0);
  EXPECT_EQ(wgsl_struct("mask_terms", mask_terms_params),
            "struct MaskTermsParams { count: u32, ev: array<vec4<f32>, 16>, }\n");
}

}  // namespace
}  // namespace imago::develop
