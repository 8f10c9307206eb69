// The stream that LibRaw reads through: a window over a ByteSource. It counts what a decoder asks for beyond the end,
// which is how truncated files are told from whole ones (several decoders of LibRaw do not notice), and tells when
// the first byte of the picture is about to be read. Private to src/io/raw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <libraw/libraw.h>

#include "io/byte_source.h"

namespace imago::io {

class RawStream : public LibRaw_abstract_datastream {
 public:
  RawStream(ByteSource source, std::string name);

  // Forgets the window and the count; `first_read` runs once, before the next byte is handed out. It must not throw.
  void watch(std::function<void()> first_read);
  // From here on the file ends in endless zeros instead of an end (they count as missing all the same).
  void pad_with_zeros() { padded_ = true; }
  std::uint64_t missing_bytes() const { return missing_bytes_; }

  int valid() override { return 1; }
  int read(void* out, size_t size, size_t count) override;
  int seek(INT64 offset, int whence) override;
  INT64 tell() override { return static_cast<INT64>(position_); }
  INT64 size() override { return static_cast<INT64>(source_.size()); }
  int get_char() override {
    if (position_ - window_start_ < window_.size()) return std::to_integer<int>(window_[position_++ - window_start_]);
    return get_char_outside_window();
  }
  char* gets(char* out, int capacity) override;
  int scanf_one(const char* format, void* value) override;
  int eof() override { return position_ >= source_.size() ? 1 : 0; }
  const char* fname() override { return name_.c_str(); }
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0)
  void* make_jas_stream() override { return nullptr; }
#endif

 private:
  int get_char_outside_window();
  void run_first_read();

  ByteSource source_;
  std::string name_;
  std::vector<std::byte> window_;
  std::uint64_t window_start_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t missing_bytes_ = 0;
  bool padded_ = false;
  std::function<void()> first_read_;
};

}  // namespace imago::io
