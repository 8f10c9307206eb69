#include "io/raw/camera_profile.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "io/byte_source.h"
#include "io/raw/white_balance.h"

namespace imago::io {
namespace {

namespace tag {
constexpr std::uint16_t unique_model = 50708, calibration_signature = 50932, name = 50936, map_dimensions = 50937,
                        tone_curve = 50940, look_dimensions = 50981, look_data = 50982, map_encoding = 51107,
                        look_encoding = 51108, exposure_offset = 51109;
constexpr std::array<std::uint16_t, 3> color_matrix{50721, 50722, 52531};
constexpr std::array<std::uint16_t, 3> forward_matrix{50964, 50965, 52532};
constexpr std::array<std::uint16_t, 3> illuminant{50778, 50779, 52529};
constexpr std::array<std::uint16_t, 3> map_data{50938, 50939, 52537};
}  // namespace tag

constexpr std::uint16_t dcp_magic = 0x4352;  // "IIRC" and "MMCR"

struct MapShape {
  int hues = 0, saturations = 0, values = 0;
  bool srgb_value = false;
  std::size_t entries() const {
    return static_cast<std::size_t>(hues) * static_cast<std::size_t>(saturations) * static_cast<std::size_t>(values);
  }
};

std::optional<MapShape> shape_of(const TiffTags& tags, const TiffIfd& ifd, std::uint16_t dimensions,
                                 std::uint16_t encoding) {
  const std::vector<double> d = tags.numbers(ifd, dimensions, 3);
  if (d.size() < 2) return std::nullopt;
  const double values = d.size() == 3 ? std::max(d[2], 1.0) : 1;
  constexpr double most = 1024, most_entries = 4e6;
  if (!(d[0] >= 1) || !(d[1] >= 2) || d[0] > most || d[1] > most || values > most ||
      d[0] * d[1] * values > most_entries) {
    return std::nullopt;
  }
  return MapShape{static_cast<int>(d[0]), static_cast<int>(d[1]), static_cast<int>(values),
                  tags.integer(ifd, encoding).value_or(0) == 1};
}

// Empty for data of another size or with values that make no sense.
color::HueSatMap map_of(const TiffTags& tags, const TiffIfd& ifd, std::uint16_t data, const MapShape& shape) {
  const std::vector<double> numbers = tags.numbers(ifd, data, shape.entries() * 3 + 1);
  color::HueSatMap map{shape.hues, shape.saturations, shape.values, shape.srgb_value, {}};
  if (numbers.size() != shape.entries() * 3) return {};
  map.entries.reserve(shape.entries());
  for (std::size_t i = 0; i < numbers.size(); i += 3) {
    if (!(std::abs(numbers[i]) <= 180) || !(numbers[i + 1] >= 0) || !(numbers[i + 1] <= 100) ||
        !(numbers[i + 2] >= 0) || !(numbers[i + 2] <= 100)) {
      return {};
    }
    map.entries.push_back(
        {static_cast<float>(numbers[i]), static_cast<float>(numbers[i + 1]), static_cast<float>(numbers[i + 2])});
  }
  return map;
}

void read_hue_sat_maps(const TiffTags& tags, const TiffIfd& ifd, CameraLook& look, std::vector<std::string>& warnings) {
  if (!tags.has(ifd, tag::map_dimensions)) return;
  const auto shape = shape_of(tags, ifd, tag::map_dimensions, tag::map_encoding);
  for (std::size_t i = 0; i < 3; ++i) {
    if (!tags.has(ifd, tag::map_data[i])) continue;
    color::HueSatMap map = shape ? map_of(tags, ifd, tag::map_data[i], *shape) : color::HueSatMap{};
    if (map.empty()) {
      warnings.emplace_back("the camera profile's table of hues and saturations is damaged and left out");
      look.hue_sat.clear();
      return;
    }
    const auto illuminant = static_cast<int>(tags.integer(ifd, tag::illuminant[i]).value_or(0));
    look.hue_sat.push_back({illuminant_cct(illuminant), std::move(map)});
  }
}

void read_tone_curve(const TiffTags& tags, const TiffIfd& ifd, CameraLook& look, std::vector<std::string>& warnings) {
  const std::vector<double> points = tags.numbers(ifd, tag::tone_curve, 65537 * 2);
  if (points.empty()) return;
  double last = -1;
  for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
    const bool sound = points[i] > last && points[i] >= 0 && points[i] <= 1 && points[i + 1] >= 0 && points[i + 1] <= 1;
    if (!sound) {
      warnings.emplace_back("the camera profile's tone curve is damaged and left out");
      look.tone_curve.clear();
      return;
    }
    last = points[i];
    look.tone_curve.push_back({static_cast<float>(points[i]), static_cast<float>(points[i + 1])});
  }
  // A straight line says that there is none.
  if (look.tone_curve.size() < 2 ||
      std::ranges::all_of(look.tone_curve, [](const auto& p) { return std::abs(p[0] - p[1]) < 1e-6f; })) {
    look.tone_curve.clear();
  }
}

CameraProfileFile read(ByteSource& source, const std::string& name) {
  const auto tags = TiffTags::parse(source);
  if (!tags || tags->magic() != dcp_magic)
    throw Error(ErrorKind::input, name + ": is no camera profile (a .dcp file begins with \"IIRC\")");
  const TiffIfd& ifd = tags->ifds().front();
  CameraProfileFile profile;
  profile.camera = tags->text(ifd, tag::unique_model);
  profile.calibration_signature = tags->text(ifd, tag::calibration_signature);
  profile.calibrations = read_color_matrices(*tags, ifd);
  if (profile.calibrations.empty()) throw Error(ErrorKind::input, name + ": the camera profile holds no colour matrix");
  std::vector<std::string> warnings;
  profile.look = read_camera_look(*tags, ifd, warnings);
  if (!warnings.empty()) throw Error(ErrorKind::input, name + ": " + warnings.front());
  profile.exposure_offset_ev = std::clamp(tags->number(ifd, tag::exposure_offset).value_or(0), -10.0, 10.0);
  return profile;
}

// "Canon EOS 6D" for a raw that names its make and model apart.
bool is_made_for(const std::string& camera, const RawInfo& info) {
  const auto same = [](const std::string& a, const std::string& b) {
    return std::ranges::equal(a, b, [](char x, char y) {
      return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    });
  };
  if (camera.empty() || same(camera, info.unique_model)) return true;
  return same(camera, info.make + " " + info.model) || same(camera, info.model);
}

}  // namespace

std::optional<RawMatrix> dng_matrix(const TiffTags& tags, const TiffIfd& ifd, std::uint16_t id) {
  const std::vector<double> values = tags.numbers(ifd, id, 16);
  if (values.size() != 9) return std::nullopt;
  double largest = 0;
  for (const double v : values) {
    if (!std::isfinite(v) || std::abs(v) > 1e4) return std::nullopt;
    largest = std::max(largest, std::abs(v));
  }
  if (largest == 0) return std::nullopt;
  RawMatrix m;
  std::ranges::copy(values, m.begin());
  return m;
}

std::vector<RawCalibration> read_color_matrices(const TiffTags& tags, const TiffIfd& ifd) {
  std::vector<RawCalibration> calibrations;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::optional<RawMatrix> color = dng_matrix(tags, ifd, tag::color_matrix[i]);
    if (!color) continue;
    RawCalibration calibration;
    calibration.color_matrix = *color;
    calibration.illuminant = static_cast<int>(tags.integer(ifd, tag::illuminant[i]).value_or(0));
    calibration.cct_kelvin = illuminant_cct(calibration.illuminant);
    calibration.forward_matrix = dng_matrix(tags, ifd, tag::forward_matrix[i]);
    calibrations.push_back(calibration);
  }
  return calibrations;
}

CameraLook read_camera_look(const TiffTags& tags, const TiffIfd& ifd, std::vector<std::string>& warnings) {
  CameraLook look;
  look.name = tags.text(ifd, tag::name);
  read_hue_sat_maps(tags, ifd, look, warnings);
  if (tags.has(ifd, tag::look_dimensions)) {
    const auto shape = shape_of(tags, ifd, tag::look_dimensions, tag::look_encoding);
    if (shape) look.look_table = map_of(tags, ifd, tag::look_data, *shape);
    if (look.look_table.empty()) warnings.emplace_back("the camera profile's look table is damaged and left out");
  }
  read_tone_curve(tags, ifd, look, warnings);
  return look;
}

CameraProfileFile read_dcp(const std::filesystem::path& path) {
  ByteSource source(path);
  return read(source, name_of(path));
}

CameraProfileFile read_dcp(std::span<const std::byte> bytes, const std::string& name) {
  ByteSource source(bytes);
  return read(source, name);
}

void use_profile(const CameraProfileFile& profile, RawImage& raw) {
  if (!is_made_for(profile.camera, raw.info)) {
    raw.warnings.push_back("the camera profile was made for " + profile.camera + ": colours may be wrong");
  }
  std::vector<RawCalibration> calibrations = profile.calibrations;
  // The individual camera's own deviation counts for profiles of the same reference camera.
  if (profile.calibration_signature == raw.calibration_signature) {
    for (RawCalibration& calibration : calibrations) {
      for (const RawCalibration& own : raw.calibrations) {
        if (own.illuminant == calibration.illuminant) calibration.camera_calibration = own.camera_calibration;
      }
    }
  }
  raw.calibrations = std::move(calibrations);
  raw.look = profile.look;
  raw.profile_exposure_ev = profile.exposure_offset_ev;
}

}  // namespace imago::io
