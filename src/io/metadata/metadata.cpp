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

// Tags of the first directory that say how the raw's (or the source file's) pixels are stored.
bool describes_container(std::uint16_t tag) {
  constexpr std::array<std::uint16_t, 42> known{254, 255, 256, 257, 258,   259,   262,   266,   273,  274, 277,
                                                278, 279, 284, 292, 293,   301,   317,   318,   319,  320, 322,
                                                323, 324, 325, 330, 338,   339,   347,   512,   513,  514, 529,
                                                530, 531, 532, 700, 33421, 33422, 33723, 34377, 34675};
  const bool dng = tag >= 50706 && tag <= 52600;
  const bool pointer = tag == 34665 || tag == 34853;
  return dng || pointer || tag == 37398 || tag == 50341 || std::ranges::find(known, tag) != known.end();
}

// TIFF/EP writers (DNG among them) put exposure facts into the first directory; readers of JPEG look in Photo.
bool belongs_into_photo(std::uint16_t tag) {
  constexpr std::array<std::uint16_t, 22> known{33434, 33437, 34850, 34855, 36867, 37377, 37378, 37379,
                                                37380, 37381, 37382, 37383, 37384, 37385, 37386, 37396,
                                                41486, 41487, 41488, 41493, 41495, 37520};
  return std::ranges::find(known, tag) != known.end();
}

bool is_copyright(const Exiv2::Exifdatum& datum) {
  const std::string key = datum.key();
  return key == "Exif.Image.Copyright" || key == "Exif.Image.Artist";
}

bool is_kept(const Exiv2::Exifdatum& datum) {
  const std::string group = datum.groupName();
  if (group == "GPSInfo") return true;
  if (group == "Image") return !describes_container(datum.tag());
  if (group == "Photo") {
    constexpr std::array<std::uint16_t, 5> dropped{41730, 40965, 37121, 37122,
                                                   40961};  // CFAPattern, interoperability …
    return std::ranges::find(dropped, datum.tag()) == dropped.end();
  }
  if (group == "Thumbnail" || group == "MpfInfo" || group == "Iop" || group.starts_with("SubImage") ||
      group.starts_with("SubThumb") || group.starts_with("Image") || group.starts_with("PanasonicRaw")) {
    return false;
  }
  return group.find("Preview") == std::string::npos;  // the rest are maker notes
}

bool is_maker_note(const Exiv2::Exifdatum& datum) {
  const std::string group = datum.groupName();
  return (group != "Image" && group != "Photo" && group != "GPSInfo") || datum.key() == "Exif.Photo.MakerNote";
}

void erase_if(Exiv2::ExifData& exif, const auto& unwanted) {
  for (auto at = exif.begin(); at != exif.end();) at = unwanted(*at) ? exif.erase(at) : std::next(at);
}

Exiv2::ExifData selected(const Exiv2::ExifData& source, MetadataPolicy policy) {
  Exiv2::ExifData exif;
  if (policy == MetadataPolicy::none) return exif;
  for (const Exiv2::Exifdatum& datum : source) {
    if (policy == MetadataPolicy::copyright_only ? !is_copyright(datum) : !is_kept(datum)) continue;
    if (policy == MetadataPolicy::all_but_gps && datum.groupName() == "GPSInfo") continue;
    const bool first_directory = datum.groupName() == "Image";
    if (first_directory && belongs_into_photo(datum.tag())) {
      const Exiv2::ExifKey key(datum.tag(), "Photo");
      if (source.findKey(key) == source.end()) exif.add(key, &datum.value());
      continue;
    }
    exif.add(datum);
  }
  return exif;
}

std::vector<std::byte> encoded(Exiv2::ExifData& exif) {
  if (exif.empty()) return {};
  Exiv2::Blob blob;
  Exiv2::ExifParser::encode(blob, Exiv2::littleEndian, exif);
  const auto* first = reinterpret_cast<const std::byte*>(blob.data());
  return {first, first + blob.size()};
}

constexpr std::size_t most_marker_bytes = 65000;

std::vector<std::byte> encoded_to_fit(Exiv2::ExifData exif, std::vector<std::string>& warnings) {
  try {
    std::vector<std::byte> blob = encoded(exif);
    if (blob.size() <= most_marker_bytes) return blob;
    warnings.emplace_back("the maker note is too large for the output and was left out");
  } catch (const std::exception&) {
    warnings.emplace_back("the maker note could not be written and was left out");
  }
  erase_if(exif, is_maker_note);
  std::vector<std::byte> blob = encoded(exif);
  if (blob.size() <= most_marker_bytes) return blob;
  erase_if(exif, [](const Exiv2::Exifdatum& datum) { return datum.size() > 4096; });
  return encoded(exif);
}

// Descriptive XMP only: what restates EXIF, or tells how a raw was edited, would be wrong in the output.
bool is_kept(const Exiv2::Xmpdatum& datum, MetadataPolicy policy) {
  const std::string group = datum.groupName();
  if (policy == MetadataPolicy::copyright_only) {
    const std::string key = datum.key();
    return key == "Xmp.dc.rights" || key == "Xmp.dc.creator" || group == "xmpRights" || group == "plus";
  }
  constexpr std::array<std::string_view, 11> dropped{"crs",       "tiff",  "exif",  "exifEX", "aux", "imago",
                                                     "darktable", "xmpMM", "GPano", "xmpDM",  "crd"};
  if (std::ranges::find(dropped, group) != dropped.end()) return false;
  return policy == MetadataPolicy::all || datum.key().find("GPS") == std::string::npos;
}

std::vector<std::byte> selected_packet(const Exiv2::XmpData& source, MetadataPolicy policy) {
  Exiv2::XmpData xmp;
  for (const Exiv2::Xmpdatum& datum : source) {
    if (is_kept(datum, policy)) xmp.add(datum);
  }
  if (xmp.empty()) return {};
  std::string packet;
  const auto lock = exclusive_xmp();
  if (Exiv2::XmpParser::encode(packet, xmp, Exiv2::XmpParser::useCompactFormat | Exiv2::XmpParser::omitAllFormatting,
                               0) != 0)
    return {};
  if (packet.size() > most_marker_bytes) return {};
  const auto bytes = std::as_bytes(std::span(packet));
  return {bytes.begin(), bytes.end()};
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

OutputMetadata metadata_for_output(const std::filesystem::path& source, int width, int height, MetadataPolicy policy,
                                   bool srgb) {
  OutputMetadata out;
  Exiv2::ExifData exif;
  prepare_exiv2();
  if (policy != MetadataPolicy::none) {
    try {
      const ImagePointer image = open(source);
      exif = selected(image->exifData(), policy);
      out.xmp = selected_packet(image->xmpData(), policy);
    } catch (const std::exception& error) {
      out.warnings.emplace_back(error.what());
    }
  }
  try {
    exif["Exif.Image.Orientation"] = std::uint16_t{1};
    exif["Exif.Image.Software"] = "Imago";
    exif["Exif.Photo.PixelXDimension"] = static_cast<std::uint32_t>(width);
    exif["Exif.Photo.PixelYDimension"] = static_cast<std::uint32_t>(height);
    exif["Exif.Photo.ColorSpace"] = static_cast<std::uint16_t>(srgb ? 1 : 0xffff);
    out.exif = encoded_to_fit(std::move(exif), out.warnings);
  } catch (const std::exception& error) {
    out.warnings.emplace_back(std::string("metadata could not be written: ") + error.what());
  }
  return out;
}

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
