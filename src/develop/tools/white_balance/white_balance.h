// white_balance: what is white, chosen after the fact.
//
//   out = M in,   M = C(new) diag(gains(new) / gains(as shot)) C(as shot)^-1
//
// C(white) is linear Rec.2020 from the camera's white-balanced samples, with the illuminants' matrices interpolated
// anew for each white (dng_color.h): one matrix that gives what developing the raw with the other white gives, wherever
// nothing was clipped. Lower temperatures make the picture bluer, for a light that was redder.
//
// Scene-linear Rec.2020 in and out. As shot the bits are kept. A finished picture counts as a camera with the primaries
// of sRGB that chose D65. Pictures without colour are left alone. Mirror: 3e-7 of the largest channel.
#pragma once

#include <optional>

#include "color/dng_color.h"
#include "develop/settings/white_balance.h"
#include "develop/tools/params.h"
#include "develop/tools/pixel.h"

namespace imago::develop {

// How a photo's white can be moved: the camera and the white that it chose. Without `profile` there is no colour.
struct SceneColor {
  std::optional<color::CameraProfile> profile = color::CameraProfile{};
  color::CameraColor as_shot = color::camera_color_from_white({}, color::d65);
};

struct WhiteBalanceParams {
  std::uint32_t enabled = 0;
  float red_from_red = 1, red_from_green = 0, red_from_blue = 0;
  float green_from_red = 0, green_from_green = 1, green_from_blue = 0;
  float blue_from_red = 0, blue_from_green = 0, blue_from_blue = 1;
};
inline constexpr Param white_balance_params[] = {
    IMAGO_PARAM(WhiteBalanceParams, enabled),         IMAGO_PARAM(WhiteBalanceParams, red_from_red),
    IMAGO_PARAM(WhiteBalanceParams, red_from_green),  IMAGO_PARAM(WhiteBalanceParams, red_from_blue),
    IMAGO_PARAM(WhiteBalanceParams, green_from_red),  IMAGO_PARAM(WhiteBalanceParams, green_from_green),
    IMAGO_PARAM(WhiteBalanceParams, green_from_blue), IMAGO_PARAM(WhiteBalanceParams, blue_from_red),
    IMAGO_PARAM(WhiteBalanceParams, blue_from_green), IMAGO_PARAM(WhiteBalanceParams, blue_from_blue)};
static_assert(covers<WhiteBalanceParams>(white_balance_params));

// The light that the settings ask for; what the camera chose where they leave it to the camera.
color::Temperature chosen_temperature(const WhiteBalance& settings, const color::CameraColor& as_shot);

// The matrix of the settings: wb_matrix_for(as shot) is the identity up to rounding.
color::Matrix3 wb_matrix_for(const WhiteBalance& settings, const SceneColor& scene);

// Throws Error{input} when the camera's matrices have no inverse under the chosen light.
WhiteBalanceParams derive_white_balance(const WhiteBalance& settings, const SceneColor& scene);

// Stops by which the luminance of a grey moves.
float white_balance_ev(const WhiteBalanceParams& p);

inline Rgb white_balance(const WhiteBalanceParams& p, Rgb v, const Pixel&) {
  return {p.red_from_red * v.r + p.red_from_green * v.g + p.red_from_blue * v.b,
          p.green_from_red * v.r + p.green_from_green * v.g + p.green_from_blue * v.b,
          p.blue_from_red * v.r + p.blue_from_green * v.g + p.blue_from_blue * v.b};
}

}  // namespace imago::develop
