// Where a camera was: a GPX track, times in UTC.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "io/raw/raw_image.h"

namespace imago::pano {

struct TrackPoint {
  double time_s = 0;  // since 1970-01-01 UTC
  io::RawGps place;
};

// Sorted by time; points without a time, not finite or out of range are left out. Throws Error{input} when the file
// cannot be read or holds no track.
std::vector<TrackPoint> read_gpx(const std::filesystem::path& path);

// Between the two points around the time; nothing outside the track (2 s of grace).
std::optional<io::RawGps> place_at(const std::vector<TrackPoint>& track, double time_s);

// "2024-05-31T14:03:07.250Z", also with an offset (+02:00): seconds since 1970.
std::optional<double> time_from_iso(std::string_view text);

}  // namespace imago::pano
