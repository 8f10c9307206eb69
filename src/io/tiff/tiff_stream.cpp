#include "io/tiff/tiff_stream.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace imago::io {
namespace {

TiffStream* stream_of(thandle_t handle) { return static_cast<TiffStream*>(handle); }

tmsize_t on_read(thandle_t handle, void* out, tmsize_t count) {
  TiffStream* stream = stream_of(handle);
  if (stream->sink != nullptr || count < 0 || stream->position > stream->memory.size()) return 0;
  const auto given =
      std::min<std::uint64_t>(static_cast<std::uint64_t>(count), stream->memory.size() - stream->position);
  if (given > 0) std::memcpy(out, stream->memory.data() + stream->position, given);
  stream->position += given;
  return static_cast<tmsize_t>(given);
}

tmsize_t on_write(thandle_t handle, void* bytes, tmsize_t count) {
  TiffStream* stream = stream_of(handle);
  if (stream->sink == nullptr || count < 0 || stream->thrown) return -1;
  try {
    stream->sink->write_at(stream->position,
                           std::span(static_cast<const std::byte*>(bytes), static_cast<std::size_t>(count)));
  } catch (...) {
    stream->thrown = std::current_exception();
    return -1;
  }
  stream->position += static_cast<std::uint64_t>(count);
  return count;
}

toff_t on_size(thandle_t handle) {
  const TiffStream* stream = stream_of(handle);
  return stream->sink != nullptr ? stream->sink->size() : stream->memory.size();
}

toff_t on_seek(thandle_t handle, toff_t offset, int whence) {
  TiffStream* stream = stream_of(handle);
  if (whence == SEEK_CUR) offset += stream->position;
  if (whence == SEEK_END) offset += on_size(handle);
  stream->position = offset;
  return offset;
}

int on_close(thandle_t) { return 0; }

int on_error(TIFF*, void* user, const char* module, const char* format, va_list arguments) {
  auto* stream = static_cast<TiffStream*>(user);
  if (!stream->message.empty()) return 1;
  std::array<char, 300> text{};
  // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  std::vsnprintf(text.data(), text.size(), format, arguments);
#pragma GCC diagnostic pop
  stream->message = std::string(module == nullptr ? "" : module) + ": " + text.data();
  return 1;
}

int on_warning(TIFF*, void*, const char*, const char*, va_list) { return 1; }

}  // namespace

TiffHandle TiffStream::open(const char* mode) {
  TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
  TIFFOpenOptionsSetErrorHandlerExtR(options, &on_error, this);
  TIFFOpenOptionsSetWarningHandlerExtR(options, &on_warning, this);
  constexpr tmsize_t most_bytes_at_once = tmsize_t{1} << 30;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, most_bytes_at_once);
  TIFF* tiff = TIFFClientOpenExt("picture", mode, this, &on_read, &on_write, &on_seek, &on_close, &on_size, nullptr,
                                 nullptr, options);
  TIFFOpenOptionsFree(options);
  return TiffHandle(tiff);
}

TiffHandle TiffStream::open_read(std::span<const std::byte> bytes) {
  memory = bytes;
  return open("rm");  // m: no memory mapping
}

TiffHandle TiffStream::open_write(ByteSink& out, bool big) {
  sink = &out;
  return open(big ? "w8m" : "wm");
}

}  // namespace imago::io
