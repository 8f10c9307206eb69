// A TIFF structure made tag by tag, for tests of what our own writers never write.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace imago::io {

class TestTiff {
 public:
  TestTiff& shorts(std::uint16_t tag, const std::vector<int>& values) { return add(tag, 3, 2, values); }
  TestTiff& longs(std::uint16_t tag, const std::vector<std::uint32_t>& values) { return add(tag, 4, 4, values); }
  TestTiff& byte_values(std::uint16_t tag, const std::vector<int>& values) { return add(tag, 1, 1, values); }
  TestTiff& undefined(std::uint16_t tag, const std::vector<std::uint8_t>& values) { return add(tag, 7, 1, values); }
  TestTiff& text(std::uint16_t tag, const std::string& value) {
    std::vector<std::uint8_t> bytes(value.begin(), value.end());
    bytes.push_back(0);
    return add(tag, 2, 1, bytes);
  }
  TestTiff& rationals(std::uint16_t tag, const std::vector<double>& values, bool is_signed = true) {
    std::vector<std::uint8_t> bytes;
    for (const double v : values) {
      put(bytes, static_cast<std::uint64_t>(std::lround(v * 1000000)), 4);
      put(bytes, 1000000, 4);
    }
    return set(tag, is_signed ? 10 : 5, static_cast<std::uint32_t>(values.size()), std::move(bytes));
  }
  TestTiff& floats(std::uint16_t tag, const std::vector<float>& values) {
    std::vector<std::uint8_t> bytes;
    for (const float v : values) put(bytes, std::bit_cast<std::uint32_t>(v), 4);
    return set(tag, 11, static_cast<std::uint32_t>(values.size()), std::move(bytes));
  }
  // One strip or tile each; their places are filled in: tags 273 and 279, or 324 and 325.
  TestTiff& pieces(const std::vector<std::vector<std::uint8_t>>& data, bool tiles) {
    pieces_ = data;
    tiles_ = tiles;
    return *this;
  }

  // Little-endian. `magic` is 42 but for DCP files.
  std::vector<std::byte> file(int magic = 42) {
    if (!pieces_.empty()) {
      longs(tiles_ ? 324 : 273, std::vector<std::uint32_t>(pieces_.size(), 0));
      std::vector<std::uint32_t> counts;
      for (const auto& piece : pieces_) counts.push_back(static_cast<std::uint32_t>(piece.size()));
      longs(tiles_ ? 325 : 279, counts);
      std::uint32_t at = static_cast<std::uint32_t>(8 + 2 + 12 * entries_.size() + 4);
      for (const auto& [tag, entry] : entries_) at += static_cast<std::uint32_t>(padded(entry.bytes.size()));
      std::vector<std::uint32_t> offsets;
      for (const auto& piece : pieces_) {
        offsets.push_back(at);
        at += static_cast<std::uint32_t>(piece.size());
      }
      longs(tiles_ ? 324 : 273, offsets);
    }
    std::vector<std::uint8_t> out{'I', 'I'};
    put(out, static_cast<std::uint64_t>(magic), 2);
    put(out, 8, 4);
    put(out, entries_.size(), 2);
    std::vector<std::uint8_t> values;
    const std::size_t values_at = 8 + 2 + 12 * entries_.size() + 4;
    for (const auto& [tag, entry] : entries_) {
      put(out, tag, 2);
      put(out, entry.type, 2);
      put(out, entry.count, 4);
      if (entry.bytes.size() <= 4) {
        std::vector<std::uint8_t> inlined = entry.bytes;
        inlined.resize(4);
        out.insert(out.end(), inlined.begin(), inlined.end());
      } else {
        put(out, values_at + values.size(), 4);
        values.insert(values.end(), entry.bytes.begin(), entry.bytes.end());
        values.resize(values.size() + padded(entry.bytes.size()) - entry.bytes.size());
      }
    }
    put(out, 0, 4);
    out.insert(out.end(), values.begin(), values.end());
    for (const auto& piece : pieces_) out.insert(out.end(), piece.begin(), piece.end());
    std::vector<std::byte> bytes;
    for (const std::uint8_t b : out) bytes.push_back(static_cast<std::byte>(b));
    return bytes;
  }

 private:
  struct Entry {
    std::uint16_t type;
    std::uint32_t count;
    std::vector<std::uint8_t> bytes;
  };
  static std::size_t padded(std::size_t size) { return size <= 4 ? 0 : (size + 1) / 2 * 2; }
  static void put(std::vector<std::uint8_t>& to, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) to.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  TestTiff& set(std::uint16_t tag, int type, std::uint32_t count, std::vector<std::uint8_t> bytes) {
    entries_[tag] = {static_cast<std::uint16_t>(type), count, std::move(bytes)};
    return *this;
  }
  template <typename Value>
  TestTiff& add(std::uint16_t tag, int type, int size, const std::vector<Value>& values) {
    std::vector<std::uint8_t> bytes;
    for (const Value v : values) put(bytes, static_cast<std::uint64_t>(v), size);
    return set(tag, type, static_cast<std::uint32_t>(values.size()), std::move(bytes));
  }

  std::map<std::uint16_t, Entry> entries_;
  std::vector<std::vector<std::uint8_t>> pieces_;
  bool tiles_ = false;
};

// A DNG with the facts that every test needs: a Bayer mosaic (channels 1) or a linear raw (3), 16 bits, one strip.
inline TestTiff test_dng(int width, int height, int channels, const std::vector<std::uint16_t>& samples) {
  TestTiff tiff;
  tiff.longs(254, {0})
      .longs(256, {static_cast<std::uint32_t>(width)})
      .longs(257, {static_cast<std::uint32_t>(height)})
      .shorts(258, std::vector<int>(static_cast<std::size_t>(channels), 16))
      .shorts(259, {1})
      .shorts(262, {channels == 1 ? 32803 : 34892})
      .text(271, "Imago")
      .text(272, "Test")
      .shorts(274, {1})
      .shorts(277, {channels})
      .longs(278, {static_cast<std::uint32_t>(height)})
      .shorts(284, {1})
      .byte_values(50706, {1, 7, 0, 0})
      .byte_values(50707, {1, 4, 0, 0})
      .text(50708, "Imago Test")
      .rationals(50721, {0.7374, -0.2389, -0.0551, -0.5435, 1.3162, 0.2519, -0.1006, 0.1795, 0.6552})
      .rationals(50728, {0.48, 1, 0.64}, false)
      .shorts(50778, {21});
  if (channels == 1) tiff.shorts(33421, {2, 2}).byte_values(33422, {0, 1, 1, 2});
  std::vector<std::uint8_t> strip;
  for (const std::uint16_t v : samples) {
    strip.push_back(static_cast<std::uint8_t>(v));
    strip.push_back(static_cast<std::uint8_t>(v >> 8));
  }
  return tiff.pieces({strip}, false);
}

}  // namespace imago::io
