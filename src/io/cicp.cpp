#include "io/cicp.h"

#include <algorithm>
#include <cmath>

#include "color/icc.h"

namespace imago::io {
namespace {

constexpr double paper_white = 203;  // cd/m², ITU-R BT.2408

}  // namespace

CicpColor color_of_cicp(int primaries, int transfer) {
  CicpColor color;
  color::Primaries space = color::srgb_primaries;
  const char* name = "BT.709";
  switch (primaries) {
    case 1:
    case 2: break;
    case 9:
      space = color::rec2020_primaries;
      name = "BT.2020";
      break;
    case 11:
    case 12:
      space = color::p3_primaries;
      name = "Display P3";
      break;
    default: color.warning = "colour primaries " + std::to_string(primaries) + " are not known: taken for sRGB";
  }
  color::Transfer curve = color::Transfer::srgb;
  switch (transfer) {
    case 2:
    case 13: break;
    case 1:
    case 6:
    case 14:
    case 15: curve = color::Transfer::rec709; break;
    case 8: curve = color::Transfer::linear; break;
    case 16: color.light = CicpColor::Light::pq; break;
    case 18: color.light = CicpColor::Light::hlg; break;
    default: color.warning = "transfer characteristics " + std::to_string(transfer) + " are not known: taken for sRGB";
  }
  if (color.light != CicpColor::Light::encoded) curve = color::Transfer::linear;
  const bool srgb = primaries <= 2 && curve == color::Transfer::srgb;
  if (!srgb) color.icc = color::icc_profile(space, curve, name);
  return color;
}

float linear_of_pq(float signal) {
  constexpr double m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128, c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32,
                   c3 = 2392.0 / 4096 * 32;
  const double root = std::pow(std::clamp(static_cast<double>(signal), 0.0, 1.0), 1 / m2);
  const double light = std::pow(std::max(root - c1, 0.0) / (c2 - c3 * root), 1 / m1);
  return static_cast<float>(light * 10000 / paper_white);
}

float linear_of_hlg(float signal) {
  constexpr double a = 0.17883277, b = 1 - 4 * a, c = 0.55991073, peak = 1000, system_gamma = 1.2;
  const double s = std::clamp(static_cast<double>(signal), 0.0, 1.0);
  const double scene = s <= 0.5 ? s * s / 3 : (std::exp((s - c) / a) + b) / 12;
  return static_cast<float>(std::pow(scene, system_gamma) * peak / paper_white);
}

}  // namespace imago::io
