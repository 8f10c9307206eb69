#include "color/transfer.h"

#include <cmath>

namespace imago::color {
namespace {

double power(double base, double exponent) { return base > 0 ? std::pow(base, exponent) : 0; }

// BT.709: value and slope of both pieces agree at beta.
constexpr double rec709_alpha = 1.09929682680944;
constexpr double rec709_beta = 0.018053968510807;

}  // namespace

double encode(Transfer transfer, double linear) {
  switch (transfer) {
    case Transfer::linear: return linear;
    case Transfer::srgb: return linear <= 0.0031308 ? linear * 12.92 : power(linear, 1 / 2.4) * 1.055 - 0.055;
    case Transfer::rec709:
      return linear < rec709_beta ? linear * 4.5 : power(linear, 0.45) * rec709_alpha - (rec709_alpha - 1);
    case Transfer::prophoto: return linear < 1.0 / 512 ? linear * 16 : power(linear, 1 / 1.8);
    case Transfer::adobe_rgb: return power(linear, 256.0 / 563);
  }
  return linear;
}

double decode(Transfer transfer, double encoded) {
  switch (transfer) {
    case Transfer::linear: return encoded;
    case Transfer::srgb: return encoded <= 0.04045 ? encoded / 12.92 : power((encoded + 0.055) / 1.055, 2.4);
    case Transfer::rec709:
      return encoded < rec709_beta * 4.5 ? encoded / 4.5
                                         : power((encoded + (rec709_alpha - 1)) / rec709_alpha, 1 / 0.45);
    case Transfer::prophoto: return encoded < 16.0 / 512 ? encoded / 16 : power(encoded, 1.8);
    case Transfer::adobe_rgb: return power(encoded, 563.0 / 256);
  }
  return encoded;
}

}  // namespace imago::color
