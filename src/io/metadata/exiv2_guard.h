// Exiv2 without its surprises: silent, its XMP toolkit initialised once and locked, its exceptions turned into Error.
// Private to src/io.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include <exiv2/exiv2.hpp>

#include "base/error.h"

namespace imago::io {

inline constexpr char imago_namespace[] = "urn:imago:settings:1.0/";

// Once per process, before any other call of Exiv2; cheap afterwards.
void prepare_exiv2();

// Held while Exiv2 reads or writes XMP: its toolkit has state of its own that its own lock does not cover (encoding on
// four threads fails now and then without it). Recursive; prepares Exiv2.
std::unique_lock<std::recursive_mutex> exclusive_xmp();

// Its buffers changed their face in version 0.28.
inline std::vector<std::byte> bytes_of(const Exiv2::DataBuf& buffer) {
#if EXIV2_TEST_VERSION(0, 28, 0)
  const auto* first = reinterpret_cast<const std::byte*>(buffer.c_data());
  return {first, first + buffer.size()};
#else
  const auto* first = reinterpret_cast<const std::byte*>(buffer.pData_);
  return {first, first + buffer.size_};
#endif
}

// Runs `call` under that lock; an exception of Exiv2 or of the standard library becomes Error{input} "NAME: WHAT:
// reason".
template <typename Call>
auto with_exiv2(const std::string& name, const char* what, const Call& call) {
  const auto lock = exclusive_xmp();
  try {
    return call();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    std::string reason = error.what();
    for (char& c : reason) c = c == '\n' ? ' ' : c;
    throw Error(ErrorKind::input, name + ": " + what + ": " + reason);
  }
}

}  // namespace imago::io
