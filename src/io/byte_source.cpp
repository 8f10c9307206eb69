#include "io/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/error.h"

namespace imago::io {

std::string name_of(const std::filesystem::path& path) {
  const std::u8string name = path.filename().u8string();
  return {name.begin(), name.end()};
}

ByteSource::ByteSource(const std::filesystem::path& path) {
  std::error_code error;
  const bool folder = std::filesystem::is_directory(path, error);
  if (folder) throw Error(ErrorKind::input, name_of(path) + ": is a folder, not a file");
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error) throw Error(ErrorKind::input, name_of(path) + ": " + error.message());
  errno = 0;
  file_.open(path, std::ios::binary);
  if (!file_) {
    const std::error_code why(errno, std::generic_category());
    throw Error(ErrorKind::input, name_of(path) + ": cannot be opened: " + why.message());
  }
  size_ = size;
}

bool ByteSource::read(std::uint64_t offset, std::span<std::byte> out) {
  if (offset > size_ || out.size() > size_ - offset) return false;
  if (out.empty()) return true;
  if (!file_.is_open()) {
    std::memcpy(out.data(), memory_.data() + offset, out.size());
    return true;
  }
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(offset));
  file_.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
  return file_.gcount() == static_cast<std::streamsize>(out.size());
}

std::vector<std::byte> ByteSource::head(std::uint64_t offset, std::size_t count) {
  if (offset >= size_) return {};
  std::vector<std::byte> bytes(std::min<std::uint64_t>(count, size_ - offset));
  if (!read(offset, bytes)) bytes.clear();
  return bytes;
}

std::vector<std::byte> read_file(const std::filesystem::path& path, std::uint64_t limit) {
  ByteSource source(path);
  if (source.size() > limit) {
    throw Error(ErrorKind::input, name_of(path) + ": " + std::to_string(source.size()) + " bytes are more than the " +
                                      std::to_string(limit) + " that are read at once");
  }
  std::vector<std::byte> bytes(source.size());
  if (!source.read(0, bytes)) throw Error(ErrorKind::input, name_of(path) + ": cannot be read");
  return bytes;
}

}  // namespace imago::io
