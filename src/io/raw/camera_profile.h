// Camera profiles: what a DNG carries in its first directory, or a DCP file on its own (DNG specification 1.7.1,
// chapters 4 and 6).
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "color/hue_sat_map.h"
#include "io/raw/raw_image.h"
#include "io/tiff_tags.h"

namespace imago::io {

struct CameraProfileFile {
  std::string camera;  // UniqueCameraModel that it was made for; "" for any
  std::string calibration_signature;
  std::vector<RawCalibration> calibrations;  // 1 … 3; their camera_calibration is the identity
  CameraLook look;
  double exposure_offset_ev = 0;
};

// Throws Error{input} with one line for what is no DCP file, or holds no colour matrix.
CameraProfileFile read_dcp(const std::filesystem::path& path);
CameraProfileFile read_dcp(std::span<const std::byte> bytes, const std::string& name);

// Puts the file's colours in place of the raw's own: matrices, tables, tone curve, exposure offset. What the raw knows
// of its own sensor (analog balance, calibration of the individual camera) stays. Adds a warning when the profile was
// made for another camera.
void use_profile(const CameraProfileFile& profile, RawImage& raw);

// The tables and the tone curve of a directory; damaged ones are left out with a warning.
CameraLook read_camera_look(const TiffTags& tags, const TiffIfd& ifd, std::vector<std::string>& warnings);

// Nine finite numbers that are not all zero; empty for anything else.
std::optional<RawMatrix> dng_matrix(const TiffTags& tags, const TiffIfd& ifd, std::uint16_t id);

// The colour matrices of a directory with their illuminants and forward matrices.
std::vector<RawCalibration> read_color_matrices(const TiffTags& tags, const TiffIfd& ifd);

}  // namespace imago::io
