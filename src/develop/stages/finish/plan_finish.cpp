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

ViewParams view_of(int frame_width, int frame_height, int origin_x, int origin_y) {
  ViewParams view{.origin_x = static_cast<std::uint32_t>(origin_x), .origin_y = static_cast<std::uint32_t>(origin_y)};
  view.vig_view[0] = 2 / static_cast<float>(frame_width);
  view.vig_view[2] = 2 / static_cast<float>(frame_height);
  return view;
}

namespace {

// Whether a tool between to_oklab and from_oklab is on.
bool uses_oklab(const FinishParams& p) {
  return p.saturation.enabled != 0 || p.hsl.enabled != 0 || p.point_color.enabled != 0 || p.black_white.enabled != 0 ||
         p.grading.enabled != 0;
}

}  // namespace

FinishPlan plan_finish(const Settings& settings, const OutputFormat& format, bool is_scene, ViewParams view,
                       const SceneColor& color, const ProfileLook& look, float frame_pixels, const color::Lut* lut) {
  const DisplayCurve curve = is_scene ? static_cast<DisplayCurve>(settings.look.display) : DisplayCurve::linear;
  const MaskTermsParams terms = mask_terms(settings.masks);
  const WhiteBalanceParams white = derive_white_balance(settings.white_balance, color);
  const double aspect = static_cast<double>(view.vig_view[2]) / static_cast<double>(view.vig_view[0]);
  const auto vignette = [&](VignetteStyle style) { return derive_vignette(settings.vignette, style, aspect); };
  FinishPlan plan;
  plan.params = {
      .view = view,
      .mask_terms = terms,
      .white_balance = white,
      .exposure = derive_exposure(settings.exposure),
      .mask_exposure = derive_mask_exposure(terms),
      .tone = derive_tone(settings.tone, settings.exposure.ev + white_balance_ev(white)),
      .contrast = derive_contrast(settings.tone),
      .vignette = vignette(VignetteStyle::highlight_priority),
      .display = derive_display(curve),
      .calibration = derive_calibration(settings.calibration),
      .saturation = derive_saturation(settings.saturation),
      .hsl = derive_hsl(settings.hsl),
      .point_color = derive_point_color(settings.point_color, format.show_point_color),
      .black_white = derive_black_white(settings.black_white),
      .grading = derive_grading(settings.grading),
      .curve = derive_curve(settings.curve),
      .vignette_colors = {vignette(VignetteStyle::color_priority)},
      .lut = derive_lut(settings.lut, lut),
      .grain = derive_grain(settings.grain, frame_pixels),
      .vignette_paint = {vignette(VignetteStyle::paint_overlay)},
      .primaries = derive_primaries(primaries_of(format.space)),
      .gamut = curve == DisplayCurve::standard ? derive_gamut(primaries_of(format.space)) : GamutParams{},
      .encode = derive_encode(format.linear_light ? linear_transfer : transfer_of(format.space)),
      .dither = {.enabled = format.dither ? 1u : 0u, .seed = format.dither_seed},
  };
  plan.params.to_oklab.enabled = plan.params.from_oklab.enabled = uses_oklab(plan.params) ? 1 : 0;
  plan.curve_table = curve_table(settings.curve);
  plan.lut_table = lut_table(plan.params.lut, lut);
  if (curve == DisplayCurve::standard && static_cast<ProfileUse>(settings.look.profile) == ProfileUse::use) {
    plan.params.look_table = derive_look_table(look.table, plan.curve_table);
    plan.params.profile_tone = derive_profile_tone(look.tone_curve, plan.curve_table);
    if (plan.params.profile_tone.enabled != 0) plan.params.display.enabled = 0;
  }
  return plan;
}

}  // namespace imago::develop
