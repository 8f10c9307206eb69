// How noisy a picture is: variance = scale * signal + offset for the three planes that noise reduction works on,
//   Y = (R + 2 G + B) / 4,   U = R - G,   V = B - G      of linear Rec.2020,
// at the full size of the source and for a signal of Y. From the file's NoiseProfile, else fitted to the picture.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "image/image.h"
#include "io/raw/raw_image.h"

namespace imago::develop {

struct NoiseModel {
  std::array<float, 3> scale{1e-5f, 1e-5f, 1e-5f};
  std::array<float, 3> offset{1e-8f, 1e-8f, 1e-8f};
  bool operator==(const NoiseModel&) const = default;
};

// The DNG's NoiseProfile carried through white balance and matrix. gains: of the white balance, R G B (the smallest
// is 1). working_from_camera: row by row, acts on white-balanced samples. Nothing without a profile.
std::optional<NoiseModel> noise_from_profile(std::span<const io::RawNoise> profile, const std::array<float, 3>& gains,
                                             const std::array<float, 9>& working_from_camera);

// From the finest detail of Y in the flattest of the picture's blocks, taken for noise that all channels of the sensor
// share. A picture without flat blocks seems noisier than it is; one smaller than 64 x 64 keeps the default.
NoiseModel fit_noise(const Rgb32f& picture, const std::array<float, 3>& gains = {1, 1, 1},
                     const std::array<float, 9>& working_from_camera = {1, 0, 0, 0, 1, 0, 0, 0, 1});

}  // namespace imago::develop
