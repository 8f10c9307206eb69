#include "develop/stages/source/camera_color.h"

#include <cmath>

#include "base/error.h"

namespace imago::develop {
namespace {

using Matrix = io::RawMatrix;

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix out{};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      out[r * 3 + c] = a[r * 3] * b[c] + a[r * 3 + 1] * b[3 + c] + a[r * 3 + 2] * b[6 + c];
    }
  }
  return out;
}

Matrix inverse(const Matrix& m) {
  const double c0 = m[4] * m[8] - m[5] * m[7];
  const double c1 = m[5] * m[6] - m[3] * m[8];
  const double c2 = m[3] * m[7] - m[4] * m[6];
  const double determinant = m[0] * c0 + m[1] * c1 + m[2] * c2;
  if (!std::isfinite(determinant) || std::abs(determinant) < 1e-12) {
    throw Error(ErrorKind::input, "the camera's color matrix has no inverse");
  }
  const double s = 1 / determinant;
  return {c0 * s, (m[2] * m[7] - m[1] * m[8]) * s, (m[1] * m[5] - m[2] * m[4]) * s,
          c1 * s, (m[0] * m[8] - m[2] * m[6]) * s, (m[2] * m[3] - m[0] * m[5]) * s,
          c2 * s, (m[1] * m[6] - m[0] * m[7]) * s, (m[0] * m[4] - m[1] * m[3]) * s};
}

// ITU-R BT.2020 primaries, D65.
constexpr Matrix xyz_from_working{0.636958048301291, 0.144616903586208, 0.168880975164172,
                                  0.262700212011267, 0.677998071518871, 0.059301716469862,
                                  0.000000000000000, 0.028072693049087, 1.060985057710791};

}  // namespace

std::array<float, 9> working_from_balanced_camera(const io::RawImage& raw) {
  const double exposure = std::exp2(raw.baseline_exposure_ev);
  Matrix matrix{1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (!raw.calibrations.empty() && raw.layout != io::RawLayout::monochrome) {
    const io::RawCalibration& calibration = raw.calibrations.back();
    Matrix camera_from_working = product(product(calibration.camera_calibration, calibration.color_matrix),
                                         xyz_from_working);
    for (std::size_t r = 0; r < 3; ++r) {
      const double sum = camera_from_working[r * 3] + camera_from_working[r * 3 + 1] + camera_from_working[r * 3 + 2];
      for (std::size_t c = 0; c < 3; ++c) camera_from_working[r * 3 + c] /= sum;
    }
    matrix = inverse(camera_from_working);
  }
  std::array<float, 9> out{};
  for (std::size_t i = 0; i < 9; ++i) out[i] = static_cast<float>(matrix[i] * exposure);
  return out;
}

}  // namespace imago::develop
