#include "io/raw/libraw_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>

#include "base/error.h"
#include "io/byte_source.h"

namespace imago::io {
namespace {

// Runs a LibRaw call; whatever it throws (it throws enums of its own as well) becomes a LibRaw code.
template <typename Call>
int guarded(const Call& call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return LIBRAW_UNSUFFICIENT_MEMORY;
  } catch (...) {
    return LIBRAW_DATA_ERROR;
  }
}

std::string fixed_text(const char* text, std::size_t capacity) {
  std::string value(text, strnlen(text, capacity));
  while (!value.empty() && (value.back() == ' ' || value.back() == '\n')) value.pop_back();
  return value;
}

template <std::size_t capacity>
std::string fixed_text(const char (&text)[capacity]) {
  return fixed_text(text, capacity);
}

double sane(float value, double most) {
  return std::isfinite(value) && value > 0 && static_cast<double>(value) < most ? static_cast<double>(value) : 0;
}

std::optional<double> degrees(const float (&parts)[3], char reference, char negative, double most) {
  const double value =
      static_cast<double>(parts[0]) + static_cast<double>(parts[1]) / 60 + static_cast<double>(parts[2]) / 3600;
  if (!std::isfinite(value) || std::abs(value) > most) return std::nullopt;
  return reference == negative ? -value : value;
}

std::optional<RawGps> gps_of(const libraw_gps_info_t& parsed) {
  if (parsed.gpsparsed == 0 || (parsed.latref != 'N' && parsed.latref != 'S')) return std::nullopt;
  const auto latitude = degrees(parsed.latitude, parsed.latref, 'S', 90);
  const auto longitude = degrees(parsed.longitude, parsed.longref, 'W', 180);
  if (!latitude || !longitude) return std::nullopt;
  RawGps gps{.latitude_degrees = *latitude, .longitude_degrees = *longitude, .altitude_m = std::nullopt};
  if (std::isfinite(parsed.altitude) && parsed.altitude != 0) {
    gps.altitude_m = static_cast<double>(parsed.altref == 1 ? -parsed.altitude : parsed.altitude);
  }
  return gps;
}

// LibRaw turns the camera's local time into a time_t by mktime; this is the way back.
std::string local_time(time_t timestamp) {
  if (timestamp <= 0) return {};
  tm parts{};
  if (localtime_r(&timestamp, &parts) == nullptr) return {};
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
  return {text.data(), length};
}

constexpr unsigned most_raw_memory_mb = 3072;

}  // namespace

int orientation_of_flip(int flip) {
  constexpr std::array<int, 8> orientation{1, 2, 4, 3, 5, 8, 6, 7};
  return orientation[static_cast<std::size_t>(flip & 7)];
}

LibRawFile::LibRawFile(ByteSource source, const std::string& name, RawPurpose purpose, int frame)
    : name_(name),
      stream_(std::move(source), name),
      raw_(std::make_unique<LibRaw>(static_cast<unsigned>(LIBRAW_OPTIONS_NONE))) {
  if (stream_.size() == 0) throw Error(ErrorKind::input, name_ + ": the file is empty");
  raw_->set_dataerror_handler(&LibRawFile::on_data_error, this);  // the default one prints
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0)
  raw_->imgdata.params.raw_processing_options &= ~static_cast<unsigned>(LIBRAW_PROCESSING_CONVERTFLOAT_TO_INT);
  raw_->imgdata.params.max_raw_memory_mb = most_raw_memory_mb;
  raw_->imgdata.params.shot_select = static_cast<unsigned>(frame);
#else
  raw_->imgdata.rawparams.options &= ~static_cast<unsigned>(LIBRAW_RAWOPTIONS_CONVERTFLOAT_TO_INT);
  raw_->imgdata.rawparams.max_raw_memory_mb = most_raw_memory_mb;
  raw_->imgdata.rawparams.shot_select = static_cast<unsigned>(frame);
#endif
  const int code = guarded([&] { return raw_->open_datastream(&stream_); });
  if (code != LIBRAW_SUCCESS) fail(code, false);
  const int frames = std::max(1, static_cast<int>(data().idata.raw_count));
  if (frame < 0 || frame >= frames) {
    throw Error(ErrorKind::usage, frames == 1 ? name_ + ": holds one picture: --frame 0 is the only one"
                                              : name_ + ": holds " + std::to_string(frames) +
                                                    " pictures: --frame 0 to " + std::to_string(frames - 1));
  }
  if (purpose == RawPurpose::picture) refuse_what_is_not_supported();
}

void LibRawFile::on_data_error(void* self, const char*, RawStreamOffset offset) {
  if (offset < 0) static_cast<LibRawFile*>(self)->ended_early_ = true;  // -1: end of file
}

std::string LibRawFile::decoder() {
  libraw_decoder_info_t decoder{};
  guarded([&] { return raw_->get_decoder_info(&decoder); });
  return decoder.decoder_name == nullptr ? "" : decoder.decoder_name;
}

void LibRawFile::refuse_what_is_not_supported() {
  const auto refuse = [&](const std::string& why) { throw Error(ErrorKind::input, name_ + ": " + why); };
  const libraw_iparams_t& about = data().idata;
  if (about.is_foveon != 0) {
    refuse(
        "Foveon raw (.X3F) is not supported: export it as 16-bit TIFF, or as DNG if the camera can (Sigma Photo Pro)");
  }
  if (raw_->is_fuji_rotated() != 0) {
    refuse("Fujifilm SuperCCD raw (sensor turned by 45 degrees) is not supported: convert it with another raw program");
  }
  if (about.colors != 1 && about.colors != 3) refuse("sensors with four colours (CYGM, RGBE) are not supported");
  if (decoder().starts_with("vc5_")) {
    refuse(
        "GoPro .GPR (VC-5 compression) is not supported: convert it to DNG first (GoPro's gpr_tools, or Adobe DNG "
        "Converter)");
  }
  const libraw_image_sizes_t& sizes = data().sizes;
  if (sizes.raw_width == 0 || sizes.raw_height == 0 || sizes.width == 0 || sizes.height == 0 ||
      sizes.left_margin + sizes.width > sizes.raw_width || sizes.top_margin + sizes.height > sizes.raw_height) {
    refuse("damaged raw file: its headers name an impossible picture size");
  }
}

void LibRawFile::zero_rows(int every) {
  const libraw_rawdata_t& raw = data().rawdata;
  const libraw_image_sizes_t& sizes = data().sizes;
  if (raw.raw_alloc == nullptr) return;
  const std::size_t sample = raw.float_image != nullptr ? 4 : 2;
  if (raw.raw_image == nullptr && raw.color4_image == nullptr) return;  // allocated by the decoder itself, cleared
  const std::size_t row_bytes = sizes.raw_pitch != 0 ? sizes.raw_pitch : sizes.raw_width * sample;
  auto* first = static_cast<std::byte*>(raw.raw_alloc);
  for (std::size_t y = static_cast<std::size_t>(every) - 1; y < sizes.raw_height;
       y += static_cast<std::size_t>(every)) {
    std::memset(first + y * row_bytes, 0, row_bytes);
  }
}

bool LibRawFile::unpack(bool tolerant) {
  stream_.watch([this, tolerant] { zero_rows(tolerant ? 1 : marked_row_period); });
  if (tolerant) stream_.pad_with_zeros();
  const int code = guarded([&] { return raw_->unpack(); });
  if (code != LIBRAW_SUCCESS) fail(code, true);
  const int errors = raw_->error_count();
  // Decoders read ahead by a block, that of JPEG tiles by one a tile; a missing picture is more than that.
  const std::uint64_t tolerated = static_cast<std::uint64_t>(stream_.size()) / 50 + (std::uint64_t{64} << 10);
  const bool missing = data().idata.dng_version == 0 && stream_.missing_bytes() > tolerated;
  const int samples = data().sizes.raw_width * data().sizes.raw_height;
  // A few bad codes are a scratch in the picture (and some cameras' good files have them); more is no picture.
  const bool damaged = errors > 8 + samples / 10000;
  if (!tolerant && (ended_early_ || missing)) fail(LIBRAW_IO_ERROR, true);
  if (!tolerant && damaged) fail(LIBRAW_DATA_ERROR, true);
  raw_->recycle_datastream();
  return !ended_early_ && !missing && !damaged;
}

bool LibRawFile::unpack_thumbnail(int index) {
  return guarded([&] {
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 22, 0)
           static_cast<void>(index);
           return raw_->unpack_thumb();
#else
           return index < 0 ? raw_->unpack_thumb() : raw_->unpack_thumb_ex(index);
#endif
         }) == LIBRAW_SUCCESS;
}

void LibRawFile::fail(int code, bool unpacking) const {
  const auto input = [&](const std::string& why) { return Error(ErrorKind::input, name_ + ": " + why); };
  switch (code) {
    case LIBRAW_FILE_UNSUPPORTED:
      if (unpacking) throw input("this raw format is not supported by LibRaw: convert it with Adobe DNG Converter");
      throw input("no raw picture found: the format is unknown to LibRaw, or the file is damaged");
    case LIBRAW_UNSUFFICIENT_MEMORY:
    case LIBRAW_MEMPOOL_OVERFLOW: throw Error(ErrorKind::memory, name_ + ": not enough memory to decode the raw data");
    case LIBRAW_TOO_BIG: throw Error(ErrorKind::memory, name_ + ": the raw picture is too big to decode");
    case LIBRAW_IO_ERROR:
      if (unpacking)
        throw input("truncated raw data: the file ends before the picture does: copy it again from the card");
      throw input("damaged raw file: its headers point outside the file");
    case LIBRAW_DATA_ERROR:
    case LIBRAW_BAD_CROP: throw input("damaged raw data: it does not decode to a picture");
    default: throw input(std::string("LibRaw cannot decode it: ") + LibRaw::strerror(code));
  }
}

RawInfo LibRawFile::info() const {
  const libraw_data_t& all = data();
  RawInfo info;
  info.make = fixed_text(all.idata.normalized_make[0] != 0 ? all.idata.normalized_make : all.idata.make);
  info.model = fixed_text(all.idata.normalized_model[0] != 0 ? all.idata.normalized_model : all.idata.model);
  info.software = fixed_text(all.idata.software);
  info.lens = fixed_text(all.lens.Lens);
  if (info.lens.empty()) info.lens = fixed_text(all.lens.makernotes.Lens);
  info.orientation = orientation_of_flip(all.sizes.flip);
  info.is_dng = all.idata.dng_version != 0;
  info.frames = std::max(1, static_cast<int>(all.idata.raw_count));
  info.iso = sane(all.other.iso_speed, 1e8);
  info.shutter_s = sane(all.other.shutter, 1e6);
  info.aperture_f = sane(all.other.aperture, 1e3);
  info.focal_length_mm = sane(all.other.focal_len, 1e5);
  info.focal_length_35mm_mm = all.lens.FocalLengthIn35mmFormat;
  info.time = local_time(all.other.timestamp);
  info.gps = gps_of(all.other.parsed_gps);
  if (all.idata.filters == 9) {
    info.layout = RawLayout::xtrans;
  } else if (all.idata.filters != 0) {
    info.layout = RawLayout::bayer;
  } else {
    info.layout = all.idata.colors == 1 ? RawLayout::monochrome : RawLayout::linear;
  }
  return info;
}

}  // namespace imago::io
