// The WGSL that goes before a kernel's own text (image/pass.h documents it), and the words of its uniforms.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/bands.h"
#include "image/pass.h"

namespace imago::gpu {

// What of a pass, besides its kernel, the text depends on.
struct PassShape {
  std::vector<Element> inputs;
  std::vector<Element> tables;
  Element output = Element::f32;
};

PassShape shape_of(const Pass& pass, const std::vector<PassBuffer>& buffers);
std::string compose_wgsl(const Kernel& kernel, const PassShape& shape);

// The words of `band` for one dispatch.
std::vector<std::uint32_t> band_words(const DispatchBand& band, const Pass& pass,
                                      const std::vector<PassBuffer>& buffers, std::uint32_t invocation_row);

}  // namespace imago::gpu
