#include "gpu/gpu.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

namespace imago::gpu {
namespace {

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (available()) return;
    const char* required = std::getenv("GPU_REQUIRED");
    if (required != nullptr && std::string(required) == "1") FAIL() << unavailable_reason();
    GTEST_SKIP() << "SKIPPED: " << unavailable_reason();
  }
};

const Kernel& coordinates_kernel() {
  static const Kernel kernel{.name = "coordinates",
                             .sources = {R"(
@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  result[output_index(at.x, at.y)] = params.gain * f32(at.x) + 1000.0 * f32(at.y) + params.offset;
}
)"},
                             .inputs = {},
                             .tables = {},
                             .output = "result",
                             .params_wgsl = "gain: f32, offset: f32,"};
  return kernel;
}

std::vector<std::uint32_t> words(std::initializer_list<float> values) {
  std::vector<std::uint32_t> out;
  for (const float value : values) {
    std::uint32_t word = 0;
    std::memcpy(&word, &value, 4);
    out.push_back(word);
  }
  return out;
}

TEST_F(Gpu, WritesEveryPixelOfOddSizes) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 7}, {17, 13}, {300, 200}}) {
    PassList list;
    const int out = list.add_buffer({.width = width, .height = height, .name = "out"});
    list.passes.push_back({.kernel = &coordinates_kernel(), .params = words({2, 0.5F}), .output = out});
    std::vector<float> result(static_cast<std::size_t>(width * height), -1);
    const Readback wanted{.buffer = out, .destination = std::as_writable_bytes(std::span(result))};
    const RunResult run_result = run(list, {&wanted, 1});
    ASSERT_TRUE(run_result.ok()) << run_result.fallback->reason;
    EXPECT_EQ(run_result.dispatches, 1);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        ASSERT_EQ(result[static_cast<std::size_t>(y * width + x)],
                  2.0F * static_cast<float>(x) + 1000.0F * static_cast<float>(y) + 0.5F);
      }
    }
  }
}

}  // namespace
}  // namespace imago::gpu
