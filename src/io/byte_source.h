// Random access to the bytes of a file or of a block of memory. Reads outside are refused, never undefined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

namespace imago::io {

class ByteSource {
 public:
  explicit ByteSource(std::span<const std::byte> bytes) : memory_(bytes), size_(bytes.size()) {}
  // Throws Error{input} when the file cannot be opened.
  explicit ByteSource(const std::filesystem::path& path);

  std::uint64_t size() const { return size_; }

  // Fills `out` from `offset`; false, and `out` unspecified, when any byte of it lies outside.
  bool read(std::uint64_t offset, std::span<std::byte> out);

  // Up to `count` bytes from `offset`; fewer at the end of the file.
  std::vector<std::byte> head(std::uint64_t offset, std::size_t count);

 private:
  std::span<const std::byte> memory_;
  std::ifstream file_;
  std::uint64_t size_ = 0;
};

// The whole file. Throws Error{input} when it cannot be read or is longer than `limit` bytes.
std::vector<std::byte> read_file(const std::filesystem::path& path, std::uint64_t limit = std::uint64_t{1} << 32);

// The file's name as it stands in messages (UTF-8, no folders).
std::string name_of(const std::filesystem::path& path);

}  // namespace imago::io
