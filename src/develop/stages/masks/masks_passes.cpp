#include <bit>

#include "develop/stages/masks/masks.h"
#include "develop/stages/masks/masks.wgsl.h"

namespace imago::develop {
namespace {

const Kernel masks_kernel{.name = "masks",
                          .sources = {wgsl::masks},
                          .inputs = {},
                          .tables = {"masks"},
                          .output = "output",
                          .params_wgsl = "mask_count: u32,"};

}  // namespace

int add_masks(const MasksPlan& plan, PassList& list, StageKey key) {
  if (plan.masks.empty()) return -1;
  PassTable table{.words = {}, .element = Element::u32};
  for (const LinearMask& mask : plan.masks) {
    table.words.insert(table.words.end(),
                       {std::bit_cast<std::uint32_t>(mask.t_origin), std::bit_cast<std::uint32_t>(mask.t_from_x),
                        std::bit_cast<std::uint32_t>(mask.t_from_y), mask.invert});
  }
  const int output = list.add_buffer({.width = plan.width,
                                      .height = plan.height,
                                      .channels = plan.words_per_pixel(),
                                      .element = Element::u32,
                                      .key = key,
                                      .name = "masks"});
  list.passes.push_back({.kernel = &masks_kernel,
                         .inputs = {},
                         .tables = {std::move(table)},
                         .params = {static_cast<std::uint32_t>(plan.masks.size())},
                         .output = output});
  return output;
}

}  // namespace imago::develop
