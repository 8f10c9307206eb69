// Bytes as a raw file: our own stream and tag reader, and LibRaw behind them.
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "io/raw/read_raw.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const bool allow_damaged : {false, true}) {
    try {
      imago::io::read_raw(std::as_bytes(std::span(data, size)), "fuzz", {.allow_damaged = allow_damaged});
    } catch (const imago::Error&) {
    }
  }
  return 0;
}
