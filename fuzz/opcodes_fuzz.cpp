// Bytes as an opcode list of a DNG, and what it asks for on a small picture.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "develop/stages/source/opcodes.h"
#include "io/raw/bad_pixels.h"

using namespace imago;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> warnings;
  const std::vector<io::DngOpcode> opcodes = io::parse_opcodes({data, size}, 2, warnings);

  develop::SourcePlan plan;
  plan.active = {1, 2, 40, 30};
  plan.window = plan.crop = {3, 4, 33, 21};
  plan.cfa = {2, 2, {0, 1, 3, 2}};
  plan.gains = plan.clip = {2, 1, 1.5f};
  Plane mosaic(33, 21);
  Rgb32f picture(33, 21);
  for (std::size_t i = 0; i < mosaic.pixels.size(); ++i) mosaic.pixels[i] = static_cast<float>(i % 97) / 48 - 0.1f;
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) picture.pixels[i] = static_cast<float>(i % 89) / 44 - 0.1f;
  develop::apply_mosaic_opcodes(opcodes, plan, mosaic);
  develop::apply_picture_opcodes(opcodes, plan, plan.crop, picture);
  for (const float v : mosaic.pixels) {
    if (!std::isfinite(v)) std::abort();
  }
  for (const float v : picture.pixels) {
    if (!std::isfinite(v)) std::abort();
  }

  io::RawImage raw;
  raw.width = 42;
  raw.height = 34;
  raw.active_area = plan.active;
  raw.cfa = plan.cfa;
  raw.samples = PixelBuffer<std::uint16_t>(42 * 34);
  for (std::size_t i = 0; i < raw.samples.size(); ++i) raw.samples[i] = static_cast<std::uint16_t>(i * 31);
  io::fix_bad_pixels(opcodes, 1, 2, raw);
  return 0;
}
