// LibRaw behind one door: open and unpack only; its codes, callbacks and exceptions become Error{input} or
// Error{memory} with one line. This header and those that include it are private to src/io/raw.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include <libraw/libraw.h>

#include "io/raw/raw_image.h"

namespace imago::io {

class LibRawFile {
 public:
  // Both open the headers. Throw for what LibRaw or this program cannot decode.
  explicit LibRawFile(const std::filesystem::path& path);
  LibRawFile(std::span<const std::byte> bytes, const std::string& name);

  // Decodes the samples; throws when the data ends early or is damaged.
  void unpack();

  LibRaw& raw() { return *raw_; }
  const libraw_data_t& data() const { return raw_->imgdata; }
  const std::string& name() const { return name_; }
  std::string decoder();
  RawInfo info() const;

 private:
  void prepare();
  void refuse_what_is_not_supported();
  [[noreturn]] void fail(int code, bool unpacking) const;
  static void on_data_error(void* self, const char* file, INT64 offset);

  std::string name_;
  std::unique_ptr<LibRaw> raw_;  // 1 MB: never on the stack
  bool ended_early_ = false;
};

// EXIF orientation of LibRaw's flip bits (1 mirrored in x, 2 in y, 4 transposed).
int orientation_of_flip(int flip);

}  // namespace imago::io
