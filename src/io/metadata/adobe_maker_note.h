// The camera's maker note that Adobe's converter keeps in a DNG's private data. Private to src/io.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace imago::io {

// What DNGPrivateData (tag 50740) that begins with "Adobe" holds under "MakN": the note's byte order, where it stood in
// the camera's file (its inner offsets count from that file's start), and its bytes. Nothing when there is none.
struct AdobeMakerNote {
  bool little_endian = true;
  std::uint32_t offset = 0;
  std::span<const std::byte> bytes;  // of the private data
};
std::optional<AdobeMakerNote> adobe_maker_note(std::span<const std::byte> private_data);

// A TIFF structure with make, model and the note at its old offset, so that whoever decodes it finds what the note
// points to.
std::vector<std::byte> tiff_around(const AdobeMakerNote& note, const std::string& make, const std::string& model);

}  // namespace imago::io
