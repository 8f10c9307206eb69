// Opcode lists for tests, as bytes (big-endian).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace imago::io {

class TestOpcodes {
 public:
  TestOpcodes& begin(std::uint32_t id, bool optional = false) {
    opcodes_.push_back({id, optional, {}});
    return *this;
  }
  TestOpcodes& u32(std::initializer_list<std::uint32_t> values) {
    for (const std::uint32_t v : values) put(opcodes_.back().parameters, v, 4);
    return *this;
  }
  TestOpcodes& u16(std::initializer_list<std::uint32_t> values) {
    for (const std::uint32_t v : values) put(opcodes_.back().parameters, v, 2);
    return *this;
  }
  TestOpcodes& f64(std::initializer_list<double> values) {
    for (const double v : values) put(opcodes_.back().parameters, std::bit_cast<std::uint64_t>(v), 8);
    return *this;
  }
  TestOpcodes& f32(std::initializer_list<float> values) {
    for (const float v : values) put(opcodes_.back().parameters, std::bit_cast<std::uint32_t>(v), 4);
    return *this;
  }
  // top, left, bottom, right; the first plane and how many; pitches
  TestOpcodes& area(std::uint32_t top, std::uint32_t left, std::uint32_t bottom, std::uint32_t right,
                    std::uint32_t plane = 0, std::uint32_t planes = 1, std::uint32_t row_pitch = 1,
                    std::uint32_t column_pitch = 1) {
    return u32({top, left, bottom, right, plane, planes, row_pitch, column_pitch});
  }
  std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> out;
    put(out, opcodes_.size(), 4);
    for (const One& one : opcodes_) {
      put(out, one.id, 4);
      put(out, 0x01030000, 4);
      put(out, one.optional ? 1 : 0, 4);
      put(out, one.parameters.size(), 4);
      out.insert(out.end(), one.parameters.begin(), one.parameters.end());
    }
    return out;
  }

 private:
  struct One {
    std::uint32_t id;
    bool optional;
    std::vector<std::uint8_t> parameters;
  };
  static void put(std::vector<std::uint8_t>& to, std::uint64_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) to.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  std::vector<One> opcodes_;
};

}  // namespace imago::io
