// Bytes as a JPEG, PNG or TIFF, whole and headers only.
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "io/picture_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    // A header may promise more pixels than a fuzzing machine has memory for.
    const imago::io::PictureInfo info = imago::io::probe_picture(bytes, "fuzz");
    if (static_cast<std::int64_t>(info.width) * info.height > 4'000'000) return 0;
    imago::io::read_picture(bytes, "fuzz");
    imago::io::read_rgba8(bytes, "fuzz", 4);
  } catch (const imago::Error&) {
  }
  return 0;
}
