#include "io/raw/dng_tags.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "io/raw/camera_profile.h"
#include "io/raw/dng_jxl.h"
#include "io/raw/white_balance.h"

namespace imago::io {
namespace {

namespace tag {
constexpr std::uint16_t subfile_type = 254, width = 256, height = 257, compression = 259, photometric = 262,
                        strip_offsets = 273, orientation = 274, rows_per_strip = 278, strip_counts = 279,
                        software = 305, tile_width = 322, tile_height = 323, tile_offsets = 324, tile_counts = 325,
                        date_time_original = 36867;
constexpr std::uint16_t unique_model = 50708, black_repeat = 50713, black = 50714, black_delta_h = 50715,
                        black_delta_v = 50716, white = 50717, default_scale = 50718, crop_origin = 50719,
                        crop_size = 50720, analog_balance = 50727, as_shot_neutral = 50728, as_shot_xy = 50729,
                        baseline_exposure = 50730, active_area = 50829, calibration_signature = 50931,
                        profile_signature = 50932, opcodes1 = 51008, opcodes2 = 51009, opcodes3 = 51022, noise = 51041,
                        baseline_exposure_offset = 51109;
constexpr std::array<std::uint16_t, 3> color_matrix{50721, 50722, 52531};
constexpr std::array<std::uint16_t, 3> camera_calibration{50723, 50724, 52530};
constexpr std::array<std::uint16_t, 3> illuminant{50778, 50779, 52529};
}  // namespace tag

constexpr std::uint32_t photometric_cfa = 32803;
constexpr std::uint32_t photometric_linear = 34892;

bool finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

// From the raw directory, else from the first one: writers differ in where they put what.
std::vector<double> numbers_of_either(const TiffTags& tags, const TiffIfd& raw_ifd, std::uint16_t id,
                                      std::size_t limit) {
  std::vector<double> values = tags.numbers(raw_ifd, id, limit);
  return values.empty() ? tags.numbers(tags.ifds().front(), id, limit) : values;
}

std::vector<float> deltas(const TiffTags& tags, const TiffIfd& ifd, std::uint16_t id, int length) {
  const std::vector<double> values = tags.numbers(ifd, id, 65536);
  if (values.size() != static_cast<std::size_t>(length) || !finite(values)) return {};
  std::vector<float> result(values.size());
  std::ranges::transform(values, result.begin(), [](double v) { return static_cast<float>(v); });
  if (std::ranges::all_of(result, [](float v) { return v == 0; })) result.clear();
  return result;
}

void read_levels(const TiffTags& tags, const TiffIfd& ifd, RawImage& image) {
  const auto channels = static_cast<std::size_t>(image.channels());
  const std::vector<double> black = tags.numbers(ifd, tag::black, 64 * 64 * 3);
  const std::vector<double> repeat = tags.numbers(ifd, tag::black_repeat, 2);
  const std::size_t rows =
      repeat.size() == 2 && repeat[0] >= 1 && repeat[0] <= 64 ? static_cast<std::size_t>(repeat[0]) : 1;
  const std::size_t columns =
      repeat.size() == 2 && repeat[1] >= 1 && repeat[1] <= 64 ? static_cast<std::size_t>(repeat[1]) : 1;
  image.black = {};
  if (!black.empty() && finite(black)) {
    if (black.size() == rows * columns * channels) {
      const bool flat = std::ranges::all_of(black, [&](double v) { return v == black[0]; });
      if (flat) {
        image.black.per_channel.fill(static_cast<float>(black[0]));
      } else {
        image.black.pattern_width = static_cast<int>(columns);
        image.black.pattern_height = static_cast<int>(rows);
        image.black.pattern_channels = static_cast<int>(channels);
        for (const double v : black) image.black.pattern.push_back(static_cast<float>(v));
      }
    } else {
      image.black.per_channel.fill(static_cast<float>(black[0]));
      image.warnings.emplace_back("BlackLevel has an unexpected number of values: the first one is used");
    }
  }
  image.black.delta_rows = deltas(tags, ifd, tag::black_delta_v, image.active_area.height);
  image.black.delta_columns = deltas(tags, ifd, tag::black_delta_h, image.active_area.width);

  const std::vector<double> white = tags.numbers(ifd, tag::white, 3);
  if (!white.empty() && finite(white) && white[0] > 0) {
    for (std::size_t c = 0; c < 4; ++c) {
      const std::size_t from = c == 3 ? 1 : c;
      image.white[c] = static_cast<float>(from < white.size() && white[from] > 0 ? white[from] : white[0]);
    }
  } else if (image.float_samples.size() != 0) {
    image.white.fill(1);
  }
}

void read_calibrations(const TiffTags& tags, RawImage& image) {
  const TiffIfd& ifd = tags.ifds().front();
  const bool own_calibration = tags.text(ifd, tag::calibration_signature) == tags.text(ifd, tag::profile_signature);
  std::vector<RawCalibration> calibrations = read_color_matrices(tags, ifd);
  for (std::size_t i = 0; own_calibration && i < 3; ++i) {
    const auto illuminant = static_cast<int>(tags.integer(ifd, tag::illuminant[i]).value_or(0));
    const auto camera = dng_matrix(tags, ifd, tag::camera_calibration[i]);
    if (!camera || !tags.has(ifd, tag::color_matrix[i])) continue;
    for (RawCalibration& calibration : calibrations) {
      if (calibration.illuminant == illuminant) calibration.camera_calibration = *camera;
    }
  }
  image.calibration_signature = tags.text(ifd, tag::calibration_signature);
  if (!calibrations.empty()) image.calibrations = std::move(calibrations);
  const std::vector<double> balance = tags.numbers(ifd, tag::analog_balance, 3);
  if (balance.size() == 3 && finite(balance) && std::ranges::all_of(balance, [](double v) { return v > 0; })) {
    std::ranges::copy(balance, image.analog_balance.begin());
  }
}

void read_opcodes_and_noise(const TiffTags& tags, const TiffIfd& raw_ifd, bool lossy, RawImage& image) {
  constexpr std::array<std::uint16_t, 3> ids{tag::opcodes1, tag::opcodes2, tag::opcodes3};
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<std::uint8_t> list = tags.bytes(raw_ifd, ids[i]);
    if (list.empty()) list = tags.bytes(tags.ifds().front(), ids[i]);
    image.opcodes[i] = parse_opcodes(list, static_cast<int>(i) + 1, image.warnings);
  }
  if (lossy)
    std::erase_if(image.opcodes[1], [](const DngOpcode& o) { return std::holds_alternative<MapPolynomial>(o); });
  const std::vector<double> noise = numbers_of_either(tags, raw_ifd, tag::noise, 8);
  if (!noise.empty() && noise.size() % 2 == 0 && finite(noise)) {
    for (std::size_t i = 0; i < noise.size(); i += 2) {
      image.noise.push_back({.scale = std::max(noise[i], 0.0), .offset = std::max(noise[i + 1], 0.0)});
    }
  }
}

// How many strips or tiles the picture needs.
double pieces_of_picture(const TiffTags& tags, const TiffIfd& ifd, bool tiled) {
  const double width = tags.number(ifd, tag::width).value_or(0), height = tags.number(ifd, tag::height).value_or(0);
  if (!tiled) {
    const double rows = tags.number(ifd, tag::rows_per_strip).value_or(height);
    return rows > 0 ? std::ceil(height / rows) : 1;
  }
  const double tile_width = tags.number(ifd, tag::tile_width).value_or(width);
  const double tile_height = tags.number(ifd, tag::tile_height).value_or(height);
  if (!(tile_width > 0) || !(tile_height > 0)) return 1;
  return std::ceil(width / tile_width) * std::ceil(height / tile_height);
}

}  // namespace

const TiffIfd* find_dng_raw_ifd(const TiffTags& tags) {
  const TiffIfd* best = nullptr;
  double best_rank = -1;
  for (const TiffIfd& ifd : tags.ifds()) {
    const std::uint32_t photometric = tags.integer(ifd, tag::photometric).value_or(0);
    if (photometric != photometric_cfa && photometric != photometric_linear) continue;
    const double area = tags.number(ifd, tag::width).value_or(0) * tags.number(ifd, tag::height).value_or(0);
    const bool full = tags.integer(ifd, tag::subfile_type).value_or(0) == 0;
    const double rank = area + (full ? 1e12 : 0);
    if (rank > best_rank) {
      best = &ifd;
      best_rank = rank;
    }
  }
  return best;
}

void check_dng_picture(const TiffTags& tags, const TiffIfd& raw_ifd, std::uint64_t file_size, const std::string& name,
                       bool tolerant) {
  switch (tags.integer(raw_ifd, tag::compression).value_or(1)) {
    case 1:
    case 7:
    case 8:
    case 32946:
    case 34892:
    case dng_compression_jxl: break;
    case 9:
      throw Error(ErrorKind::input, name +
                                        ": GoPro .GPR (VC-5 compression) is not supported: convert it to DNG first "
                                        "(GoPro's gpr_tools, or Adobe DNG Converter)");
    default:
      throw Error(ErrorKind::input, name + ": DNG compression " +
                                        std::to_string(tags.integer(raw_ifd, tag::compression).value_or(0)) +
                                        " is not supported: convert it with Adobe DNG Converter");
  }
  const bool tiled = tags.has(raw_ifd, tag::tile_offsets);
  const std::vector<double> offsets = tags.numbers(raw_ifd, tiled ? tag::tile_offsets : tag::strip_offsets, 1 << 20);
  const std::vector<double> counts = tags.numbers(raw_ifd, tiled ? tag::tile_counts : tag::strip_counts, 1 << 20);
  if (offsets.empty()) throw Error(ErrorKind::input, name + ": no image data: the DNG names no place for its picture");
  const double tiles = pieces_of_picture(tags, raw_ifd, tiled);
  if (tolerant) {
    if (std::ranges::none_of(offsets, [&](double offset) { return offset < static_cast<double>(file_size); }))
      throw Error(ErrorKind::input, name + ": no image data: the whole picture lies beyond the end of the file");
    return;
  }
  if (static_cast<double>(offsets.size()) < tiles) {
    throw Error(ErrorKind::input, name + ": truncated raw data: only " + std::to_string(offsets.size()) + " of " +
                                      std::to_string(static_cast<long long>(tiles)) + (tiled ? " tiles" : " strips") +
                                      " are in the file");
  }
  const auto size = static_cast<double>(file_size);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const double count = i < counts.size() ? counts[i] : 1;
    if (offsets[i] >= size || offsets[i] + count > size) {
      throw Error(ErrorKind::input, name + ": truncated raw data: the file ends before " +
                                        (tiled ? "tile " : "strip ") + std::to_string(i + 1) + " of " +
                                        std::to_string(offsets.size()) + ": copy it again from the card");
    }
  }
}

void read_dng_info(const TiffTags& tags, RawInfo& info) {
  const TiffIfd& ifd = tags.ifds().front();
  info.is_dng = true;
  info.unique_model = tags.text(ifd, tag::unique_model);
  info.software = tags.text(ifd, tag::software);
  const std::uint32_t orientation = tags.integer(ifd, tag::orientation).value_or(0);
  if (orientation >= 1 && orientation <= 8) info.orientation = static_cast<int>(orientation);
  if (const TiffIfd* exif = tags.exif()) {
    const std::string time = tags.text(*exif, tag::date_time_original);  // "2019:06:06 07:23:11"
    if (time.size() >= 19 && time[4] == ':' && time[7] == ':') {
      info.time = time.substr(0, 19);
      info.time[4] = info.time[7] = '-';
    }
  }
}

void read_dng_areas(const TiffTags& tags, const TiffIfd& ifd, RawImage& image) {
  const std::vector<double> area = tags.numbers(ifd, tag::active_area, 4);  // top, left, bottom, right
  if (area.size() == 4 && area[0] >= 0 && area[1] >= 0 && area[2] > area[0] && area[3] > area[1] &&
      area[2] <= image.height && area[3] <= image.width) {
    const int top = static_cast<int>(area[0]), left = static_cast<int>(area[1]);
    image.active_area = {left, top, static_cast<int>(area[3]) - left, static_cast<int>(area[2]) - top};
  }
  image.default_crop = {0, 0, image.active_area.width, image.active_area.height};
  const std::vector<double> origin = tags.numbers(ifd, tag::crop_origin, 2);
  const std::vector<double> size = tags.numbers(ifd, tag::crop_size, 2);
  if (origin.size() == 2 && size.size() == 2 && finite(origin) && finite(size) && origin[0] >= 0 && origin[1] >= 0 &&
      size[0] >= 1 && size[1] >= 1 && origin[0] + size[0] < image.width + 1.0 &&
      origin[1] + size[1] < image.height + 1.0) {
    // A fractional crop (downscaled sensors) rounds to the pixels whose larger part it covers.
    const int x = static_cast<int>(std::lround(origin[0])), y = static_cast<int>(std::lround(origin[1]));
    const int right = std::min(static_cast<int>(std::lround(origin[0] + size[0])), image.active_area.width);
    const int bottom = std::min(static_cast<int>(std::lround(origin[1] + size[1])), image.active_area.height);
    if (right > x && bottom > y) image.default_crop = {x, y, right - x, bottom - y};
  }
  const std::vector<double> scale = tags.numbers(ifd, tag::default_scale, 2);
  if (scale.size() == 2 && scale[0] > 0.1 && scale[1] > 0.1 && scale[0] < 10 && scale[1] < 10) {
    image.pixel_aspect = scale[0] / scale[1];
  }
}

void read_dng_picture(const TiffTags& tags, const TiffIfd& raw_ifd, bool lossy, RawImage& image) {
  read_dng_areas(tags, raw_ifd, image);
  if (!lossy) read_levels(tags, raw_ifd, image);
  read_calibrations(tags, image);
  read_opcodes_and_noise(tags, raw_ifd, lossy, image);
  const TiffIfd& ifd = tags.ifds().front();
  image.baseline_exposure_ev = std::clamp(tags.number(ifd, tag::baseline_exposure).value_or(0), -10.0, 10.0);
  image.profile_exposure_ev = std::clamp(tags.number(ifd, tag::baseline_exposure_offset).value_or(0), -10.0, 10.0);
  image.look = read_camera_look(tags, ifd, image.warnings);
}

bool read_dng_neutral(const TiffTags& tags, RawImage& image) {
  const TiffIfd& ifd = tags.ifds().front();
  const std::vector<double> neutral = tags.numbers(ifd, tag::as_shot_neutral, 4);
  if (neutral.size() == 3 && finite(neutral) && std::ranges::all_of(neutral, [](double v) { return v > 0; })) {
    for (std::size_t c = 0; c < 3; ++c) image.neutral[c] = neutral[c] / neutral[1];
    image.neutral_source = NeutralSource::as_shot_neutral;
    return true;
  }
  const std::vector<double> xy = tags.numbers(ifd, tag::as_shot_xy, 2);
  if (xy.size() != 2 || !finite(xy)) return false;
  const auto through_matrix = neutral_from_xy(image, xy[0], xy[1]);
  if (!through_matrix) return false;
  image.neutral = *through_matrix;
  image.neutral_source = NeutralSource::as_shot_white_xy;
  return true;
}

}  // namespace imago::io
