#include "io/dng/dng_writer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <string_view>

#include "base/error.h"

namespace imago::io {
namespace {

enum class Type : std::uint16_t {
  u8 = 1,
  ascii = 2,
  u16 = 3,
  u32 = 4,
  rational = 5,
  undefined = 7,
  srational = 10,
  f64 = 12
};

using Bytes = std::vector<std::byte>;

void put16(Bytes& out, std::uint32_t value) {
  out.push_back(static_cast<std::byte>(value & 255u));
  out.push_back(static_cast<std::byte>((value >> 8) & 255u));
}

void put32(Bytes& out, std::uint32_t value) {
  put16(out, value & 0xffffu);
  put16(out, value >> 16);
}

struct Entry {
  std::uint16_t tag;
  Type type;
  std::uint32_t count;
  Bytes value;
};

// One image file directory. Entries may be added in any order.
class Directory {
 public:
  void add_u8(std::uint16_t tag, std::span<const std::uint8_t> values) {
    Entry& entry = add(tag, Type::u8, values.size());
    for (std::uint8_t v : values) entry.value.push_back(static_cast<std::byte>(v));
  }
  void add_undefined(std::uint16_t tag, std::string_view text) {
    Entry& entry = add(tag, Type::undefined, text.size());
    for (char c : text) entry.value.push_back(static_cast<std::byte>(c));
  }
  void add_text(std::uint16_t tag, const std::string& text) {
    if (text.empty()) return;
    Entry& entry = add(tag, Type::ascii, text.size() + 1);
    for (char c : text) entry.value.push_back(static_cast<std::byte>(c));
    entry.value.push_back(std::byte{0});
  }
  void add_u16(std::uint16_t tag, std::initializer_list<int> values) {
    Entry& entry = add(tag, Type::u16, values.size());
    for (int v : values) put16(entry.value, static_cast<std::uint32_t>(v));
  }
  void add_u32(std::uint16_t tag, std::initializer_list<std::size_t> values) {
    Entry& entry = add(tag, Type::u32, values.size());
    for (std::size_t v : values) put32(entry.value, static_cast<std::uint32_t>(v));
  }
  // Not negative; the denominator keeps about nine digits of small values and whole numbers whole.
  void add_rational(std::uint16_t tag, std::span<const double> values) {
    Entry& entry = add(tag, Type::rational, values.size());
    for (double v : values) {
      const double denominator = v > 4000 ? 1000 : 1e6;
      put32(entry.value, static_cast<std::uint32_t>(std::llround(v * denominator)));
      put32(entry.value, static_cast<std::uint32_t>(denominator));
    }
  }
  void add_rational(std::uint16_t tag, double value) { add_rational(tag, std::span(&value, 1)); }
  void add_srational(std::uint16_t tag, std::span<const double> values) {
    Entry& entry = add(tag, Type::srational, values.size());
    for (double v : values) {
      put32(entry.value, static_cast<std::uint32_t>(static_cast<std::int32_t>(std::llround(v * 1e6))));
      put32(entry.value, 1000000);
    }
  }
  void add_f64(std::uint16_t tag, std::span<const double> values) {
    Entry& entry = add(tag, Type::f64, values.size());
    for (double v : values) {
      const auto bits = std::bit_cast<std::uint64_t>(v);
      put32(entry.value, static_cast<std::uint32_t>(bits));
      put32(entry.value, static_cast<std::uint32_t>(bits >> 32));
    }
  }
  void set_u32(std::uint16_t tag, std::size_t value) {
    for (Entry& entry : entries_) {
      if (entry.tag != tag) continue;
      entry.value.clear();
      put32(entry.value, static_cast<std::uint32_t>(value));
    }
  }

  // Bytes of the directory and of the values that do not fit into it.
  std::size_t size() const {
    std::size_t total = 2 + entries_.size() * 12 + 4;
    for (const Entry& entry : entries_) total += entry.value.size() > 4 ? padded(entry.value.size()) : 0;
    return total;
  }

  // Appends itself to a file that ends where the directory shall begin.
  void write(Bytes& out) {
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.tag < b.tag; });
    std::size_t value_at = out.size() + 2 + entries_.size() * 12 + 4;
    put16(out, static_cast<std::uint32_t>(entries_.size()));
    for (const Entry& entry : entries_) {
      put16(out, entry.tag);
      put16(out, static_cast<std::uint32_t>(entry.type));
      put32(out, entry.count);
      if (entry.value.size() > 4) {
        put32(out, static_cast<std::uint32_t>(value_at));
        value_at += padded(entry.value.size());
      } else {
        out.insert(out.end(), entry.value.begin(), entry.value.end());
        out.resize(out.size() + 4 - entry.value.size());
      }
    }
    put32(out, 0);  // no next directory
    for (const Entry& entry : entries_) {
      if (entry.value.size() <= 4) continue;
      out.insert(out.end(), entry.value.begin(), entry.value.end());
      if (entry.value.size() % 2 != 0) out.push_back(std::byte{0});
    }
  }

 private:
  static std::size_t padded(std::size_t size) { return size + size % 2; }
  Entry& add(std::uint16_t tag, Type type, std::size_t count) {
    entries_.push_back({tag, type, static_cast<std::uint32_t>(count), {}});
    return entries_.back();
  }
  std::vector<Entry> entries_;
};

namespace tag {
constexpr std::uint16_t new_subfile_type = 254, image_width = 256, image_height = 257, bits_per_sample = 258,
                        compression = 259, photometric = 262, make = 271, model = 272, strip_offsets = 273,
                        orientation = 274, samples_per_pixel = 277, rows_per_strip = 278, strip_byte_counts = 279,
                        x_resolution = 282, y_resolution = 283, planar_configuration = 284, resolution_unit = 296,
                        software = 305, date_time = 306, sub_directories = 330, cfa_repeat = 33421, cfa_pattern = 33422,
                        exposure_time = 33434, f_number = 33437, exif_directory = 34665, iso_speed = 34855,
                        exif_version = 36864, date_time_original = 36867, focal_length = 37386,
                        focal_length_35mm = 41989, lens_model = 42036, dng_version = 50706,
                        dng_backward_version = 50707, unique_camera_model = 50708, cfa_plane_color = 50710,
                        cfa_layout = 50711, black_repeat = 50713, black_level = 50714, white_level = 50717,
                        default_scale = 50718, default_crop_origin = 50719, default_crop_size = 50720,
                        color_matrix_1 = 50721, color_matrix_2 = 50722, camera_calibration_1 = 50723,
                        camera_calibration_2 = 50724, as_shot_neutral = 50728, baseline_exposure = 50730,
                        illuminant_1 = 50778, illuminant_2 = 50779, active_area = 50829, forward_matrix_1 = 50964,
                        forward_matrix_2 = 50965, noise_profile = 51041;
}  // namespace tag

constexpr RawMatrix identity = {1, 0, 0, 0, 1, 0, 0, 0, 1};
constexpr std::size_t most_bytes = 0xffffffffu;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::usage, "cannot write a DNG: " + why); }

std::size_t channels_of(const Dng& dng) { return dng.photometric == DngPhotometric::linear ? 3 : 1; }

bool lies_inside(const Rect& inner, int width, int height) {
  return inner.x >= 0 && inner.y >= 0 && inner.right() <= width && inner.bottom() <= height;
}

Rect active_area_of(const Dng& dng) {
  return dng.active_area.empty() ? Rect{0, 0, dng.width, dng.height} : dng.active_area;
}

Rect default_crop_of(const Dng& dng) {
  const Rect active = active_area_of(dng);
  return dng.default_crop.empty() ? Rect{0, 0, active.width, active.height} : dng.default_crop;
}

void check(const Dng& dng) {
  if (dng.width < 1 || dng.height < 1) refuse("the picture is empty");
  const std::size_t count =
      static_cast<std::size_t>(dng.width) * static_cast<std::size_t>(dng.height) * channels_of(dng);
  if (dng.samples.size() != count) refuse("the number of samples does not fit the size");
  if (count > most_bytes / 2 - 1000000) refuse("the picture is larger than 4 GiB");
  if (!lies_inside(active_area_of(dng), dng.width, dng.height)) refuse("the active area leaves the picture");
  if (!lies_inside(default_crop_of(dng), active_area_of(dng).width, active_area_of(dng).height)) {
    refuse("the default crop leaves the active area");
  }
  if (dng.orientation < 1 || dng.orientation > 8) refuse("the orientation is outside 1..8");
  if (dng.calibrations.empty() || dng.calibrations.size() > 2) refuse("one or two calibrations are needed");
  if (dng.noise.size() > 3 || dng.noise.size() == 2) refuse("the noise profile needs one or three entries");
  for (std::uint8_t color : dng.cfa) {
    if (color > 2) refuse("the colour filter has colours other than 0, 1, 2");
  }
  for (double value : dng.as_shot_neutral) {
    if (!(value > 0)) refuse("the as-shot neutral is not positive");
  }
}

void add_picture(Directory& ifd, int width, int height, int channels, int bits, int photometric, std::size_t bytes) {
  ifd.add_u32(tag::image_width, {static_cast<std::size_t>(width)});
  ifd.add_u32(tag::image_height, {static_cast<std::size_t>(height)});
  if (channels == 3) {
    ifd.add_u16(tag::bits_per_sample, {bits, bits, bits});
  } else {
    ifd.add_u16(tag::bits_per_sample, {bits});
  }
  ifd.add_u16(tag::compression, {1});
  ifd.add_u16(tag::photometric, {photometric});
  ifd.add_u32(tag::strip_offsets, {0});
  ifd.add_u16(tag::samples_per_pixel, {channels});
  ifd.add_u32(tag::rows_per_strip, {static_cast<std::size_t>(height)});
  ifd.add_u32(tag::strip_byte_counts, {bytes});
  ifd.add_u16(tag::planar_configuration, {1});
}

void add_levels(Directory& ifd, const Dng& dng) {
  if (dng.photometric == DngPhotometric::mosaic) {
    ifd.add_u16(tag::cfa_repeat, {2, 2});
    ifd.add_u8(tag::cfa_pattern, dng.cfa);
    constexpr std::array<std::uint8_t, 3> planes = {0, 1, 2};
    ifd.add_u8(tag::cfa_plane_color, planes);
    ifd.add_u16(tag::cfa_layout, {1});
    const bool uniform = std::equal(dng.black.begin() + 1, dng.black.end(), dng.black.begin());
    const int repeat = uniform ? 1 : 2;
    ifd.add_u16(tag::black_repeat, {repeat, repeat});
    ifd.add_rational(tag::black_level, std::span(dng.black).first(uniform ? 1 : 4));
    ifd.add_u32(tag::white_level, {static_cast<std::size_t>(dng.white)});
  } else {
    ifd.add_u16(tag::black_repeat, {1, 1});
    ifd.add_rational(tag::black_level, std::span(dng.black).first(3));
    const auto white = static_cast<std::size_t>(dng.white);
    ifd.add_u32(tag::white_level, {white, white, white});
  }
}

void add_raw(Directory& ifd, const Dng& dng) {
  constexpr int photometric_mosaic = 32803;
  constexpr int photometric_linear = 34892;
  const bool mosaic = dng.photometric == DngPhotometric::mosaic;
  ifd.add_u32(tag::new_subfile_type, {0});
  add_picture(ifd, dng.width, dng.height, mosaic ? 1 : 3, 16, mosaic ? photometric_mosaic : photometric_linear,
              dng.samples.size() * 2);
  add_levels(ifd, dng);
  const auto at = [](int value) { return static_cast<std::size_t>(value); };
  const Rect active = active_area_of(dng);
  const Rect crop = default_crop_of(dng);
  ifd.add_u32(tag::active_area, {at(active.y), at(active.x), at(active.bottom()), at(active.right())});
  ifd.add_u32(tag::default_crop_origin, {at(crop.x), at(crop.y)});
  ifd.add_u32(tag::default_crop_size, {at(crop.width), at(crop.height)});
  constexpr std::array<double, 2> square = {1, 1};
  ifd.add_rational(tag::default_scale, square);
}

void add_color(Directory& ifd, const Dng& dng) {
  for (std::size_t i = 0; i < dng.calibrations.size(); ++i) {
    const RawCalibration& calibration = dng.calibrations[i];
    const auto second = [i](int first, int other) { return static_cast<std::uint16_t>(i == 0 ? first : other); };
    ifd.add_u16(second(tag::illuminant_1, tag::illuminant_2), {calibration.illuminant});
    ifd.add_srational(second(tag::color_matrix_1, tag::color_matrix_2), calibration.color_matrix);
    if (calibration.camera_calibration != identity) {
      ifd.add_srational(second(tag::camera_calibration_1, tag::camera_calibration_2), calibration.camera_calibration);
    }
    if (calibration.forward_matrix) {
      ifd.add_srational(second(tag::forward_matrix_1, tag::forward_matrix_2), *calibration.forward_matrix);
    }
  }
  ifd.add_rational(tag::as_shot_neutral, dng.as_shot_neutral);
  ifd.add_srational(tag::baseline_exposure, std::span(&dng.baseline_exposure_ev, 1));
  std::vector<double> noise;
  for (const RawNoise& n : dng.noise) noise.insert(noise.end(), {n.scale, n.offset});
  if (!noise.empty()) ifd.add_f64(tag::noise_profile, noise);
}

std::string exif_time(std::string time) {
  for (std::size_t i = 0; i < std::min<std::size_t>(time.size(), 10); ++i) {
    if (time[i] == '-') time[i] = ':';
  }
  return time;
}

void add_camera(Directory& ifd, const Dng& dng) {
  ifd.add_text(tag::make, dng.make);
  ifd.add_text(tag::model, dng.model);
  ifd.add_u16(tag::orientation, {dng.orientation});
  ifd.add_rational(tag::x_resolution, 300);
  ifd.add_rational(tag::y_resolution, 300);
  ifd.add_u16(tag::resolution_unit, {2});
  ifd.add_text(tag::software, dng.software);
  ifd.add_text(tag::date_time, exif_time(dng.time));
  ifd.add_u32(tag::exif_directory, {0});
  constexpr std::array<std::uint8_t, 4> version = {1, 4, 0, 0};
  constexpr std::array<std::uint8_t, 4> oldest_reader = {1, 1, 0, 0};
  ifd.add_u8(tag::dng_version, version);
  ifd.add_u8(tag::dng_backward_version, oldest_reader);
  ifd.add_text(tag::unique_camera_model, dng.unique_model.empty() ? dng.make + " " + dng.model : dng.unique_model);
}

Directory exif_of(const Dng& dng) {
  Directory exif;
  exif.add_undefined(tag::exif_version, "0230");
  if (dng.shutter_s > 0) exif.add_rational(tag::exposure_time, dng.shutter_s);
  if (dng.aperture_f > 0) exif.add_rational(tag::f_number, dng.aperture_f);
  if (dng.iso > 0) exif.add_u16(tag::iso_speed, {std::min(65535, static_cast<int>(std::lround(dng.iso)))});
  if (dng.focal_length_mm > 0) exif.add_rational(tag::focal_length, dng.focal_length_mm);
  if (dng.focal_length_35mm_mm > 0) {
    exif.add_u16(tag::focal_length_35mm, {static_cast<int>(std::lround(dng.focal_length_35mm_mm))});
  }
  exif.add_text(tag::date_time_original, exif_time(dng.time));
  exif.add_text(tag::lens_model, dng.lens);
  return exif;
}

void put_samples(Bytes& out, std::span<const std::uint16_t> samples) {
  const std::size_t at = out.size();
  out.resize(at + samples.size_bytes());
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(out.data() + at, samples.data(), samples.size_bytes());
  } else {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      out[at + i * 2] = static_cast<std::byte>(samples[i] & 255u);
      out[at + i * 2 + 1] = static_cast<std::byte>(samples[i] >> 8);
    }
  }
}

}  // namespace

// Layout: header, main directory, EXIF, raw directory when a preview leads, preview, samples. With a preview the main
// directory describes the preview and the raw lies in a sub-directory (DNG specification, "Preview Images").
std::vector<std::byte> write_dng(const Dng& dng) {
  check(dng);
  Directory main;
  Directory raw;
  Directory exif = exif_of(dng);
  const bool has_preview = dng.preview != nullptr && !dng.preview->empty();
  const std::size_t preview_bytes = has_preview ? dng.preview->pixels.size() : 0;
  add_raw(has_preview ? raw : main, dng);
  if (has_preview) {
    main.add_u32(tag::new_subfile_type, {1});
    add_picture(main, dng.preview->width, dng.preview->height, 3, 8, 2, preview_bytes);
    main.add_u32(tag::sub_directories, {0});
  }
  add_camera(main, dng);
  add_color(main, dng);

  constexpr std::size_t header_bytes = 8;
  const std::size_t exif_at = header_bytes + main.size();
  const std::size_t raw_at = exif_at + exif.size();
  const std::size_t preview_at = raw_at + (has_preview ? raw.size() : 0);
  const std::size_t samples_at = preview_at + preview_bytes + preview_bytes % 2;
  const std::size_t total = samples_at + dng.samples.size_bytes();
  if (total > most_bytes) refuse("the file would be larger than 4 GiB");
  main.set_u32(tag::exif_directory, exif_at);
  main.set_u32(tag::sub_directories, raw_at);
  main.set_u32(tag::strip_offsets, has_preview ? preview_at : samples_at);
  raw.set_u32(tag::strip_offsets, samples_at);

  Bytes out;
  out.reserve(total);
  put16(out, 0x4949);  // "II": little-endian
  put16(out, 42);
  put32(out, header_bytes);
  main.write(out);
  exif.write(out);
  if (has_preview) {
    raw.write(out);
    const auto* pixels = reinterpret_cast<const std::byte*>(dng.preview->pixels.data());
    out.insert(out.end(), pixels, pixels + preview_bytes);
    if (preview_bytes % 2 != 0) out.push_back(std::byte{0});
  }
  put_samples(out, dng.samples);
  return out;
}

}  // namespace imago::io
