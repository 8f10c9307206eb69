#include "io/video/video_reader.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>
#include <libswscale/swscale.h>
}

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/path_text.h"

namespace imago::io {
namespace {

constexpr int most_threads = 8;     // each holds frames of its own
constexpr int most_damage = 10000;  // frames; then the rest of the file is given up

std::string message_of(int error) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(error, text.data(), text.size());
  return text.data();
}

struct FreeFormat {
  void operator()(AVFormatContext* format) const { avformat_close_input(&format); }
};
struct FreeCodec {
  void operator()(AVCodecContext* codec) const { avcodec_free_context(&codec); }
};
struct FreeFrame {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
};
struct FreePacket {
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
};
struct FreeScaler {
  void operator()(SwsContext* scaler) const { sws_freeContext(scaler); }
};

// Side data of a track: FFmpeg 6.1 moved it.
const std::uint8_t* side_data(const AVStream* stream, AVPacketSideDataType type) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
  const AVPacketSideData* found =
      av_packet_side_data_get(stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  return found != nullptr ? found->data : nullptr;
#else
  return av_stream_get_side_data(stream, type, nullptr);
#endif
}

int rotation_of(const AVStream* stream) {
  const std::uint8_t* matrix = side_data(stream, AV_PKT_DATA_DISPLAYMATRIX);
  if (matrix == nullptr) return 0;
  const double counter_clockwise = av_display_rotation_get(reinterpret_cast<const std::int32_t*>(matrix));
  if (!std::isfinite(counter_clockwise)) return 0;
  return ((static_cast<int>(std::lround(-counter_clockwise / 90)) % 4 + 4) % 4) * 90;
}

VideoMatrix matrix_of(int space, int height) {
  switch (space) {
    case AVCOL_SPC_BT709: return VideoMatrix::bt709;
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
    case AVCOL_SPC_FCC: return VideoMatrix::bt601;
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL: return VideoMatrix::bt2020;
    case AVCOL_SPC_RGB: return VideoMatrix::rgb;
    default: return height >= 720 ? VideoMatrix::bt709 : VideoMatrix::bt601;
  }
}

bool is_full_range_format(int format) {
  switch (format) {
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ444P:
    case AV_PIX_FMT_YUVJ440P: return true;
    default: return false;
  }
}

// What planes can be read as they are: Y'CbCr or grey, 8 to 16 bits, in host order.
bool is_plain(const AVPixFmtDescriptor* format) {
  if (format == nullptr || (format->nb_components != 1 && format->nb_components < 3)) return false;
  constexpr std::uint64_t other = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM |
                                  AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_FLOAT |
                                  AV_PIX_FMT_FLAG_BAYER;
  return (format->flags & other) == 0 && format->comp[0].depth >= 8 && format->comp[0].depth <= 16;
}

VideoColor color_of(int format, int space, int range, int transfer, int primaries, int location, int height) {
  VideoColor color;
  const AVPixFmtDescriptor* descriptor = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(format));
  if (descriptor != nullptr) color.bits = descriptor->comp[0].depth;
  color.matrix = matrix_of(space, height);
  color.full_range = range == AVCOL_RANGE_JPEG || is_full_range_format(format);
  color.transfer = transfer == AVCOL_TRC_SMPTE2084      ? VideoTransfer::pq
                   : transfer == AVCOL_TRC_ARIB_STD_B67 ? VideoTransfer::hlg
                                                        : VideoTransfer::sdr;
  color.wide_gamut = primaries == AVCOL_PRI_BT2020;
  color.centred_chroma = location == AVCHROMA_LOC_CENTER;
  return color;
}

bool is_picture_track(const AVStream* stream) {
  constexpr int still = AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS;
  return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && (stream->disposition & still) == 0;
}

// ISO 6709, as phones and cameras write it: "+48.8577+002.295/" or "+48.8577+002.295+035.0/".
std::optional<RawGps> place_from(const char* text) {
  RawGps place;
  char* end = nullptr;
  place.latitude_degrees = std::strtod(text, &end);
  if (end == text || (*end != '+' && *end != '-')) return std::nullopt;
  const char* second = end;
  place.longitude_degrees = std::strtod(second, &end);
  if (end == second || !(std::abs(place.latitude_degrees) <= 90) || !(std::abs(place.longitude_degrees) <= 180)) {
    return std::nullopt;
  }
  const char* third = end;
  if (*third != '+' && *third != '-') return place;
  const double altitude = std::strtod(third, &end);
  if (end != third && std::abs(altitude) < 20000) place.altitude_m = altitude;
  return place;
}

const char* tag(const AVDictionary* tags, const char* key) {
  const AVDictionaryEntry* entry = av_dict_get(tags, key, nullptr, 0);
  return entry != nullptr ? entry->value : nullptr;
}

std::string projection_of(const AVStream* stream) {
  const std::uint8_t* data = side_data(stream, AV_PKT_DATA_SPHERICAL);
  if (data == nullptr) return "";
  const char* name = av_spherical_projection_name(reinterpret_cast<const AVSphericalMapping*>(data)->projection);
  return name != nullptr ? name : "";
}

StereoLayout stereo_of(const AVStream* stream) {
  const std::uint8_t* data = side_data(stream, AV_PKT_DATA_STEREO3D);
  if (data == nullptr) return StereoLayout::none;
  switch (reinterpret_cast<const AVStereo3D*>(data)->type) {
    case AV_STEREO3D_TOPBOTTOM: return StereoLayout::top_bottom;
    case AV_STEREO3D_SIDEBYSIDE: return StereoLayout::left_right;
    default: return StereoLayout::none;
  }
}

}  // namespace

struct VideoReader::State {
  std::string name;
  std::unique_ptr<AVFormatContext, FreeFormat> format;
  std::unique_ptr<AVCodecContext, FreeCodec> codec;
  std::unique_ptr<AVFrame, FreeFrame> frame{av_frame_alloc()};
  std::unique_ptr<AVPacket, FreePacket> packet{av_packet_alloc()};
  mutable std::unique_ptr<SwsContext, FreeScaler> scaler;
  AVStream* stream = nullptr;
  VideoInfo info;
  int damaged = 0;
  std::int64_t decoded = 0;
  bool drained = false;

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::input, fmt::format("{}: {}", name, what));
  }
  void open(const std::filesystem::path& path);
  void open_codec(const AVCodec* decoder, int threads);
  void describe();
  bool feed();
  std::int64_t start() const { return stream->start_time != AV_NOPTS_VALUE ? stream->start_time : 0; }
  VideoColor frame_color() const;
};

void VideoReader::State::open(const std::filesystem::path& path) {
  name = utf8(path);
  static std::once_flag quiet;  // the library never prints
  std::call_once(quiet, [] { av_log_set_level(AV_LOG_QUIET); });
  AVFormatContext* context = nullptr;
  const std::string url = "file:" + name;  // else a name with a colon would be a protocol
  if (const int error = avformat_open_input(&context, url.c_str(), nullptr, nullptr); error < 0) {
    fail("not a video that can be read: " + message_of(error));
  }
  format.reset(context);
  if (const int error = avformat_find_stream_info(context, nullptr); error < 0) {
    fail("not a video that can be read: " + message_of(error));
  }
}

void VideoReader::State::open_codec(const AVCodec* decoder, int threads) {
  codec.reset(avcodec_alloc_context3(decoder));
  if (!codec || avcodec_parameters_to_context(codec.get(), stream->codecpar) < 0) fail("its video track is damaged");
  codec->thread_count = std::clamp(threads > 0 ? threads : thread_count(), 1, most_threads);
  codec->pkt_timebase = stream->time_base;
  if (const int error = avcodec_open2(codec.get(), decoder, nullptr); error < 0) {
    fail(fmt::format("{} cannot be decoded: {}", avcodec_get_name(stream->codecpar->codec_id), message_of(error)));
  }
}

void VideoReader::State::describe() {
  const AVCodecParameters& coded = *stream->codecpar;
  info.codec = avcodec_get_name(coded.codec_id);
  info.rotation_deg = rotation_of(stream);
  const bool sideways = info.rotation_deg == 90 || info.rotation_deg == 270;
  info.width = sideways ? coded.height : coded.width;
  info.height = sideways ? coded.width : coded.height;
  const AVRational aspect = av_guess_sample_aspect_ratio(format.get(), stream, nullptr);
  if (aspect.num > 0 && aspect.den > 0) info.pixel_aspect = av_q2d(aspect);
  if (sideways) info.pixel_aspect = 1 / info.pixel_aspect;
  info.color = color_of(coded.format, coded.color_space, coded.color_range, coded.color_trc, coded.color_primaries,
                        coded.chroma_location, coded.height);
  const AVRational rate = av_guess_frame_rate(format.get(), stream, nullptr);
  if (rate.num > 0 && rate.den > 0) info.frames_per_second = av_q2d(rate);
  if (stream->duration > 0) {
    info.duration_s = static_cast<double>(stream->duration) * av_q2d(stream->time_base);
  } else if (format->duration > 0) {
    info.duration_s = static_cast<double>(format->duration) / AV_TIME_BASE;
  }
  info.projection = projection_of(stream);
  info.stereo = stereo_of(stream);
  for (const char* key : {"location", "com.apple.quicktime.location.ISO6709", "location-eng"}) {
    const char* text = tag(format->metadata, key);
    if (text != nullptr && !info.place) info.place = place_from(text);
  }
  if (const char* time = tag(format->metadata, "creation_time")) info.creation_time = time;
  if (info.color.transfer != VideoTransfer::sdr) {
    info.warnings.push_back(
        fmt::format("{}: {} bits {}: tone-mapped to 8-bit SDR (linear up to 0.6 of the reference "
                    "white of 203 cd/m2, then bent so that 1000 cd/m2 is white)",
                    name, info.color.bits, name_of(info.color.transfer)));
  } else if (info.color.wide_gamut) {
    info.warnings.push_back(name + ": Rec.2020 colours without HDR: taken as they are, they will look pale");
  }
}

// One packet into the decoder; false at the end of the file.
bool VideoReader::State::feed() {
  for (;;) {
    const int error = av_read_frame(format.get(), packet.get());
    if (error < 0) {
      if (error != AVERROR_EOF) ++damaged;
      return false;
    }
    const bool mine = packet->stream_index == stream->index;
    const int sent = mine ? avcodec_send_packet(codec.get(), packet.get()) : 0;
    av_packet_unref(packet.get());
    if (!mine) continue;
    if (sent < 0 && sent != AVERROR(EAGAIN)) ++damaged;
    return true;
  }
}

VideoColor VideoReader::State::frame_color() const {
  const auto either = [](int frame_value, int track_value) {
    return frame_value != AVCOL_SPC_UNSPECIFIED ? frame_value : track_value;  // 2 in each of these enums
  };
  const AVCodecParameters& coded = *stream->codecpar;
  return color_of(frame->format, either(frame->colorspace, coded.color_space),
                  frame->color_range != AVCOL_RANGE_UNSPECIFIED ? frame->color_range : coded.color_range,
                  either(frame->color_trc, coded.color_trc), either(frame->color_primaries, coded.color_primaries),
                  frame->chroma_location, frame->height);
}

VideoReader::VideoReader(const std::filesystem::path& path, int threads) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.open(path);
  const AVCodec* decoder = nullptr;
  const int index = av_find_best_stream(s.format.get(), AVMEDIA_TYPE_VIDEO, -1, -1, &decoder, 0);
  if (index == AVERROR_DECODER_NOT_FOUND) s.fail("this FFmpeg has no decoder for its video");
  if (index < 0 || !is_picture_track(s.format->streams[index])) s.fail("there is no video in it");
  s.stream = s.format->streams[index];
  s.info.video_tracks = 0;
  for (unsigned i = 0; i < s.format->nb_streams; ++i) {
    if (is_picture_track(s.format->streams[i])) ++s.info.video_tracks;
    if (static_cast<int>(i) != index) s.format->streams[i]->discard = AVDISCARD_ALL;
  }
  s.open_codec(decoder, threads);
  s.describe();
  if (s.info.width < 16 || s.info.height < 8) s.fail("its pictures are smaller than 16 x 8 pixels");
}

VideoReader::~VideoReader() = default;

const VideoInfo& VideoReader::info() const { return state_->info; }

bool VideoReader::next() {
  State& s = *state_;
  for (;;) {
    const int error = avcodec_receive_frame(s.codec.get(), s.frame.get());
    if (error == 0) {
      const bool corrupt = (s.frame->flags & AV_FRAME_FLAG_CORRUPT) != 0 || s.frame->decode_error_flags != 0;
      const bool sized = s.frame->width == s.stream->codecpar->width && s.frame->height == s.stream->codecpar->height;
      if (corrupt || !sized || s.frame->best_effort_timestamp == AV_NOPTS_VALUE) {
        ++s.damaged;
        continue;
      }
      ++s.decoded;
      return true;
    }
    if (error == AVERROR_EOF) break;
    if (error != AVERROR(EAGAIN) && ++s.damaged < most_damage) continue;
    if (s.drained || s.damaged >= most_damage) break;
    if (!s.feed()) {
      avcodec_send_packet(s.codec.get(), nullptr);
      s.drained = true;
    }
  }
  if (s.decoded == 0) s.fail("not one frame could be decoded");
  return false;
}

double VideoReader::time_s() const {
  return static_cast<double>(timestamp() - state_->start()) * av_q2d(state_->stream->time_base);
}

std::int64_t VideoReader::timestamp() const { return state_->frame->best_effort_timestamp; }

int VideoReader::damaged_frames() const { return state_->damaged; }

std::int64_t VideoReader::timestamp_of(double time_s) const {
  return state_->start() + static_cast<std::int64_t>(std::llround(time_s / av_q2d(state_->stream->time_base)));
}

void VideoReader::seek(std::int64_t timestamp) {
  State& s = *state_;
  int error = av_seek_frame(s.format.get(), s.stream->index, timestamp, AVSEEK_FLAG_BACKWARD);
  if (error < 0) error = av_seek_frame(s.format.get(), s.stream->index, s.start(), AVSEEK_FLAG_BACKWARD);
  if (error < 0) s.fail("it cannot be searched in: " + message_of(error));
  avcodec_flush_buffers(s.codec.get());
  s.drained = false;
}

VideoPlanes VideoReader::planes() const {
  const AVFrame& frame = *state_->frame;
  const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  VideoPlanes planes;
  if (!is_plain(format)) return planes;
  planes.width = frame.width;
  planes.height = frame.height;
  planes.color = state_->frame_color();
  planes.gray = format->nb_components < 3;
  planes.x_halvings = format->log2_chroma_w;
  planes.y_halvings = format->log2_chroma_h;
  for (std::size_t i = 0; i < (planes.gray ? 1u : 3u); ++i) {
    const AVComponentDescriptor& part = format->comp[i];
    planes.plane[i] = {frame.data[part.plane] + part.offset, frame.linesize[part.plane], part.step,
                       part.depth > 8 ? 2 : 1, part.shift};
  }
  return planes;
}

Rgba8 VideoReader::rgba() const {
  const State& s = *state_;
  const VideoPlanes as_decoded = planes();
  if (as_decoded.width > 0) return turned(rgba_from_planes(as_decoded), s.info.rotation_deg);
  // RGB and other rare layouts.
  const AVFrame& frame = *s.frame;
  s.scaler.reset(sws_getCachedContext(
      s.scaler.release(), frame.width, frame.height, static_cast<AVPixelFormat>(frame.format), frame.width,
      frame.height, AV_PIX_FMT_RGB0, SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP, nullptr, nullptr, nullptr));
  if (!s.scaler) s.fail("its pixel format cannot be converted");
  Rgba8 out(frame.width, frame.height);
  std::array<std::uint8_t*, 4> to = {out.row(0), nullptr, nullptr, nullptr};
  const std::array<int, 4> stride = {4 * frame.width, 0, 0, 0};
  sws_scale(s.scaler.get(), frame.data, frame.linesize, 0, frame.height, to.data(), stride.data());
  for (std::size_t i = 3; i < out.pixels.size(); i += 4) out.pixels[i] = 255;
  return turned(std::move(out), s.info.rotation_deg);
}

Plane8 VideoReader::luma(int most_width) const {
  const State& s = *state_;
  const int factor = std::max(1, (s.info.width + most_width - 1) / most_width);
  const VideoPlanes as_decoded = planes();
  if (as_decoded.width > 0) return turned(reduced_luma(as_decoded, factor), s.info.rotation_deg);
  const Rgba8 picture = rgba();
  Plane8 green(picture.width, picture.height);
  for (std::size_t i = 0; i < green.pixels.size(); ++i) green.pixels[i] = picture.pixels[4 * i + 1];
  VideoPlanes one;
  one.width = green.width;
  one.height = green.height;
  one.plane[0] = {green.row(0), green.width, 1, 1, 0};
  one.gray = true;
  return reduced_luma(one, factor);
}

}  // namespace imago::io
