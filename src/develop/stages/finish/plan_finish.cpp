#include "develop/stages/finish/finish.h"

namespace imago::develop {

color::Primaries primaries_of(OutputSpace space) {
  switch (space) {
    case OutputSpace::srgb: return color::srgb_primaries;
    case OutputSpace::p3: return color::p3_primaries;
    case OutputSpace::adobe_rgb: return color::adobe_rgb_primaries;
    case OutputSpace::prophoto: return color::prophoto_primaries;
    case OutputSpace::rec2020: return color::rec2020_primaries;
  }
  return color::srgb_primaries;
}

Transfer transfer_of(OutputSpace space) {
  switch (space) {
    case OutputSpace::adobe_rgb: return adobe_rgb_transfer;
    case OutputSpace::prophoto: return prophoto_transfer;
    case OutputSpace::rec2020: return rec2020_transfer;
    case OutputSpace::srgb:
    case OutputSpace::p3: break;
  }
  return srgb_transfer;
}

FinishPlan plan_finish(const Settings& settings, const OutputFormat& format, bool is_scene, ViewParams view,
                       const SceneColor& color, const ProfileLook& look) {
  const DisplayCurve curve = is_scene ? static_cast<DisplayCurve>(settings.look.display) : DisplayCurve::linear;
  const MaskTermsParams terms = mask_terms(settings.masks);
  const WhiteBalanceParams white = derive_white_balance(settings.white_balance, color);
  FinishPlan plan;
  plan.params = {
      .view = view,
      .mask_terms = terms,
      .white_balance = white,
      .exposure = derive_exposure(settings.exposure),
      .mask_exposure = derive_mask_exposure(terms),
      .tone = derive_tone(settings.tone, settings.exposure.ev + white_balance_ev(white)),
      .contrast = derive_contrast(settings.tone),
      .display = derive_display(curve),
      .saturation = derive_saturation(settings.saturation),
      .curve = derive_curve(settings.curve),
      .primaries = derive_primaries(primaries_of(format.space)),
      .gamut = curve == DisplayCurve::standard ? derive_gamut(primaries_of(format.space)) : GamutParams{},
      .encode = derive_encode(format.linear_light ? linear_transfer : transfer_of(format.space)),
      .dither = {.enabled = format.dither ? 1u : 0u, .seed = format.dither_seed},
  };
  const bool uses_oklab = plan.params.saturation.enabled != 0;
  plan.params.to_oklab.enabled = plan.params.from_oklab.enabled = uses_oklab ? 1 : 0;
  plan.curve_table = curve_table(settings.curve);
  if (curve == DisplayCurve::standard && static_cast<ProfileUse>(settings.look.profile) == ProfileUse::use) {
    plan.params.look_table = derive_look_table(look.table, plan.curve_table);
    plan.params.profile_tone = derive_profile_tone(look.tone_curve, plan.curve_table);
    if (plan.params.profile_tone.enabled != 0) plan.params.display.enabled = 0;
  }
  return plan;
}

}  // namespace imago::develop
