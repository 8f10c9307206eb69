// EXIF, GPS and XMP of pictures through Exiv2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/raw/raw_image.h"

namespace imago::io {

enum class MetadataPolicy : std::uint8_t { all, all_but_gps, copyright_only, none };

struct OutputMetadata {
  std::vector<std::byte> exif;  // TIFF structure for PictureOptions::exif
  std::vector<std::byte> xmp;   // packet for PictureOptions::xmp
  std::vector<std::byte> iptc;  // records for PictureOptions::iptc
  std::vector<std::string> warnings;
};

// What is to be said beside what the source says. Texts that are not empty replace the source's, whatever the policy.
struct MetadataWishes {
  std::string artist;
  std::string copyright;
  std::filesystem::path sidecar = {};  // its descriptive XMP (rating, keywords …) replaces the source's; may be absent
  std::size_t most_blob_bytes = 65000;  // what fits into one JPEG marker; other formats hold more
};

// What a picture developed from `source` carries: everything but the tags that describe the raw container, thumbnails
// and edit settings; Orientation 1, the new pixel dimensions. A DNG's maker note is found where Adobe's converter puts
// it, too. IPTC is told in XMP as well, for the formats that have no place for it. Of a blob over the bound the maker
// note is left out. A source without readable metadata gives minimal blobs and a warning, never an error.
OutputMetadata metadata_for_output(const std::filesystem::path& source, int width, int height, MetadataPolicy policy,
                                   bool srgb = true, const MetadataWishes& wishes = {});

// Google's Photo Sphere properties, as they stand.
struct GPano {
  std::string projection;  // "equirectangular"
  std::optional<int> full_width, full_height;
  std::optional<int> crop_left, crop_top, crop_width, crop_height;
  std::optional<double> heading_degrees, pitch_degrees, roll_degrees;
};
std::optional<GPano> read_gpano(const std::filesystem::path& path);

// Where a camera looked, as EXIF has it.
struct CameraPose {
  std::optional<double> direction_degrees;  // GPSImgDirection: of the middle, clockwise from north
  std::optional<double> elevation_degrees;  // CameraElevationAngle: + up
};
CameraPose read_pose(const std::filesystem::path& path);

// Camera, lens, exposure, time, place and orientation of any picture with EXIF (layout, width and height untouched).
// Empty fields where nothing is known; never an error for a file that exists.
RawInfo read_photo_info(const std::filesystem::path& path);

}  // namespace imago::io
