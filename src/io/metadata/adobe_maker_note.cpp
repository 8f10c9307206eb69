#include "io/metadata/adobe_maker_note.h"

#include <algorithm>
#include <cstring>

namespace imago::io {
namespace {

std::uint32_t big_endian_at(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
  return value;
}

bool starts_with(std::span<const std::byte> bytes, std::string_view text) {
  return bytes.size() >= text.size() && std::memcmp(bytes.data(), text.data(), text.size()) == 0;
}

// Appends in the note's byte order.
struct Writer {
  std::vector<std::byte>& out;
  bool little_endian;
  void number(std::uint32_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) {
      const unsigned shift = 8 * (little_endian ? i : bytes - 1 - i);
      out.push_back(static_cast<std::byte>(value >> shift));
    }
  }
  void entry(std::uint32_t tag, std::uint32_t type, std::uint32_t count, std::uint32_t offset) {
    number(tag, 2);
    number(type, 2);
    number(count, 4);
    number(offset, 4);
  }
};

}  // namespace

std::optional<AdobeMakerNote> adobe_maker_note(std::span<const std::byte> data) {
  constexpr std::string_view signature("Adobe\0", 6);
  constexpr std::size_t note_head = 6;  // byte order, offset
  if (!starts_with(data, signature)) return std::nullopt;
  for (std::size_t at = signature.size(); at + 8 <= data.size();) {
    const std::size_t length = big_endian_at(data, at + 4);
    const auto block = data.subspan(at + 8);
    if (length > block.size()) return std::nullopt;
    if (starts_with(data.subspan(at), "MakN") && length > note_head) {
      const bool little = starts_with(block, "II");
      if (!little && !starts_with(block, "MM")) return std::nullopt;
      return AdobeMakerNote{little, big_endian_at(block, 2), block.subspan(note_head, length - note_head)};
    }
    at += 8 + length + length % 2;
  }
  return std::nullopt;
}

std::vector<std::byte> tiff_around(const AdobeMakerNote& note, const std::string& make, const std::string& model) {
  // Header, directory of three, directory of one, the two texts; in front of the note, or behind it where it stood
  // that early.
  constexpr std::uint32_t header = 8, first_directory = 2 + 3 * 12 + 4, second_directory = 2 + 12 + 4;
  constexpr std::uint32_t most_offset = 16u << 20;
  const auto make_bytes = static_cast<std::uint32_t>(std::max<std::size_t>(make.size() + 1, 5));  // 5: never inline
  const auto model_bytes = static_cast<std::uint32_t>(std::max<std::size_t>(model.size() + 1, 5));
  const std::uint32_t around = first_directory + second_directory + make_bytes + model_bytes;
  const auto note_bytes = static_cast<std::uint32_t>(note.bytes.size());
  const bool early = note.offset >= header && note.offset < header + around;
  const bool kept = note.offset >= header && note.offset <= most_offset;
  const std::uint32_t note_at = kept ? note.offset : header + around + around % 2;
  const std::uint32_t start = early ? (note_at + note_bytes + 1) / 2 * 2 : header;

  std::vector<std::byte> directories;
  Writer writer{directories, note.little_endian};
  const std::uint32_t texts = start + first_directory + second_directory;
  writer.number(3, 2);
  writer.entry(271, 2, make_bytes, texts);
  writer.entry(272, 2, model_bytes, texts + make_bytes);
  writer.entry(34665, 4, 1, start + first_directory);
  writer.number(0, 4);
  writer.number(1, 2);
  writer.entry(37500, 7, note_bytes, note_at);
  writer.number(0, 4);
  for (const auto& [text, size] : {std::pair{&make, make_bytes}, {&model, model_bytes}}) {
    const auto bytes = std::as_bytes(std::span(text->data(), text->size()));
    directories.insert(directories.end(), bytes.begin(), bytes.end());
    directories.resize(directories.size() + size - text->size());
  }

  std::vector<std::byte> tiff;
  Writer head{tiff, note.little_endian};
  tiff.assign(2, note.little_endian ? std::byte{'I'} : std::byte{'M'});
  head.number(42, 2);
  head.number(start, 4);
  tiff.resize(std::max<std::size_t>(start + directories.size(), std::size_t{note_at} + note_bytes));
  std::ranges::copy(directories, tiff.begin() + start);
  std::ranges::copy(note.bytes, tiff.begin() + note_at);
  return tiff;
}

}  // namespace imago::io
