#include "base/atomic_file.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/error.h"
#include "base/path_text.h"

#ifdef _WIN32
#include <io.h>
#include <process.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

namespace imago {
namespace {

namespace fs = std::filesystem;

int process_id() {
#ifdef _WIN32
  return _getpid();
#else
  return getpid();
#endif
}

int sync_stream(std::FILE* stream) {
#ifdef _WIN32
  return _commit(_fileno(stream));
#else
  // Some file systems (FUSE, pipes behind a bind mount) have no fsync: nothing is lost by going on.
  const int result = fsync(fileno(stream));
  return result != 0 && (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP) ? 0 : result;
#endif
}

// Makes the rename itself durable; best effort.
void sync_folder(const fs::path& folder) {
#ifndef _WIN32
  const int descriptor = open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
#else
  (void)folder;
#endif
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

}  // namespace

AtomicFile::AtomicFile(fs::path target) : target_(target), shown_(std::move(target)) {
  std::error_code error;
  const fs::file_status status = fs::status(target_, error);
  if (fs::is_directory(status)) fail(EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error(ErrorKind::io, fmt::format("cannot write {}: not a regular file", utf8(shown_)));
  }
  if (fs::is_symlink(fs::symlink_status(target_, error))) {
    const fs::path end = fs::weakly_canonical(target_, error);
    if (!error) target_ = end;
  }
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 1000 && stream_ == nullptr; ++attempt) {
    temporary_ = folder_of(target_) / fmt::format(".imago-{}-{}.tmp", process_id(), counter++);
    errno = 0;
    stream_ = std::fopen(temporary_.string().c_str(), "wbx");
    if (stream_ == nullptr && errno != EEXIST) break;  // EEXIST: left behind by a killed process of the same id
  }
  if (stream_ == nullptr) {
    const int error_number = errno;
    temporary_.clear();
    fail(error_number);
  }
  if (fs::exists(status)) fs::permissions(temporary_, status.permissions(), error);
}

AtomicFile::~AtomicFile() { remove_temporary(); }

void AtomicFile::write(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream_) != bytes.size()) fail(errno);
}

void AtomicFile::write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }

void AtomicFile::commit() {
  errno = 0;
  if (std::fflush(stream_) != 0 || std::ferror(stream_) != 0 || sync_stream(stream_) != 0) {
    fail(errno != 0 ? errno : EIO);
  }
  const int closed = std::fclose(stream_);
  stream_ = nullptr;
  if (closed != 0) fail(errno);
  std::error_code error;
  fs::rename(temporary_, target_, error);
  if (error) fail(error.value());
  temporary_.clear();
  sync_folder(folder_of(target_));
}

void AtomicFile::fail(int error_number) const {
  throw Error(ErrorKind::io,
              fmt::format("cannot write {}: {}", utf8(shown_), std::generic_category().message(error_number)));
}

void AtomicFile::remove_temporary() noexcept {
  if (stream_ != nullptr) std::fclose(stream_);
  stream_ = nullptr;
  std::error_code error;
  if (!temporary_.empty()) fs::remove(temporary_, error);
}

void write_file_atomically(const fs::path& path, std::span<const std::byte> bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  write_file_atomically(path, std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace imago
