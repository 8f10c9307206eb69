#pragma once

#include <optional>
#include <string>

namespace imago {

// The value of an environment variable; nothing when it is unset or empty.
std::optional<std::string> read_env(const char* name);

}  // namespace imago
