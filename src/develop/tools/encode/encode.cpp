#include "develop/tools/encode/encode.h"

namespace imago::develop {

EncodeParams derive_encode(const Transfer& transfer) {
  return {.enabled = 1,
          .slope = transfer.slope,
          .threshold = transfer.threshold,
          .scale = transfer.scale,
          .exponent = transfer.exponent,
          .offset = transfer.offset};
}

}  // namespace imago::develop
