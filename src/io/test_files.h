// Tests only: where the sample files lie, and a folder to write into.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace imago::io {

// Empty when there are none: the test skips.
inline std::filesystem::path sample_folder(const char* name) {
  const char* set = std::getenv("IMAGO_SAMPLES");
  for (const std::filesystem::path root : {set == nullptr ? "" : set, "../shared/samples", "../../shared/samples"}) {
    if (!root.empty() && std::filesystem::is_directory(root / name)) return root / name;
  }
  return {};
}

class TemporaryFolder {
 public:
  TemporaryFolder()
      : path(std::filesystem::temp_directory_path() / ("imago-io-" + std::to_string(std::random_device{}()))) {
    std::filesystem::create_directories(path);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path path;
};

// Calls `read` with the bytes cut at every 1/64 of their length, and with single bits flipped (more of them near the
// start, where headers are).
template <typename Read>
void with_damaged_copies(std::span<const std::byte> bytes, int flips, const Read& read) {
  for (std::size_t part = 0; part < 64; ++part) read(bytes.first(bytes.size() * part / 64));
  std::mt19937 random(1);
  std::vector<std::byte> copy(bytes.begin(), bytes.end());
  for (int i = 0; i < flips; ++i) {
    const std::size_t range = i % 2 == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 600);
    const std::size_t at = random() % range;
    const auto bit = static_cast<std::byte>(1u << (random() % 8));
    copy[at] ^= bit;
    read(std::span<const std::byte>(copy));
    copy[at] ^= bit;
  }
}

}  // namespace imago::io
