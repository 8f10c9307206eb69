#include "io/byte_sink.h"

#include <algorithm>
#include <cstdio>

#include "base/error.h"

namespace imago::io {

void FileSink::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (offset != position_ && std::fseek(file_.stream(), static_cast<long>(offset), SEEK_SET) != 0) {
    throw Error(ErrorKind::io, "cannot seek in the output file");
  }
  file_.write(bytes);
  position_ = offset + bytes.size();
  size_ = std::max(size_, position_);
}

void MemorySink::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  const std::size_t end = offset + bytes.size();
  if (end > bytes_.size()) bytes_.resize(end);
  std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
  size_ = bytes_.size();
}

}  // namespace imago::io
