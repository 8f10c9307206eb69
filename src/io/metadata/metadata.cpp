#include "io/metadata/metadata.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "io/byte_source.h"
#include "io/metadata/exiv2_guard.h"

namespace imago::io {
namespace {

using ImagePointer = decltype(Exiv2::ImageFactory::open(std::string()));

ImagePointer open(const std::filesystem::path& path) {
  return with_exiv2(name_of(path), "metadata cannot be read", [&] {
    ImagePointer image = Exiv2::ImageFactory::open(path.string());
    image->readMetadata();
    return image;
  });
}

std::optional<double> number(const Exiv2::ExifData& exif, const char* key) {
  const auto found = exif.findKey(Exiv2::ExifKey(key));
  if (found == exif.end() || found->count() == 0) return std::nullopt;
  const Exiv2::Rational value = found->toRational();
  if (value.second == 0) return std::nullopt;
  return static_cast<double>(value.first) / static_cast<double>(value.second);
}

std::string text(const Exiv2::ExifData& exif, const char* key) {
  const auto found = exif.findKey(Exiv2::ExifKey(key));
  if (found == exif.end()) return {};
  std::string value = found->toString();
  value.resize(std::strlen(value.c_str()));
  while (!value.empty() && value.back() == ' ') value.pop_back();
  return value;
}

std::optional<double> angle(const Exiv2::ExifData& exif, const char* key, const char* reference, char negative) {
  const auto found = exif.findKey(Exiv2::ExifKey(key));
  if (found == exif.end() || found->count() < 3) return std::nullopt;
  double value = 0, unit = 1;
  for (decltype(found->count()) i = 0; i < 3; ++i, unit /= 60) {
    const Exiv2::Rational part = found->toRational(i);
    if (part.second == 0) return std::nullopt;
    value += unit * part.first / part.second;
  }
  if (!std::isfinite(value) || std::abs(value) > 180) return std::nullopt;
  return text(exif, reference).starts_with(negative) ? -value : value;
}

void fill(const Exiv2::ExifData& exif, RawInfo& info) {
  info.make = text(exif, "Exif.Image.Make");
  info.model = text(exif, "Exif.Image.Model");
  info.software = text(exif, "Exif.Image.Software");
  info.lens = text(exif, "Exif.Photo.LensModel");
  info.iso = number(exif, "Exif.Photo.ISOSpeedRatings").value_or(0);
  info.shutter_s = number(exif, "Exif.Photo.ExposureTime").value_or(0);
  info.aperture_f = number(exif, "Exif.Photo.FNumber").value_or(0);
  info.focal_length_mm = number(exif, "Exif.Photo.FocalLength").value_or(0);
  info.focal_length_35mm_mm = number(exif, "Exif.Photo.FocalLengthIn35mmFilm").value_or(0);
  info.focus_distance_m = number(exif, "Exif.Photo.SubjectDistance").value_or(0);
  const double orientation = number(exif, "Exif.Image.Orientation").value_or(1);
  if (orientation >= 1 && orientation <= 8) info.orientation = static_cast<int>(orientation);
  std::string time = text(exif, "Exif.Photo.DateTimeOriginal");
  if (time.size() >= 19 && time[4] == ':' && time[7] == ':') {
    time[4] = time[7] = '-';
    info.time = time.substr(0, 19);
  }
  const auto latitude = angle(exif, "Exif.GPSInfo.GPSLatitude", "Exif.GPSInfo.GPSLatitudeRef", 'S');
  const auto longitude = angle(exif, "Exif.GPSInfo.GPSLongitude", "Exif.GPSInfo.GPSLongitudeRef", 'W');
  if (latitude && longitude) {
    info.gps = RawGps{.latitude_degrees = *latitude, .longitude_degrees = *longitude, .altitude_m = std::nullopt};
    if (auto altitude = number(exif, "Exif.GPSInfo.GPSAltitude")) {
      const bool below_sea = number(exif, "Exif.GPSInfo.GPSAltitudeRef").value_or(0) == 1;
      info.gps->altitude_m = below_sea ? -*altitude : *altitude;
    }
  }
}

std::optional<double> xmp_number(const Exiv2::XmpData& xmp, const char* key) {
  const auto found = xmp.findKey(Exiv2::XmpKey(key));
  if (found == xmp.end()) return std::nullopt;
  const std::string value = found->toString();
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (end == value.c_str() || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<int> xmp_integer(const Exiv2::XmpData& xmp, const char* key) {
  const auto value = xmp_number(xmp, key);
  if (!value || std::abs(*value) > 1e9) return std::nullopt;
  return static_cast<int>(std::lround(*value));
}

}  // namespace

std::optional<GPano> read_gpano(const std::filesystem::path& path) {
  try {
    const ImagePointer image = open(path);
    const Exiv2::XmpData& xmp = image->xmpData();
    GPano pano;
    const auto projection = xmp.findKey(Exiv2::XmpKey("Xmp.GPano.ProjectionType"));
    if (projection != xmp.end()) pano.projection = projection->toString();
    pano.full_width = xmp_integer(xmp, "Xmp.GPano.FullPanoWidthPixels");
    pano.full_height = xmp_integer(xmp, "Xmp.GPano.FullPanoHeightPixels");
    pano.crop_left = xmp_integer(xmp, "Xmp.GPano.CroppedAreaLeftPixels");
    pano.crop_top = xmp_integer(xmp, "Xmp.GPano.CroppedAreaTopPixels");
    pano.crop_width = xmp_integer(xmp, "Xmp.GPano.CroppedAreaImageWidthPixels");
    pano.crop_height = xmp_integer(xmp, "Xmp.GPano.CroppedAreaImageHeightPixels");
    pano.heading_degrees = xmp_number(xmp, "Xmp.GPano.PoseHeadingDegrees");
    pano.pitch_degrees = xmp_number(xmp, "Xmp.GPano.PosePitchDegrees");
    pano.roll_degrees = xmp_number(xmp, "Xmp.GPano.PoseRollDegrees");
    if (pano.projection.empty() && !pano.full_width) return std::nullopt;
    return pano;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

CameraPose read_pose(const std::filesystem::path& path) {
  CameraPose pose;
  try {
    const ImagePointer image = open(path);
    pose.direction_degrees = number(image->exifData(), "Exif.GPSInfo.GPSImgDirection");
    pose.elevation_degrees = number(image->exifData(), "Exif.Photo.0x9405");
  } catch (const std::exception&) {
    // no metadata is a normal case
  }
  return pose;
}

RawInfo read_photo_info(const std::filesystem::path& path) {
  RawInfo info;
  try {
    fill(open(path)->exifData(), info);
  } catch (const std::exception&) {
    // no metadata is a normal case
  }
  return info;
}

}  // namespace imago::io
