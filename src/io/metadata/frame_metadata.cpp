#include "io/metadata/frame_metadata.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "io/metadata/exiv2_guard.h"

namespace imago::io {
namespace {

// Degrees, minutes and 1/10000 seconds: 3 mm.
std::string sexagesimal(double degrees) {
  const auto parts = static_cast<std::int64_t>(std::llround(std::abs(degrees) * 3600 * 10000));
  return fmt::format("{}/1 {}/1 {}/10000", parts / 36000000, parts / 600000 % 60, parts % 600000);
}

void add_place(Exiv2::ExifData& exif, const RawGps& place) {
  exif["Exif.GPSInfo.GPSVersionID"] = "2 3 0 0";
  exif["Exif.GPSInfo.GPSLatitudeRef"] = place.latitude_degrees < 0 ? "S" : "N";
  exif["Exif.GPSInfo.GPSLatitude"] = sexagesimal(place.latitude_degrees);
  exif["Exif.GPSInfo.GPSLongitudeRef"] = place.longitude_degrees < 0 ? "W" : "E";
  exif["Exif.GPSInfo.GPSLongitude"] = sexagesimal(place.longitude_degrees);
  exif["Exif.GPSInfo.GPSMapDatum"] = "WGS-84";
  if (!place.altitude_m) return;
  exif["Exif.GPSInfo.GPSAltitudeRef"] = *place.altitude_m < 0 ? "1" : "0";
  exif["Exif.GPSInfo.GPSAltitude"] = fmt::format("{}/1000", std::llround(std::abs(*place.altitude_m) * 1000));
}

void add_time(Exiv2::ExifData& exif, std::string time) {
  if (time.size() < 19) return;
  time[4] = time[7] = ':';
  time[10] = ' ';
  exif["Exif.Photo.DateTimeOriginal"] = time.substr(0, 19);
  if (time.size() > 20 && time[19] == '.') exif["Exif.Photo.SubSecTimeOriginal"] = time.substr(20);
}

}  // namespace

std::vector<std::byte> exif_of_frame(const FrameFacts& facts) {
  return with_exiv2("EXIF", "cannot be made", [&] {
    Exiv2::ExifData exif;
    exif["Exif.Image.Make"] = "pipeline_360";
    exif["Exif.Image.Software"] = "pipeline_360";
    add_time(exif, facts.time);
    if (facts.place) add_place(exif, *facts.place);
    if (facts.focal_length_35mm_mm > 0) {
      exif["Exif.Photo.FocalLengthIn35mmFilm"] = static_cast<std::uint16_t>(std::lround(facts.focal_length_35mm_mm));
    }
    Exiv2::Blob blob;
    Exiv2::ExifParser::encode(blob, Exiv2::littleEndian, exif);
    const auto* first = reinterpret_cast<const std::byte*>(blob.data());
    return std::vector<std::byte>(first, first + blob.size());
  });
}

std::vector<std::byte> xmp_of_panorama(int width, int height) {
  const std::string text = fmt::format(
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
      "<rdf:Description rdf:about='' xmlns:GPano='http://ns.google.com/photos/1.0/panorama/' "
      "GPano:ProjectionType='equirectangular' GPano:UsePanoramaViewer='True' GPano:FullPanoWidthPixels='{0}' "
      "GPano:FullPanoHeightPixels='{1}' GPano:CroppedAreaImageWidthPixels='{0}' "
      "GPano:CroppedAreaImageHeightPixels='{1}' GPano:CroppedAreaLeftPixels='0' GPano:CroppedAreaTopPixels='0'/>"
      "</rdf:RDF></x:xmpmeta>",
      width, height);
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

}  // namespace imago::io
