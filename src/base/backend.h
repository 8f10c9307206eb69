#pragma once

#include <cstdint>

namespace imago {

// Who renders. `automatic` means the GPU when there is one, else the CPU; `gpu` refuses to fall back.
enum class Backend : std::uint8_t { automatic, gpu, cpu };

}  // namespace imago
