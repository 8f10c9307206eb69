#include "color/delta_e.h"

#include <cmath>
#include <numbers>

namespace imago::color {
namespace {

constexpr double degrees = std::numbers::pi / 180;

double seventh_root_weight(double chroma) {
  const double c7 = std::pow(chroma, 7);
  return std::sqrt(c7 / (c7 + 6103515625.0));  // 25^7
}

// 0 … 360; 0 for a neutral.
double hue_degrees(double a, double b) {
  if (a == 0 && b == 0) return 0;
  const double hue = std::atan2(b, a) / degrees;
  return hue < 0 ? hue + 360 : hue;
}

double hue_difference(double first, double second, double chroma_product) {
  if (chroma_product == 0) return 0;
  const double difference = second - first;
  if (difference > 180) return difference - 360;
  return difference < -180 ? difference + 360 : difference;
}

double mean_hue(double first, double second, double chroma_product) {
  const double sum = first + second;
  if (chroma_product == 0) return sum;
  if (std::abs(first - second) <= 180) return sum / 2;
  return sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
}

constexpr double lab_epsilon = 216.0 / 24389;
constexpr double lab_kappa = 24389.0 / 27;

double lab_curve(double t) { return t > lab_epsilon ? std::cbrt(t) : (lab_kappa * t + 16) / 116; }

double lab_curve_inverse(double f) {
  const double cube = f * f * f;
  return cube > lab_epsilon ? cube : (116 * f - 16) / lab_kappa;
}

}  // namespace

Lab lab_from_xyz(const Vector3& xyz, const Vector3& white) {
  const double fx = lab_curve(xyz[0] / white[0]);
  const double fy = lab_curve(xyz[1] / white[1]);
  const double fz = lab_curve(xyz[2] / white[2]);
  return {116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)};
}

Vector3 xyz_from_lab(const Lab& lab, const Vector3& white) {
  const double fy = (lab.lightness + 16) / 116;
  return {white[0] * lab_curve_inverse(fy + lab.a / 500), white[1] * lab_curve_inverse(fy),
          white[2] * lab_curve_inverse(fy - lab.b / 200)};
}

double delta_e_2000(const Lab& first, const Lab& second) {
  const double mean_chroma = (std::hypot(first.a, first.b) + std::hypot(second.a, second.b)) / 2;
  const double g = 0.5 * (1 - seventh_root_weight(mean_chroma));
  const double a1 = (1 + g) * first.a;
  const double a2 = (1 + g) * second.a;
  const double c1 = std::hypot(a1, first.b);
  const double c2 = std::hypot(a2, second.b);
  const double h1 = hue_degrees(a1, first.b);
  const double h2 = hue_degrees(a2, second.b);

  const double delta_l = second.lightness - first.lightness;
  const double delta_c = c2 - c1;
  const double delta_h = 2 * std::sqrt(c1 * c2) * std::sin(hue_difference(h1, h2, c1 * c2) / 2 * degrees);

  const double l = (first.lightness + second.lightness) / 2;
  const double c = (c1 + c2) / 2;
  const double h = mean_hue(h1, h2, c1 * c2);
  const double t = 1 - 0.17 * std::cos((h - 30) * degrees) + 0.24 * std::cos(2 * h * degrees) +
                   0.32 * std::cos((3 * h + 6) * degrees) - 0.20 * std::cos((4 * h - 63) * degrees);
  const double l50 = (l - 50) * (l - 50);
  const double s_l = 1 + 0.015 * l50 / std::sqrt(20 + l50);
  const double s_c = 1 + 0.045 * c;
  const double s_h = 1 + 0.015 * c * t;
  const double turn = 30 * std::exp(-((h - 275) / 25) * ((h - 275) / 25));
  const double r_t = -2 * seventh_root_weight(c) * std::sin(2 * turn * degrees);

  const double dl = delta_l / s_l;
  const double dc = delta_c / s_c;
  const double dh = delta_h / s_h;
  return std::sqrt(dl * dl + dc * dc + dh * dh + r_t * dc * dh);
}

}  // namespace imago::color
