// LibRaw behind one door: open and unpack only; its codes, callbacks and exceptions become Error{input} or
// Error{memory} with one line. This header and those that include it are private to src/io/raw.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <libraw/libraw.h>

#include "io/raw/preview.h"
#include "io/raw/raw_image.h"
#include "io/raw/raw_stream.h"

namespace imago::io {

// LibRaw 0.20, Debian 12's own, names some things otherwise.
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0)
using RawStreamOffset = int;
#else
using RawStreamOffset = INT64;
#endif

enum class RawPurpose : std::uint8_t { picture, preview };

class LibRawFile {
 public:
  // Opens the headers. Throws for what LibRaw cannot read and, unless only a preview is wanted, for what this program
  // cannot decode.
  LibRawFile(ByteSource source, const std::string& name, RawPurpose purpose = RawPurpose::picture, int frame = 0);

  // Decodes the samples and lets go of the file; throws when the data ends early or is damaged (of a DNG, only where
  // its decoder notices: check_dng_picture is the authority).
  // `tolerant`: instead of that, what is missing or damaged stays zero or becomes noise, and false is returned.
  bool unpack(bool tolerant = false);

  // Makes data().thumbnail that of the list's entry (-1: LibRaw's own choice); false when it cannot be read.
  bool unpack_thumbnail(int index);

  LibRaw& raw() { return *raw_; }
  const libraw_data_t& data() const { return raw_->imgdata; }
  const std::string& name() const { return name_; }
  std::string decoder();
  RawInfo info() const;

 private:
  void zero_rows(int every);
  void refuse_what_is_not_supported();
  [[noreturn]] void fail(int code, bool unpacking) const;
  static void on_data_error(void* self, const char* file, RawStreamOffset offset);

  std::string name_;
  RawStream stream_;
  std::unique_ptr<LibRaw> raw_;  // 1 MB: never on the stack
  bool ended_early_ = false;
};

// Rows y with y % marked_row_period == marked_row_period - 1 are zero before a decoder starts (LibRaw leaves old memory
// in samples that it never writes).
inline constexpr int marked_row_period = 16;

// EXIF orientation of LibRaw's flip bits (1 mirrored in x, 2 in y, 4 transposed).
int orientation_of_flip(int flip);

// The largest readable preview of an open file (preview.h).
std::optional<EmbeddedPreview> unpack_preview(LibRawFile& file);

}  // namespace imago::io
