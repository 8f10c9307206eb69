#include "color/dng_color.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace imago::color {
namespace {

constexpr double smallest_response = 1e-4;  // keeps gains finite for whites that a camera hardly sees

// The calibration for one white; matrices of both neighbours mixed with the same weight.
struct Mixed {
  Matrix3 color_matrix;
  Matrix3 camera_calibration;
  std::optional<Matrix3> forward_matrix;
};

Matrix3 mix(const Matrix3& a, const Matrix3& b, double weight_b) { return (1 - weight_b) * a + weight_b * b; }

// Rows scaled so that white-balanced white becomes exactly D50, as the specification wants it.
Matrix3 normalised_forward(const Matrix3& forward) {
  const Vector3 white = forward * Vector3{1, 1, 1};
  const Vector3 wanted = xyz_from_xy(d50);
  Vector3 scale{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(std::abs(white[i]) > 1e-6)) throw Error(ErrorKind::input, "the camera's forward matrix has an empty row");
    scale[i] = wanted[i] / white[i];
  }
  return diagonal(scale) * forward;
}

Mixed mixed_at(const CameraProfile& profile, Xy white) {
  if (profile.calibrations.empty()) return {inverse(xyz_from_rgb(srgb_primaries)), {}, std::nullopt};
  std::vector<const CameraCalibration*> sorted;
  for (const CameraCalibration& calibration : profile.calibrations) sorted.push_back(&calibration);
  std::stable_sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->cct_kelvin < b->cct_kelvin; });

  const double kelvin = sorted.size() > 1 ? temperature_from_xy(white).kelvin : 0;
  std::size_t above = 0;
  while (above + 1 < sorted.size() && sorted[above]->cct_kelvin < kelvin) ++above;
  const CameraCalibration& b = *sorted[above];
  const CameraCalibration& a = *sorted[above > 0 ? above - 1 : 0];
  double weight = 1;
  if (&a != &b && a.cct_kelvin > 0 && a.cct_kelvin < b.cct_kelvin) {
    weight = std::clamp((1 / kelvin - 1 / a.cct_kelvin) / (1 / b.cct_kelvin - 1 / a.cct_kelvin), 0.0, 1.0);
  }
  Mixed mixed{mix(a.color_matrix, b.color_matrix, weight), mix(a.camera_calibration, b.camera_calibration, weight), {}};
  if (a.forward_matrix && b.forward_matrix) mixed.forward_matrix = mix(*a.forward_matrix, *b.forward_matrix, weight);
  return mixed;
}

Matrix3 camera_from_reference(const CameraProfile& profile, const Mixed& mixed) {
  return diagonal(profile.analog_balance) * mixed.camera_calibration;
}

Matrix3 checked_inverse(const Matrix3& matrix) {
  if (!is_invertible(matrix)) throw Error(ErrorKind::input, "the camera's color matrix has no inverse");
  return inverse(matrix);
}

bool is_usable(Xy white) {
  return std::isfinite(white.x) && std::isfinite(white.y) && white.x > 0 && white.y > 0 && white.x + white.y < 1;
}

Matrix3 working_from_xyz_d50() { return working_from_xyz * adapt(bradford, xyz_from_xy(d65), xyz_from_xy(d50)); }

CameraColor camera_color(const CameraProfile& profile, const Vector3& neutral, Xy white) {
  CameraColor color;
  color.white = white;
  color.temperature = temperature_from_xy(white);
  const double strongest = std::max({neutral[0], neutral[1], neutral[2]});
  for (std::size_t i = 0; i < 3; ++i) color.gains[i] = strongest / neutral[i];

  const Mixed mixed = mixed_at(profile, white);
  const Matrix3 reference = camera_from_reference(profile, mixed);
  if (mixed.forward_matrix) {
    const Matrix3 reference_from_balanced = checked_inverse(reference) * diagonal(neutral);
    const Vector3 reference_neutral = reference_from_balanced * Vector3{1, 1, 1};
    const Vector3 d{1 / reference_neutral[0], 1 / reference_neutral[1], 1 / reference_neutral[2]};
    color.working_from_balanced =
        working_from_xyz_d50() * normalised_forward(*mixed.forward_matrix) * diagonal(d) * reference_from_balanced;
  } else {
    const Matrix3 xyz_from_balanced = checked_inverse(reference * mixed.color_matrix) * diagonal(neutral);
    const Vector3 seen_white = xyz_from_balanced * Vector3{1, 1, 1};
    color.working_from_balanced =
        (1 / seen_white[1]) *
        (working_from_xyz * adapt(bradford, xyz_from_xy(d65), xyz_from_xy(white)) * xyz_from_balanced);
  }
  for (const double value : color.working_from_balanced.m) {
    if (!std::isfinite(value)) throw Error(ErrorKind::input, "the camera's color matrices do not fit its neutral");
  }
  return color;
}

}  // namespace

Matrix3 camera_from_xyz(const CameraProfile& profile, Xy white) {
  const Mixed mixed = mixed_at(profile, white);
  const Matrix3 matrix = camera_from_reference(profile, mixed) * mixed.color_matrix;
  checked_inverse(matrix);
  return matrix;
}

Vector3 neutral_from_white(const CameraProfile& profile, Xy white) {
  Vector3 neutral = camera_from_xyz(profile, white) * xyz_from_xy(white);
  const double strongest = std::max({neutral[0], neutral[1], neutral[2]});
  if (!(strongest > 0)) throw Error(ErrorKind::input, "the camera's color matrix sees no light in white");
  for (double& value : neutral) value = std::max(value / strongest, smallest_response);
  return neutral;
}

namespace {

// The white for which matrices of `mired` explain the neutral, and how far its own temperature is from that.
struct Explained {
  Xy white;
  double off_mired = 0;
};

double distance(Xy white) { return std::abs(temperature_from_xy(white).tint); }

std::optional<Explained> explained_at(const CameraProfile& profile, const Vector3& neutral, double mired) {
  const Xy assumed = xy_from_temperature({1e6 / mired, 0});
  const Xy white = xy_from_xyz(inverse(camera_from_xyz(profile, assumed)) * neutral);
  if (!is_usable(white)) return std::nullopt;
  return Explained{white, 1e6 / temperature_from_xy(white).kelvin - mired};
}

// For lights so far from daylight that the fixed point goes astray: the temperature is searched for, since the matrices
// depend on nothing else. Of several the one nearest to the locus of real lights.
Xy searched_white(const CameraProfile& profile, const Vector3& neutral) {
  constexpr double step = 10;
  std::optional<Explained> best, nearest, last;
  for (double mired = 20; mired <= 600; mired += step) {
    const std::optional<Explained> at = explained_at(profile, neutral, mired);
    if (at && last && (at->off_mired < 0) != (last->off_mired < 0)) {
      double low = mired - step, high = mired;
      std::optional<Explained> root;
      for (int pass = 0; pass < 50; ++pass) {
        const double middle = (low + high) / 2;
        const std::optional<Explained> found = explained_at(profile, neutral, middle);
        if (!found) break;
        root = found;
        ((found->off_mired < 0) == (last->off_mired < 0) ? low : high) = middle;
      }
      // A jump over zero is no root.
      if (root && std::abs(root->off_mired) < 1e-3 && (!best || distance(root->white) < distance(best->white)))
        best = root;
    }
    if (at && (!nearest || std::abs(at->off_mired) < std::abs(nearest->off_mired))) nearest = at;
    last = at;
  }
  return best ? best->white : nearest ? nearest->white : d65;
}

}  // namespace

Xy white_from_neutral(const CameraProfile& profile, const Vector3& neutral) {
  constexpr int most_passes = 30;
  constexpr double most_tint = 150;  // beyond, temperatures are not what they seem (white_point.h)
  Xy white = d50;
  for (int pass = 0; pass < most_passes; ++pass) {
    const Xy next = xy_from_xyz(inverse(camera_from_xyz(profile, white)) * neutral);
    if (!is_usable(next)) return searched_white(profile, neutral);
    const bool settled = std::abs(next.x - white.x) + std::abs(next.y - white.y) < 1e-7;
    // A two-cycle between illuminants ends in its middle.
    white = !settled && pass + 1 == most_passes ? Xy{(white.x + next.x) / 2, (white.y + next.y) / 2} : next;
    if (settled) break;
  }
  return distance(white) > most_tint ? searched_white(profile, neutral) : white;
}

CameraColor camera_color_from_neutral(const CameraProfile& profile, const Vector3& neutral) {
  for (const double value : neutral) {
    if (!(value > 0) || !std::isfinite(value))
      throw Error(ErrorKind::input, "the as-shot white balance is not positive");
  }
  return camera_color(profile, neutral, white_from_neutral(profile, neutral));
}

CameraColor camera_color_from_white(const CameraProfile& profile, Xy white) {
  if (!is_usable(white)) white = d65;
  return camera_color(profile, neutral_from_white(profile, white), white);
}

Matrix3 white_balance_shift(const CameraColor& to, const CameraColor& from) {
  Vector3 ratio{};
  for (std::size_t i = 0; i < 3; ++i) ratio[i] = to.gains[i] / from.gains[i];
  return to.working_from_balanced * diagonal(ratio) * inverse(from.working_from_balanced);
}

}  // namespace imago::color
