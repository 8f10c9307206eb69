// Where encoders put their bytes: a file that appears whole or not at all, or memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/atomic_file.h"

namespace imago::io {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // Throws Error{io}. `offset` is at most the size so far.
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  // The bytes are complete; a file takes its name now.
  virtual void commit() = 0;

  void append(std::span<const std::byte> bytes) { write_at(size_, bytes); }
  std::uint64_t size() const { return size_; }

 protected:
  std::uint64_t size_ = 0;
};

class FileSink : public ByteSink {
 public:
  explicit FileSink(const std::filesystem::path& path) : file_(path) {}
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void commit() override { file_.commit(); }

 private:
  AtomicFile file_;
  std::uint64_t position_ = 0;
};

class MemorySink : public ByteSink {
 public:
  explicit MemorySink(std::vector<std::byte>& bytes) : bytes_(bytes) { bytes_.clear(); }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void commit() override {}

 private:
  std::vector<std::byte>& bytes_;
};

}  // namespace imago::io
