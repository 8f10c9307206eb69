// A 64-bit hash whose value is the same on every machine and in every release: stage keys, caches, seeds. Not for
// security. Eight bytes a step (about 4 GB/s).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace imago {

// Spreads every input bit over all output bits (the finaliser of SplitMix64, Steele et al. 2014). A bijection.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The bits of a float as keys see them: -0 is 0, every NaN is one NaN.
constexpr std::uint32_t canonical_bits(float value) {
  if (value == 0.0f) return 0;
  if (value != value) return 0x7fc00000u;
  return std::bit_cast<std::uint32_t>(value);
}

constexpr std::uint64_t canonical_bits(double value) {
  if (value == 0.0) return 0;
  if (value != value) return 0x7ff8000000000000u;
  return std::bit_cast<std::uint64_t>(value);
}

// Values are added in order; each counts with its own size, so ("ab", "c") and ("a", "bc") differ.
class Hash64 {
 public:
  constexpr Hash64& add(std::uint64_t word) {
    state_ = std::rotl(state_ ^ (word * 0x9e3779b97f4a7c15u), 29) * 0xbf58476d1ce4e5b9u + 0x94d049bb133111ebu;
    return *this;
  }
  constexpr Hash64& add(std::uint32_t word) { return add(static_cast<std::uint64_t>(word)); }
  constexpr Hash64& add(std::int32_t word) { return add(static_cast<std::uint64_t>(static_cast<std::int64_t>(word))); }
  constexpr Hash64& add(std::int64_t word) { return add(static_cast<std::uint64_t>(word)); }
  constexpr Hash64& add(bool value) { return add(static_cast<std::uint64_t>(value ? 1 : 0)); }
  constexpr Hash64& add(float value) { return add(static_cast<std::uint64_t>(canonical_bits(value))); }
  constexpr Hash64& add(double value) { return add(canonical_bits(value)); }
  constexpr Hash64& add(std::string_view text) { return add_bytes(text.data(), text.size()); }
  Hash64& add(const char* text) { return add(std::string_view(text)); }  // else a pointer would become a bool
  Hash64& add(std::span<const std::byte> bytes) { return add_bytes(bytes.data(), bytes.size()); }

  constexpr std::uint64_t value() const { return mix64(state_); }

 private:
  template <typename Byte>
  constexpr Hash64& add_bytes(const Byte* bytes, std::size_t count) {
    std::size_t at = 0;
    for (; at + 8 <= count; at += 8) add(word_at(bytes + at, 8));
    if (at < count) add(word_at(bytes + at, count - at));
    const std::uint64_t length = count;
    return add(length);
  }
  template <typename Byte>
  static constexpr std::uint64_t word_at(const Byte* bytes, std::size_t count) {
    std::uint64_t word = 0;  // little endian everywhere; compilers turn the full case into one load
    for (std::size_t i = 0; i < count; ++i) {
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    return word;
  }

  std::uint64_t state_ = 0x2545f4914f6cdd1du;
};

inline std::uint64_t hash_bytes(std::span<const std::byte> bytes) { return Hash64().add(bytes).value(); }

}  // namespace imago
