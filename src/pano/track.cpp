#include "pano/track.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "base/error.h"
#include "base/path_text.h"
#include "io/byte_source.h"

namespace imago::pano {
namespace {

// Days since 1970-01-01 of a date of the Gregorian calendar (H. Hinnant's days_from_civil).
std::int64_t days_of(int year, int month, int day) {
  year -= month <= 2 ? 1 : 0;
  const int era = (year >= 0 ? year : year - 399) / 400;
  const int year_of_era = year - era * 400;
  const int day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return static_cast<std::int64_t>(era) * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
         day_of_year - 719468;
}

std::optional<double> number(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

// lat="…" within a tag.
std::optional<double> attribute(std::string_view tag, std::string_view name) {
  for (const char quote : {'"', '\''}) {
    const std::string start = fmt::format(" {}={}", name, quote);
    const std::size_t at = tag.find(start);
    if (at != std::string_view::npos) return number(tag.substr(at + start.size()));
  }
  return std::nullopt;
}

std::string_view element(std::string_view text, const char* name) {
  const std::size_t start = text.find(fmt::format("<{}>", name));
  if (start == std::string_view::npos) return {};
  const std::size_t begin = text.find('>', start) + 1;
  const std::size_t end = text.find('<', begin);
  return end == std::string_view::npos ? std::string_view{} : text.substr(begin, end - begin);
}

std::optional<TrackPoint> point_from(std::string_view text) {
  const std::string_view tag = text.substr(0, text.find('>'));
  const auto latitude = attribute(tag, "lat"), longitude = attribute(tag, "lon");
  const auto time = time_from_iso(element(text, "time"));
  if (!latitude || !longitude || !time || std::abs(*latitude) > 90 || std::abs(*longitude) > 180) return std::nullopt;
  TrackPoint point{*time, {*latitude, *longitude, number(element(text, "ele"))}};
  return point;
}

}  // namespace

std::optional<double> time_from_iso(std::string_view text) {
  while (!text.empty() && text.front() <= ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() <= ' ') text.remove_suffix(1);
  const auto year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2);
  const auto hour = digits(text, 11, 2), minute = digits(text, 14, 2), second = digits(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second || *month < 1 || *month > 12 || *day < 1 || *day > 31) {
    return std::nullopt;
  }
  double time = static_cast<double>(days_of(*year, *month, *day)) * 86400 + *hour * 3600 + *minute * 60 + *second;
  std::size_t at = 19;
  if (at < text.size() && text[at] == '.') {
    std::size_t end = at + 1;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    time += number(std::string("0") + std::string(text.substr(at, end - at))).value_or(0);
    at = end;
  }
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
    const auto hours = digits(text, at + 1, 2);
    const auto minutes = digits(text, text.size() - 2, 2);
    if (!hours || !minutes) return std::nullopt;
    time -= (text[at] == '+' ? 1 : -1) * (*hours * 3600.0 + *minutes * 60.0);
  }
  return time;
}

std::vector<TrackPoint> read_gpx(const std::filesystem::path& path) {
  const std::vector<std::byte> bytes = io::read_file(path, std::uint64_t{1} << 28);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::vector<TrackPoint> track;
  for (std::size_t at = text.find("<trkpt"); at != std::string_view::npos;) {
    const std::size_t next = text.find("<trkpt", at + 6);
    if (const auto point = point_from(text.substr(at, std::min(next, text.size()) - at))) track.push_back(*point);
    at = next;
  }
  if (track.empty()) throw Error(ErrorKind::input, fmt::format("{}: no track points with a time in it", utf8(path)));
  std::stable_sort(track.begin(), track.end(),
                   [](const TrackPoint& a, const TrackPoint& b) { return a.time_s < b.time_s; });
  return track;
}

std::optional<io::RawGps> place_at(const std::vector<TrackPoint>& track, double time_s) {
  constexpr double grace_s = 2;
  if (track.empty() || time_s < track.front().time_s - grace_s || time_s > track.back().time_s + grace_s) {
    return std::nullopt;
  }
  const auto after = std::lower_bound(track.begin(), track.end(), time_s,
                                      [](const TrackPoint& point, double time) { return point.time_s < time; });
  if (after == track.begin()) return track.front().place;
  if (after == track.end()) return track.back().place;
  const TrackPoint& a = *(after - 1);
  const TrackPoint& b = *after;
  const double share = b.time_s > a.time_s ? (time_s - a.time_s) / (b.time_s - a.time_s) : 0;
  double turn = b.place.longitude_degrees - a.place.longitude_degrees;  // the short way over the date line
  turn -= 360 * std::round(turn / 360);
  io::RawGps place{a.place.latitude_degrees + share * (b.place.latitude_degrees - a.place.latitude_degrees),
                   a.place.longitude_degrees + share * turn, std::nullopt};
  if (place.longitude_degrees > 180) place.longitude_degrees -= 360;
  if (place.longitude_degrees < -180) place.longitude_degrees += 360;
  if (a.place.altitude_m && b.place.altitude_m) {
    place.altitude_m = *a.place.altitude_m + share * (*b.place.altitude_m - *a.place.altitude_m);
  }
  return place;
}

}  // namespace imago::pano
