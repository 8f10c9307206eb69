// Bytes as the sidecar beside a photo: read, then merged into.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"
#include "io/sidecar/sidecar.h"

namespace fs = std::filesystem;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fs::path folder = [] {
    std::string name = (fs::temp_directory_path() / "imago-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    return fs::path(name);
  }();
  const fs::path photo = folder / "photo.dng";
  const fs::path sidecar = imago::io::sidecar_path(photo);
  std::ofstream(sidecar, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    imago::io::read_sidecar(photo);
    imago::io::Sidecar ours;
    ours.rating = 3;
    ours.keywords = {"fuzz"};
    imago::io::write_sidecar(photo, ours);
    const auto again = imago::io::read_sidecar(photo);
    if (!again || again->rating != 3) std::abort();
  } catch (const imago::Error&) {
  }
  for (const auto& left : fs::directory_iterator(folder)) fs::remove(left);  // `….xmp.broken-N`, too
  return 0;
}
