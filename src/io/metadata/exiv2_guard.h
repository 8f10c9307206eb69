// Exiv2 without its surprises: silent, its XMP toolkit initialised once and locked, its exceptions turned into Error.
// Private to src/io.
#pragma once

#include <string>

#include <exiv2/exiv2.hpp>

#include "base/error.h"

namespace imago::io {

inline constexpr char imago_namespace[] = "urn:imago:settings:1.0/";

// Once per process, before any other call of Exiv2; cheap afterwards.
void prepare_exiv2();

// Runs `call`; an exception of Exiv2 or of the standard library becomes Error{input} "NAME: WHAT: reason".
template <typename Call>
auto with_exiv2(const std::string& name, const char* what, const Call& call) {
  prepare_exiv2();
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
