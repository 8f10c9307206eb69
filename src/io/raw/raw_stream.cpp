#include "io/raw/raw_stream.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace imago::io {
namespace {

constexpr std::uint64_t most_padding = std::uint64_t{1} << 31;  // then the end is the end: no decoder runs for ever
constexpr std::size_t window_bytes = std::size_t{256} << 10;

}  // namespace

RawStream::RawStream(ByteSource source, std::string name) : source_(std::move(source)), name_(std::move(name)) {}

void RawStream::watch(std::function<void()> first_read) {
  window_.clear();
  missing_bytes_ = 0;
  first_read_ = std::move(first_read);
}

void RawStream::run_first_read() {
  if (!first_read_) return;
  const auto call = std::exchange(first_read_, nullptr);
  call();
}

int RawStream::get_char_outside_window() {
  run_first_read();
  if (position_ >= source_.size()) {
    ++missing_bytes_;
    if (!padded_ || missing_bytes_ > most_padding) return -1;
    ++position_;
    return 0;
  }
  window_ = source_.head(position_, window_bytes);
  window_start_ = position_;
  if (window_.empty()) return -1;
  return std::to_integer<int>(window_[position_++ - window_start_]);
}

int RawStream::read(void* out, size_t size, size_t count) {
  run_first_read();
  if (size == 0 || count == 0) return 0;
  const std::uint64_t left = position_ < source_.size() ? source_.size() - position_ : 0;
  const std::uint64_t wanted = std::uint64_t{size} * count;
  const std::uint64_t given = std::min(wanted, left);
  missing_bytes_ += wanted - given;
  auto* to = static_cast<std::byte*>(out);
  // Small reads (tags, rows of old cameras) come from the window, long ones straight from the source.
  for (std::uint64_t done = 0; done < given;) {
    const std::uint64_t in_window = position_ - window_start_;
    if (in_window < window_.size()) {
      const std::size_t part = std::min<std::uint64_t>(given - done, window_.size() - in_window);
      std::memcpy(to + done, window_.data() + in_window, part);
      position_ += part;
      done += part;
    } else if (given - done >= window_bytes) {
      if (!source_.read(position_, std::span(to + done, given - done))) return static_cast<int>(done / size);
      position_ += given - done;
      done = given;
    } else {
      window_ = source_.head(position_, window_bytes);
      window_start_ = position_;
      if (window_.empty()) return static_cast<int>(done / size);
    }
  }
  if (padded_ && given < wanted && missing_bytes_ <= most_padding) {
    std::memset(to + given, 0, wanted - given);
    position_ += wanted - given;
    return static_cast<int>(count);
  }
  return static_cast<int>((given + size - 1) / size);  // as LibRaw's own streams: a part counts as one
}

int RawStream::seek(INT64 offset, int whence) {
  const INT64 from = whence == SEEK_CUR ? tell() : whence == SEEK_END ? size() : 0;
  const INT64 most = std::max<INT64>(size(), 0);
  // hostile offsets: clamped before the sum can overflow
  const INT64 target = from + std::clamp<INT64>(offset, -most - 1, most + (INT64{1} << 40));
  position_ = static_cast<std::uint64_t>(std::max<INT64>(target, 0));
  return 0;
}

char* RawStream::gets(char* out, int capacity) {
  if (capacity < 1) return nullptr;
  int length = 0;
  while (length + 1 < capacity) {
    const int c = get_char();
    if (c < 0) break;
    out[length++] = static_cast<char>(c);
    if (c == '\n') break;
  }
  out[length] = 0;
  return length > 0 ? out : nullptr;
}

int RawStream::scanf_one(const char* format, void* value) {
  std::string token;
  int c = get_char();
  while (c >= 0 && std::isspace(c) != 0) c = get_char();
  while (c >= 0 && std::isspace(c) == 0 && token.size() < 24) {
    token.push_back(static_cast<char>(c));
    c = get_char();
  }
  if (token.empty()) return -1;
  if (std::strcmp(format, "%d") == 0) {
    *static_cast<int*>(value) = static_cast<int>(std::strtol(token.c_str(), nullptr, 10));
  } else if (std::strcmp(format, "%f") == 0) {
    *static_cast<float*>(value) = std::strtof(token.c_str(), nullptr);
  } else {
    return 0;
  }
  return 1;
}

}  // namespace imago::io
