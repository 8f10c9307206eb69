#include "io/tiff_tags.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace imago::io {
namespace {

constexpr std::size_t most_ifds = 64;
constexpr std::size_t most_entries = 2048;

constexpr std::uint16_t tag_sub_ifds = 330;
constexpr std::uint16_t tag_exif_ifd = 34665;
constexpr std::uint16_t tag_gps_ifd = 34853;

// Bytes of one value of a TIFF type; 0 for unknown types.
int type_size(std::uint16_t type) {
  switch (type) {
    case 1:
    case 2:
    case 6:
    case 7: return 1;
    case 3:
    case 8: return 2;
    case 4:
    case 9:
    case 11:
    case 13: return 4;
    case 5:
    case 10:
    case 12: return 8;
    default: return 0;
  }
}

double ratio(double numerator, double denominator) {
  if (denominator != 0) return numerator / denominator;
  return numerator == 0 ? 0 : std::numeric_limits<double>::infinity();
}

}  // namespace

std::uint64_t TiffTags::unsigned_at(const std::byte* bytes, int size) const {
  std::uint64_t value = 0;
  for (int i = 0; i < size; ++i) {
    const int at = little_endian_ ? size - 1 - i : i;
    value = (value << 8) | std::to_integer<std::uint64_t>(bytes[at]);
  }
  return value;
}

std::optional<TiffTags> TiffTags::parse(ByteSource& source, std::uint64_t start) {
  std::byte header[8];
  if (!source.read(start, header)) return std::nullopt;
  TiffTags tags(source);
  tags.start_ = start;
  if (header[0] == std::byte{'I'} && header[1] == std::byte{'I'}) {
    tags.little_endian_ = true;
  } else if (header[0] == std::byte{'M'} && header[1] == std::byte{'M'}) {
    tags.little_endian_ = false;
  } else {
    return std::nullopt;
  }
  const std::uint64_t magic = tags.unsigned_at(header + 2, 2);
  // 42 TIFF; 0x4f52 and 0x5352 Olympus, 0x55 Panasonic, 0x4352 camera profiles
  if (magic != 42 && magic != 0x4f52 && magic != 0x5352 && magic != 0x55 && magic != 0x4352) return std::nullopt;
  tags.magic_ = static_cast<int>(magic);

  std::set<std::uint64_t> seen;
  std::vector<std::pair<std::uint64_t, TiffIfdKind>> queue{{tags.unsigned_at(header + 4, 4), TiffIfdKind::main}};
  for (std::size_t i = 0; i < queue.size() && tags.ifds_.size() < most_ifds; ++i) {
    const auto [offset, kind] = queue[i];
    if (offset == 0 || !seen.insert(offset).second) continue;
    const std::uint64_t next = tags.read_ifd(offset, kind, queue);
    if (kind == TiffIfdKind::main && next != 0) queue.emplace_back(next, TiffIfdKind::main);
  }
  if (tags.ifds_.empty()) return std::nullopt;
  return tags;
}

std::uint64_t TiffTags::read_ifd(std::uint64_t offset, TiffIfdKind kind,
                                 std::vector<std::pair<std::uint64_t, TiffIfdKind>>& queue) {
  std::byte word[4];
  if (!source_->read(start_ + offset, std::span(word, 2))) return 0;
  const std::size_t count = unsigned_at(word, 2);
  if (count == 0 || count > most_entries) return 0;
  const std::vector<std::byte> raw = source_->head(start_ + offset + 2, count * 12);

  TiffIfd ifd{.kind = kind, .entries = {}};
  for (std::size_t i = 0; (i + 1) * 12 <= raw.size(); ++i) {
    const std::byte* at = raw.data() + i * 12;
    TiffEntry entry{.tag = static_cast<std::uint16_t>(unsigned_at(at, 2)),
                    .type = static_cast<std::uint16_t>(unsigned_at(at + 2, 2)),
                    .count = static_cast<std::uint32_t>(unsigned_at(at + 4, 4))};
    const auto size = static_cast<std::uint64_t>(type_size(entry.type));
    if (size == 0 || entry.count == 0) continue;
    entry.offset = start_ + (entry.count * size <= 4 ? offset + 2 + i * 12 + 8 : unsigned_at(at + 8, 4));
    if (entry.offset > source_->size() || entry.count * size > source_->size() - entry.offset) continue;
    ifd.entries.push_back(entry);
  }
  if (ifd.entries.empty()) return 0;

  const auto follow = [&](std::uint16_t tag, TiffIfdKind child) {
    for (const double child_offset : numbers(ifd, tag, most_ifds)) {
      if (child_offset > 0 && child_offset < 4294967296.0 && queue.size() < 4 * most_ifds) {
        queue.emplace_back(static_cast<std::uint64_t>(child_offset), child);
      }
    }
  };
  follow(tag_sub_ifds, TiffIfdKind::sub);
  follow(tag_exif_ifd, TiffIfdKind::exif);
  follow(tag_gps_ifd, TiffIfdKind::gps);
  ifds_.push_back(std::move(ifd));

  if (!source_->read(start_ + offset + 2 + count * 12, word)) return 0;
  return unsigned_at(word, 4);
}

const TiffIfd* TiffTags::exif() const {
  const auto found = std::ranges::find(ifds_, TiffIfdKind::exif, &TiffIfd::kind);
  return found == ifds_.end() ? nullptr : &*found;
}

const TiffEntry* TiffTags::find(const TiffIfd& ifd, std::uint16_t tag) const {
  const auto found = std::ranges::find(ifd.entries, tag, &TiffEntry::tag);
  return found == ifd.entries.end() ? nullptr : &*found;
}

bool TiffTags::has(const TiffIfd& ifd, std::uint16_t tag) const { return find(ifd, tag) != nullptr; }

std::vector<double> TiffTags::numbers(const TiffIfd& ifd, std::uint16_t tag, std::size_t limit) const {
  const TiffEntry* entry = find(ifd, tag);
  if (entry == nullptr || entry->type == 2) return {};
  const auto size = static_cast<std::size_t>(type_size(entry->type));
  const std::size_t count = std::min<std::size_t>(entry->count, limit);
  const std::vector<std::byte> raw = source_->head(entry->offset, count * size);
  std::vector<double> values;
  values.reserve(count);
  for (std::size_t i = 0; (i + 1) * size <= raw.size(); ++i) {
    const std::byte* at = raw.data() + i * size;
    const auto word = [&](int offset) { return static_cast<std::uint32_t>(unsigned_at(at + offset, 4)); };
    const auto signed_word = [&](int offset) { return static_cast<double>(static_cast<std::int32_t>(word(offset))); };
    switch (entry->type) {
      case 1:
      case 7: values.push_back(std::to_integer<int>(at[0])); break;
      case 6: values.push_back(static_cast<std::int8_t>(at[0])); break;
      case 3: values.push_back(static_cast<double>(unsigned_at(at, 2))); break;
      case 8: values.push_back(static_cast<std::int16_t>(unsigned_at(at, 2))); break;
      case 4:
      case 13: values.push_back(word(0)); break;
      case 9: values.push_back(signed_word(0)); break;
      case 5: values.push_back(ratio(word(0), word(4))); break;
      case 10: values.push_back(ratio(signed_word(0), signed_word(4))); break;
      case 11: values.push_back(static_cast<double>(std::bit_cast<float>(word(0)))); break;
      case 12: values.push_back(std::bit_cast<double>(unsigned_at(at, 8))); break;
      default: break;
    }
  }
  return values;
}

std::optional<double> TiffTags::number(const TiffIfd& ifd, std::uint16_t tag) const {
  const std::vector<double> values = numbers(ifd, tag, 1);
  if (values.empty() || !std::isfinite(values[0])) return std::nullopt;
  return values[0];
}

std::optional<std::uint32_t> TiffTags::integer(const TiffIfd& ifd, std::uint16_t tag) const {
  const std::optional<double> value = number(ifd, tag);
  if (!value || *value < 0 || *value > 4294967295.0) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::string TiffTags::text(const TiffIfd& ifd, std::uint16_t tag) const {
  const std::vector<std::uint8_t> raw = bytes(ifd, tag, 4096);
  std::string value(raw.begin(), std::ranges::find(raw, std::uint8_t{0}));
  while (!value.empty() && value.back() == ' ') value.pop_back();
  return value;
}

std::vector<std::uint8_t> TiffTags::bytes(const TiffIfd& ifd, std::uint16_t tag, std::size_t limit) const {
  const TiffEntry* entry = find(ifd, tag);
  if (entry == nullptr) return {};
  const std::uint64_t size = std::uint64_t{entry->count} * static_cast<std::uint64_t>(type_size(entry->type));
  std::vector<std::uint8_t> value(std::min<std::uint64_t>(size, limit));
  if (!source_->read(entry->offset, std::as_writable_bytes(std::span(value)))) value.clear();
  return value;
}

}  // namespace imago::io
