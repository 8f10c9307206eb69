// Outputs that are either whole or absent: written under a temporary name in the same folder, synced, renamed.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string_view>

namespace imago {

// Every failure is an Error{io} "cannot write PATH: reason"; the target then still has its old content, or is absent.
class AtomicFile {
 public:
  // Creates the temporary file. An existing target keeps its permissions, a symbolic link stays one. The folder must
  // exist.
  explicit AtomicFile(std::filesystem::path target);
  // Without a commit the temporary file is removed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);

  // For encoders that write by themselves: the open stream, or the name of the file when they insist on opening it
  // (nothing may then be written through the stream as well).
  std::FILE* stream() const { return stream_; }
  const std::filesystem::path& temporary_path() const { return temporary_; }

  // Syncs to disk and renames. Nothing may follow.
  void commit();

 private:
  [[noreturn]] void fail(int error_number) const;
  void remove_temporary() noexcept;

  std::filesystem::path target_;     // what the rename replaces (a link's end)
  std::filesystem::path shown_;      // as the caller named it
  std::filesystem::path temporary_;  // empty once it is gone
  std::FILE* stream_ = nullptr;
};

void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace imago
