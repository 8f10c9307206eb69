// math.wgsl, transfer.wgsl and oklab.wgsl on the GPU against their C++ twins, over all kinds of floats. Prints the
// worst difference of each function.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/math.h"
#include "base/math.wgsl.h"
#include "color/oklab.h"
#include "color/oklab.wgsl.h"
#include "color/transfer.h"
#include "color/transfer.wgsl.h"
#include "gpu/gpu.h"

namespace imago {
namespace {

// out = three words a pixel: `call` of the three words of a pixel, as floats x, y, z.
std::vector<std::uint32_t> run_on_gpu(const std::string& call, std::vector<std::uint32_t> words, int width) {
  const std::string main = R"(
@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let first = input0_index(at.x, at.y) * 3u;
  let x = bitcast<f32>(words[first]);
  let y = bitcast<f32>(words[first + 1u]);
  let z = bitcast<f32>(words[first + 2u]);
  let place = output_index(at.x, at.y) * 3u;
  let v = )" + call + R"(;
  results[place] = bitcast<u32>(v.x);
  results[place + 1u] = bitcast<u32>(v.y);
  results[place + 2u] = bitcast<u32>(v.z);
}
)";
  const Kernel kernel{.name = "math_test",
                      .sources = {wgsl::math, wgsl::transfer, wgsl::oklab, main},
                      .inputs = {"words"},
                      .tables = {},
                      .output = "results",
                      .params_wgsl = "unused: u32,"};
  const int height = static_cast<int>(words.size()) / 3 / width;
  PassList list;
  const PassBuffer buffer{.width = width, .height = height, .channels = 3, .element = Element::u32};
  const int input = list.add_buffer(buffer);
  const int output = list.add_buffer(buffer);
  list.uploads.push_back({.buffer = input, .bytes = std::as_bytes(std::span(words))});
  list.passes.push_back(
      {.kernel = &kernel, .inputs = {{.buffer = input, .reach = {}}}, .tables = {}, .params = {0}, .output = output});
  std::vector<std::uint32_t> results(words.size());
  const gpu::Readback wanted{.buffer = output, .destination = std::as_writable_bytes(std::span(results))};
  const gpu::RunResult run = gpu::run(list, {&wanted, 1}, {.use_cache = false});
  EXPECT_TRUE(run.ok()) << (run.fallback ? run.fallback->reason : "");
  EXPECT_EQ(run.dispatches, 1);
  return results;
}

class MathOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (gpu::available()) return;
    const char* required = std::getenv("GPU_REQUIRED");
    if (required != nullptr && std::string(required) == "1") FAIL() << gpu::unavailable_reason();
    GTEST_SKIP() << "SKIPPED: " << gpu::unavailable_reason();
  }
};

constexpr int row = 256;

// Every kind of bit pattern, then values that pictures have.
std::vector<std::uint32_t> all_floats() {
  std::vector<std::uint32_t> words;
  for (const float x : {0.0f, -0.0f, 1.0f, -1.0f, 1e-40f, -1e-40f, std::bit_cast<float>(0x00800000u), HUGE_VALF,
                        -HUGE_VALF, std::nanf(""), -std::nanf(""), -126.0f, 128.0f, 127.99999f, 0.0031308f, 0.04045f}) {
    words.push_back(std::bit_cast<std::uint32_t>(x));
  }
  for (std::uint32_t i = 0; words.size() < 3 * row * 100; ++i) words.push_back(i * 111853u);
  for (std::uint64_t i = 0; words.size() < 3 * row * 200; ++i) {
    words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(mix64(i) >> 40) * 0x1p-23f - 0.25f));
  }
  return words;
}

// Inputs that a GPU may flush to zero before the function sees them give the result of zero instead.
bool is_denormal(std::uint32_t word) { return (word & 0x7f800000u) == 0 && (word & 0x007fffffu) != 0; }

struct Worst {
  double difference = 0;
  float at = 0;
  std::size_t unequal = 0;
};

void report(const std::string& name, const Worst& worst, std::size_t count) {
  std::printf("%-22s worst %.3g at %.9g, %zu of %zu not bit-equal\n", name.c_str(), worst.difference,
              static_cast<double>(worst.at), worst.unequal, count);
}

// Relative above one, absolute below (`floor`): fused multiply-adds are allowed on real drivers.
double difference(float a, float b, double floor) {
  if (!std::isfinite(a) || !std::isfinite(b))
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ? 0 : 1e9;
  const double x = static_cast<double>(a);
  const double y = static_cast<double>(b);
  return std::abs(x - y) / std::max(std::abs(y), floor);
}

struct Case {
  std::string call;  // WGSL of x
  std::function<float(float)> twin;
  double tolerance;
  double floor;
};

TEST_F(MathOnGpu, FunctionsOfOneNumberAgreeForAllKindsOfFloats) {
  using namespace color;
  const std::vector<std::uint32_t> words = all_floats();
  const std::vector<Case> cases = {
      {"poly_exp2", poly_exp2, 3e-7, 1e-37},           {"poly_log2", poly_log2, 3e-7, 1e-6},
      {"poly_cbrt", poly_cbrt, 3e-7, 1e-20},           {"encode_srgb", encode_srgb, 1e-6, 1},
      {"decode_srgb", decode_srgb, 2e-6, 1},           {"encode_rec709", encode_rec709, 1e-6, 1},
      {"decode_rec709", decode_rec709, 2e-6, 1},       {"encode_prophoto", encode_prophoto, 1e-6, 1},
      {"decode_prophoto", decode_prophoto, 2e-6, 1},   {"encode_adobe_rgb", encode_adobe_rgb, 1e-6, 1},
      {"decode_adobe_rgb", decode_adobe_rgb, 2e-6, 1},
  };
  for (const Case& test : cases) {
    const std::string& f = test.call;
    const std::vector<std::uint32_t> results =
        run_on_gpu("vec3<f32>(" + f + "(x), " + f + "(y), " + f + "(z))", words, row);
    Worst worst;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const float x = std::bit_cast<float>(words[i]);
      // The stated error of poly_pow grows with y * log2(x); pictures end before 16.
      const bool picture_function = f.starts_with("encode") || f.starts_with("decode");
      if (picture_function && std::abs(x) > 16.0f) continue;
      const float cpu = test.twin(x);
      const float gpu = std::bit_cast<float>(results[i]);
      if (is_denormal(std::bit_cast<std::uint32_t>(cpu)) || is_denormal(words[i])) continue;
      if (std::isnan(x) && picture_function) {
        EXPECT_TRUE(std::isfinite(gpu)) << f;
        continue;
      }
      if (results[i] != std::bit_cast<std::uint32_t>(cpu)) ++worst.unequal;
      const double d = difference(gpu, cpu, test.floor);
      if (d > worst.difference) worst.difference = d, worst.at = x;
    }
    report(f, worst, words.size());
    EXPECT_LE(worst.difference, test.tolerance) << f << " at " << worst.at;
  }
}

TEST_F(MathOnGpu, PowAgrees) {
  std::vector<std::uint32_t> words = all_floats();
  const float exponents[] = {0.41666666f, 2.4f, 0.5555556f, 1.8f, 0.0f, -1.0f, 5.0f};
  for (std::size_t i = 1; i < words.size(); i += 3) words[i] = std::bit_cast<std::uint32_t>(exponents[i % 7]);
  const std::vector<std::uint32_t> results = run_on_gpu("vec3<f32>(poly_pow(x, y), 0.0, 0.0)", words, row);
  Worst worst;
  for (std::size_t i = 0; i < words.size(); i += 3) {
    const float x = std::bit_cast<float>(words[i]);
    const float y = std::bit_cast<float>(words[i + 1]);
    const float cpu = poly_pow(x, y);
    if (is_denormal(words[i])) continue;
    if (results[i] != std::bit_cast<std::uint32_t>(cpu)) ++worst.unequal;
    const double exponent = std::abs(static_cast<double>(y * poly_log2(x)));
    // The stated error of poly_pow, on both sides.
    const double d = difference(std::bit_cast<float>(results[i]), cpu, 1e-37) / (2 + exponent);
    if (exponent < 126 && d > worst.difference) worst.difference = d, worst.at = x;
  }
  report("poly_pow", worst, words.size() / 3);
  EXPECT_LE(worst.difference, 1.5e-7) << worst.at;
}

TEST_F(MathOnGpu, OklabAgreesBothWays) {
  const auto compare = [](const std::string& name, auto twin) {
    std::vector<std::uint32_t> words;
    for (std::uint64_t i = 0; words.size() < 3 * row * 300; ++i) {
      words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(mix64(i) >> 40) * 0x1p-23f - 0.5f));
    }
    const std::vector<std::uint32_t> results = run_on_gpu(name + "(vec3<f32>(x, y, z))", words, row);
    Worst worst;
    for (std::size_t i = 0; i < words.size(); i += 3) {
      const std::array<float, 3> cpu =
          twin(std::bit_cast<float>(words[i]), std::bit_cast<float>(words[i + 1]), std::bit_cast<float>(words[i + 2]));
      for (std::size_t c = 0; c < 3; ++c) {
        if (results[i + c] != std::bit_cast<std::uint32_t>(cpu[c])) ++worst.unequal;
        const double d = difference(std::bit_cast<float>(results[i + c]), cpu[c], 1);
        if (d > worst.difference) worst.difference = d, worst.at = std::bit_cast<float>(words[i + c]);
      }
    }
    report(name, worst, words.size());
    return worst.difference;
  };
  // Near zero a cone response cancels, and its cube root magnifies: cbrt(6e-8) = 0.004. The round trip is not hurt.
  EXPECT_LE(compare("oklab_from_working",
                    [](float r, float g, float b) {
                      const color::Oklab lab = color::oklab_from_working({r, g, b});
                      return std::array{lab.lightness, lab.a, lab.b};
                    }),
            1e-2);
  EXPECT_LE(compare("working_from_oklab",
                    [](float lightness, float a, float b) {
                      const color::Rgb rgb = color::working_from_oklab({lightness, a, b});
                      return std::array{rgb.r, rgb.g, rgb.b};
                    }),
            5e-6);
}

}  // namespace
}  // namespace imago
