#include "io/raw/read_raw.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "base/error.h"
#include "io/byte_source.h"
#include "io/image_file.h"
#include "io/picture_reader.h"
#include "io/raw/automatic_white.h"
#include "io/raw/bad_pixels.h"
#include "io/raw/dng_jxl.h"
#include "io/raw/dng_tags.h"
#include "io/raw/levels.h"
#include "io/raw/libraw_file.h"
#include "io/raw/white_balance.h"
#include "io/tiff_tags.h"

namespace imago::io {
namespace {

// LibRaw's colours count from the visible area's corner; ours from the mosaic's.
void read_cfa(LibRawFile& file, RawImage& image) {
  const int period = image.layout == RawLayout::xtrans ? 6 : 2;
  const libraw_image_sizes_t& sizes = file.data().sizes;
  const auto color_at = [&](int x, int y) {
    // 48 periods added: no negative remainders
    return file.raw().COLOR(y - sizes.top_margin + 48 * 2048, x - sizes.left_margin + 48 * 2048);
  };
  image.cfa.width = image.cfa.height = period;
  for (int y = 0; y < period; ++y) {
    for (int x = 0; x < period; ++x) {
      image.cfa.colors[static_cast<std::size_t>(y * period + x)] = static_cast<std::uint8_t>(color_at(x, y) & 3);
    }
  }
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 48; ++x) {
      if (color_at(x, y) != image.cfa.channel(x, y)) {
        throw Error(ErrorKind::input,
                    file.name() + ": this sensor's colour pattern is neither Bayer nor X-Trans: not supported");
      }
    }
  }
}

void take_samples(LibRawFile& file, RawImage& image) {
  const libraw_rawdata_t& raw = file.data().rawdata;
  const auto width = static_cast<std::size_t>(image.width), height = static_cast<std::size_t>(image.height);
  const auto channels = static_cast<std::size_t>(image.channels());
  const std::size_t pitch = raw.sizes.raw_pitch;  // bytes
  // Copies rows whose pixels have `stored` components into rows of `channels`.
  const auto copy = [&](const auto* from, std::size_t stored, auto& to) {
    using Sample = std::remove_cvref_t<decltype(*from)>;
    to = PixelBuffer<Sample>(width * height * channels);
    const std::size_t row_bytes = pitch != 0 ? pitch : width * stored * sizeof(Sample);
    for (std::size_t y = 0; y < height; ++y) {
      const auto* row = reinterpret_cast<const Sample*>(reinterpret_cast<const std::byte*>(from) + y * row_bytes);
      Sample* out = to.data() + y * width * channels;
      if (stored == channels) {
        std::memcpy(out, row, width * channels * sizeof(Sample));
      } else {
        for (std::size_t x = 0; x < width; ++x) std::copy_n(row + x * stored, channels, out + x * channels);
      }
    }
  };
  const bool interleaved = image.layout == RawLayout::linear;
  if (!interleaved && raw.raw_image != nullptr) return copy(raw.raw_image, 1, image.samples);
  if (!interleaved && raw.float_image != nullptr) return copy(raw.float_image, 1, image.float_samples);
  if (raw.color3_image != nullptr) return copy(&raw.color3_image[0][0], 3, image.samples);
  if (raw.color4_image != nullptr) return copy(&raw.color4_image[0][0], 4, image.samples);
  if (raw.float3_image != nullptr) return copy(&raw.float3_image[0][0], 3, image.float_samples);
  if (raw.float4_image != nullptr) return copy(&raw.float4_image[0][0], 4, image.float_samples);
  throw Error(ErrorKind::input, file.name() + ": no image data: LibRaw decoded nothing");
}

void read_areas(const libraw_image_sizes_t& sizes, RawImage& image) {
  image.active_area = {sizes.left_margin, sizes.top_margin, sizes.width, sizes.height};
  image.default_crop = {0, 0, sizes.width, sizes.height};
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0)
  const libraw_raw_inset_crop_t& inset = sizes.raw_inset_crop;
#else
  const libraw_raw_inset_crop_t& inset = sizes.raw_inset_crops[0];  // in mosaic coordinates
#endif
  const int x = inset.cleft - sizes.left_margin, y = inset.ctop - sizes.top_margin;
  // Only a trim of the borders counts; a smaller inset is the camera's 1.6× or 16:9 framing, which hides pixels.
  if (inset.cleft != 65535 && x >= 0 && y >= 0 && x + inset.cwidth <= sizes.width &&
      y + inset.cheight <= sizes.height && inset.cwidth * 2 > sizes.width && inset.cheight * 2 > sizes.height) {
    image.default_crop = {x, y, inset.cwidth, inset.cheight};
  }
  if (sizes.pixel_aspect > 0.1 && sizes.pixel_aspect < 10) image.pixel_aspect = sizes.pixel_aspect;
}

void read_levels(const libraw_colordata_t& color, RawImage& image) {
  for (std::size_t c = 0; c < 4; ++c) image.black.per_channel[c] = static_cast<float>(color.black + color.cblack[c]);
  const std::size_t rows = color.cblack[4], columns = color.cblack[5];
  if (rows > 0 && columns > 0 && rows * columns <= LIBRAW_CBLACK_SIZE - 6) {
    const unsigned* pattern = color.cblack + 6;
    if (std::any_of(pattern, pattern + rows * columns, [](unsigned v) { return v != 0; })) {
      image.black.pattern_width = static_cast<int>(columns);
      image.black.pattern_height = static_cast<int>(rows);
      image.black.pattern.assign(pattern, pattern + rows * columns);
    }
  }
  const auto maximum = static_cast<float>(color.maximum);
  for (std::size_t c = 0; c < 4; ++c) {
    // The camera's own saturation level when it has one: lower than the code range, never absurdly so.
    const auto own = static_cast<float>(color.linear_max[c]);
    image.white[c] = own > 0.6f * maximum && own < maximum ? own : maximum;
  }
  if (image.float_samples.size() != 0) image.white.fill(color.fmaximum > 0 ? color.fmaximum : 1);
}

// LibRaw's matrix of the camera: camera from XYZ at D65.
void read_matrix(const libraw_colordata_t& color, RawImage& image) {
  RawCalibration calibration;
  bool known = false;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double v = static_cast<double>(color.cam_xyz[i][j]);
      if (!std::isfinite(v)) return;
      known = known || v != 0;
      calibration.color_matrix[3 * i + j] = v;
    }
  }
  if (known) image.calibrations.push_back(calibration);
}

// Gains R G B G2 to a neutral; empty for zeros, for unit gains (which stand for "unknown") and for nonsense.
std::optional<std::array<double, 3>> neutral_from_gains(const float (&gains)[4]) {
  std::array<double, 3> neutral{};
  for (std::size_t c = 0; c < 3; ++c) {
    const auto gain = static_cast<double>(gains[c]);
    if (!std::isfinite(gain) || gain <= 0) return std::nullopt;
    neutral[c] = static_cast<double>(gains[1]) / gain;
    if (neutral[c] < 0.02 || neutral[c] > 50) return std::nullopt;
  }
  if (gains[0] == gains[1] && gains[2] == gains[1]) return std::nullopt;
  return neutral;
}

// The preview's pixels, for a file that may not say what its camera took for white.
Rgb8 preview_for_white(LibRawFile& file) {
  if (file.data().idata.dng_version != 0 || neutral_from_gains(file.data().color.cam_mul)) return {};
  std::optional<EmbeddedPreview> preview = unpack_preview(file);
  if (!preview || preview->jpeg.empty()) return {};
  try {
    return std::move(read_picture(preview->jpeg, file.name()).rgb8);
  } catch (const Error&) {
    return {};
  }
}

void choose_neutral_without_camera(const libraw_colordata_t& color, const Rgb8& preview, RawImage& image) {
  const auto set = [&](const std::array<double, 3>& neutral, NeutralSource source, const char* how) {
    image.neutral = neutral;
    image.neutral_source = source;
    image.warnings.emplace_back(std::string("no as-shot white balance in the file: ") + how);
  };
  if (const auto used = preview_neutral(image, preview))
    return set(*used, NeutralSource::preview, "taken from the embedded preview");
  if (const auto seen = automatic_neutral(image))
    return set(*seen, NeutralSource::automatic, "estimated from the picture");
  float daylight[4];
  for (std::size_t c = 0; c < 4; ++c) daylight[c] = static_cast<float>(color.WB_Coeffs[LIBRAW_WBI_Daylight][c]);
  if (const auto preset = neutral_from_gains(daylight))
    return set(*preset, NeutralSource::daylight, "the camera's daylight is used");
  if (const auto d65 = neutral_from_xy(image, 0.3127, 0.3290))
    return set(*d65, NeutralSource::daylight, "daylight is used");
  if (const auto gray = gray_world_neutral(image))
    return set(*gray, NeutralSource::gray_world, "the picture's mean is taken for grey");
  set({0.5, 1, 0.65}, NeutralSource::typical, "a typical sensor's daylight is used");
}

// The white balance preset of the light that the camera was told: EXIF LightSource.
std::optional<std::array<double, 3>> neutral_of_light_source(const libraw_colordata_t& color, const TiffTags* tags) {
  if (tags == nullptr || tags->exif() == nullptr) return std::nullopt;
  constexpr std::uint16_t light_source = 37384;
  const std::uint32_t light = tags->integer(*tags->exif(), light_source).value_or(0);
  if (light == 0 || light >= std::size(color.WB_Coeffs)) return std::nullopt;
  float gains[4];
  for (std::size_t c = 0; c < 4; ++c) gains[c] = static_cast<float>(color.WB_Coeffs[light][c]);
  return neutral_from_gains(gains);
}

void read_neutral(const libraw_colordata_t& color, const TiffTags* tags, const Rgb8& preview, RawImage& image) {
  const auto set = [&](const std::array<double, 3>& neutral, NeutralSource source) {
    image.neutral = neutral;
    image.neutral_source = source;
  };
  if (image.layout == RawLayout::monochrome || color.as_shot_wb_applied != 0)
    return set({1, 1, 1}, NeutralSource::unit);
  if (image.info.is_dng && tags != nullptr && read_dng_neutral(*tags, image)) return;
  if (const auto camera = neutral_from_gains(color.cam_mul)) return set(*camera, NeutralSource::camera);
  if (const auto preset = neutral_of_light_source(color, tags)) return set(*preset, NeutralSource::camera);
  if (image.layout == RawLayout::linear && image.calibrations.empty()) return set({1, 1, 1}, NeutralSource::unit);
  choose_neutral_without_camera(color, preview, image);
}

// Levels of the masked borders, in mosaic coordinates: LibRaw's own list, which names the good part of them.
std::vector<Rect> masked_areas(const libraw_image_sizes_t& sizes) {
  std::vector<Rect> areas;
  for (const auto& [top, left, bottom, right] : sizes.mask) {
    if (bottom > top && right > left) areas.push_back({left, top, right - left, bottom - top});
  }
  return areas;
}

// The bad pixels that the file names, and their opcodes taken off its lists.
void repair_named_pixels(RawImage& image) {
  fix_bad_pixels(image.opcodes[0], 0, 0, image);
  fix_bad_pixels(image.opcodes[1], image.active_area.x, image.active_area.y, image);
  for (auto& list : image.opcodes) {
    std::erase_if(list, [](const DngOpcode& opcode) {
      return std::holds_alternative<FixBadPixelsConstant>(opcode) || std::holds_alternative<FixBadPixelsList>(opcode);
    });
  }
}

RawImage decode(LibRawFile& file, ByteSource& bytes, const RawReadOptions& options) {
  RawImage image;
  image.info = file.info();
  image.layout = image.info.layout;
  std::optional<TiffTags> tags;
  const TiffIfd* raw_ifd = nullptr;
  tags = TiffTags::parse(bytes);  // of a DNG its facts, of other raws that are built like a TIFF the light source
  if (image.info.is_dng) {
    if (tags) raw_ifd = find_dng_raw_ifd(*tags);
    if (raw_ifd != nullptr) check_dng_picture(*tags, *raw_ifd, bytes.size(), file.name(), options.allow_damaged);
  }
  const bool lossy = file.decoder().starts_with("lossy_dng");
  image.width = file.data().sizes.raw_width;
  image.height = file.data().sizes.raw_height;
  if (image.layout == RawLayout::bayer || image.layout == RawLayout::xtrans) read_cfa(file, image);

  const Rgb8 preview = preview_for_white(file);
  const bool is_jxl = raw_ifd != nullptr && is_jxl_picture(*tags, *raw_ifd);
  bool is_whole = true;
  if (is_jxl) {
    decode_jxl_picture(bytes, *tags, *raw_ifd, file.name(), options.allow_damaged, image);
  } else {
    is_whole = file.unpack(options.allow_damaged);
    take_samples(file, image);
  }
  const libraw_colordata_t color = is_jxl ? file.data().color : file.data().rawdata.color;
  const libraw_image_sizes_t sizes = is_jxl ? file.data().sizes : file.data().rawdata.sizes;
  const std::vector<Rect> masked = masked_areas(sizes);
  read_areas(sizes, image);
  file.raw().recycle();  // LibRaw's copy of the samples

  read_levels(color, image);
  read_matrix(color, image);
  if (image.info.is_dng && tags) read_dng_info(*tags, image.info);
  if (raw_ifd != nullptr) {
    read_dng_picture(*tags, *raw_ifd, lossy, image);
    repair_named_pixels(image);
  }
  if (image.samples.size() != 0) {
    for (float& white : image.white) white = std::min(white, 65535.0f);  // no code lies above
  }
  correct_white(image, static_cast<double>(image.white[0]));
  if (!image.info.is_dng) measure_masked_black(image, masked);
  for (std::size_t c = 0; c < 4; ++c) {
    if (!(image.white[c] > image.black.per_channel[c])) {
      throw Error(ErrorKind::input, file.name() + ": damaged raw file: its white level is not above its black level");
    }
  }
  if (options.allow_damaged) {
    std::string missing = name_missing_part(image, file.name());
    if (missing.empty() && !is_whole) missing = "damaged: the raw data is incomplete, parts of the picture are noise";
    if (!missing.empty()) image.warnings.push_back(std::move(missing));
  } else {
    check_samples(image, file.name());
  }
  find_clip_levels(image);
  read_neutral(color, tags ? &*tags : nullptr, preview, image);
  image.info.width = image.default_crop.width;
  image.info.height = image.default_crop.height;
  return image;
}

// A JPEG named as a raw would be decoded by its name alone and fail with a misleading message.
void refuse_other_pictures(ByteSource& source, const std::string& name) {
  const std::vector<std::byte> head = source.head(0, 3);
  if (head.size() == 3 && head[0] == std::byte{0xff} && head[1] == std::byte{0xd8} && head[2] == std::byte{0xff}) {
    throw Error(ErrorKind::input, name + ": is a JPEG picture, not a raw file: rename it to .jpg to open it");
  }
}

}  // namespace

RawImage read_raw(const std::filesystem::path& path, const RawReadOptions& options) {
  ByteSource source(path);
  refuse_other_pictures(source, name_of(path));
  LibRawFile file(ByteSource(path), name_of(path), RawPurpose::picture, options.frame);
  return decode(file, source, options);
}

RawImage read_raw(std::span<const std::byte> bytes, const std::string& name, const RawReadOptions& options) {
  ByteSource source(bytes);
  refuse_other_pictures(source, name);
  LibRawFile file(ByteSource(bytes), name, RawPurpose::picture, options.frame);
  return decode(file, source, options);
}

RawInfo probe_info(const std::filesystem::path& path) {
  ByteSource bytes(path);
  refuse_other_pictures(bytes, name_of(path));
  LibRawFile file(ByteSource(path), name_of(path));
  RawImage image;
  image.info = file.info();
  image.width = file.data().sizes.raw_width;
  image.height = file.data().sizes.raw_height;
  read_areas(file.data().sizes, image);
  if (image.info.is_dng) {
    if (const auto tags = TiffTags::parse(bytes)) {
      read_dng_info(*tags, image.info);
      if (const TiffIfd* raw_ifd = find_dng_raw_ifd(*tags)) {
        check_dng_picture(*tags, *raw_ifd, bytes.size(), file.name());
        read_dng_areas(*tags, *raw_ifd, image);
      }
    }
  }
  image.info.width = image.default_crop.width;
  image.info.height = image.default_crop.height;
  return image.info;
}

bool looks_like_raw(const std::filesystem::path& path) { return sniff(path) == InputKind::raw; }

}  // namespace imago::io
