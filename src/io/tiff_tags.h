// Reads the tags of a TIFF structure (TIFF, DNG, most raws, the EXIF block of a JPEG), either byte order. Made for
// hostile files: every access is checked, loops of directories end, sizes are bounded. Pixels are not its business.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/byte_source.h"

namespace imago::io {

struct TiffEntry {
  std::uint16_t tag = 0;
  std::uint16_t type = 0;
  std::uint32_t count = 0;
  std::uint64_t offset = 0;  // of the value's first byte
};

enum class TiffIfdKind : std::uint8_t { main, sub, exif, gps };

struct TiffIfd {
  TiffIfdKind kind = TiffIfdKind::main;
  std::vector<TiffEntry> entries;
};

class TiffTags {
 public:
  // Empty when the bytes at `start` are no TIFF header. Broken directories are left out silently: what is missing
  // is for the caller to judge. `source` must outlive this. Offsets count from `start`.
  static std::optional<TiffTags> parse(ByteSource& source, std::uint64_t start = 0);

  const std::vector<TiffIfd>& ifds() const { return ifds_; }  // never empty; [0] is the first
  const TiffIfd* exif() const;
  bool little_endian() const { return little_endian_; }
  int magic() const { return magic_; }  // 42 but for some raws and camera profiles

  bool has(const TiffIfd& ifd, std::uint16_t tag) const;
  // Values of any numeric type as doubles, at most `limit`; empty when missing. A rational x/0 reads as 0 when x is 0,
  // else as infinity.
  std::vector<double> numbers(const TiffIfd& ifd, std::uint16_t tag, std::size_t limit = 4096) const;
  std::optional<double> number(const TiffIfd& ifd, std::uint16_t tag) const;
  std::optional<std::uint32_t> integer(const TiffIfd& ifd, std::uint16_t tag) const;
  std::string text(const TiffIfd& ifd, std::uint16_t tag) const;  // without trailing zeros and blanks
  std::vector<std::uint8_t> bytes(const TiffIfd& ifd, std::uint16_t tag,
                                  std::size_t limit = std::size_t{64} << 20) const;

 private:
  explicit TiffTags(ByteSource& source) : source_(&source) {}
  const TiffEntry* find(const TiffIfd& ifd, std::uint16_t tag) const;
  std::uint64_t unsigned_at(const std::byte* bytes, int size) const;
  // Reads one directory and queues those it points to; returns the offset of the next one in the chain, 0 for none.
  std::uint64_t read_ifd(std::uint64_t offset, TiffIfdKind kind,
                         std::vector<std::pair<std::uint64_t, TiffIfdKind>>& queue);

  ByteSource* source_;
  std::uint64_t start_ = 0;
  bool little_endian_ = true;
  int magic_ = 42;
  std::vector<TiffIfd> ifds_;
};

}  // namespace imago::io
