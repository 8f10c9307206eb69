// What the oracle judges: a case makes its plan and inputs, says how the CPU renders them, and gives the passes that
// the GPU runs. Everything else (running, comparing, counting dispatches, guard words) is the same for all cases.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/gpu.h"
#include "image/pass.h"

namespace imago::oracle {

// Differences are GPU - CPU. `share` of the samples may differ by more than `step`, at least one sample (small
// pictures), none by more than `largest`; sums of differences may always reach one step.
struct Tolerance {
  double largest = 0;
  double step = 0;
  double share = 0;
  double mean = 0;
  double signed_mean = 0;
  std::string_view reason;
};

// No tolerance at all: NaN with any payload counts as equal to NaN.
inline constexpr Tolerance same_bits{.reason = "integers and copies: every bit"};
// design.md 5.
inline constexpr Tolerance codes_8bit{3,     1,     1e-5,
                                      0.002, 0.001, "a value within rounding of a code's edge takes the other code"};

constexpr Tolerance within(double largest, double mean, std::string_view reason) {
  return {largest, largest, 0, mean, mean, reason};
}

// How the outputs' words become samples.
enum class Form : std::uint8_t {
  f32,    // as they are
  bytes,  // four samples a word
  rgba8,  // red, green, blue of a word; alpha must be 255
  f32x4,  // red, green, blue of four floats
  u16,    // the same, rounded to 16-bit codes
};

struct Work {
  PassList list;
  std::vector<int> outputs;
  Form form = Form::f32;
  std::function<std::vector<float>()> cpu;  // samples of all outputs, one after another
  // The product's own way to the same samples, which must have the bits of the passes' result. May be empty.
  std::function<std::vector<float>(gpu::RunResult&)> product;
  std::uint64_t binding_bytes = 0;                // not 0: run once more under this limit; the bits must not change
  std::vector<std::shared_ptr<const void>> keep;  // what uploads and functions point to
};

struct Case {
  std::string name;                 // [a-z0-9/=,._-], unique: goes back in as a filter
  std::vector<std::string> covers;  // stages, settings tools, finish tools, pano filters
  Tolerance tolerance;
  std::function<Work()> make;
};

std::vector<Case> geom_cases();
std::vector<Case> resize_cases();
std::vector<Case> planes_cases();
std::vector<Case> masks_cases();
std::vector<Case> finish_cases();
std::vector<Case> pano_cases();
std::vector<Case> develop_cases();
std::vector<Case> large_cases();  // 24 megapixels: for real devices
std::vector<Case> all_cases();    // all but the large ones

// Keeps `object` alive with the work and gives it back.
template <typename Object>
Object& keep(Work& work, Object object) {
  auto kept = std::make_shared<Object>(std::move(object));
  work.keep.push_back(kept);
  return *kept;
}

template <typename Samples>
int upload(PassList& list, int width, int height, int channels, Element element, const Samples& samples) {
  const int buffer =
      list.add_buffer({.width = width, .height = height, .channels = channels, .element = element, .name = "upload"});
  list.uploads.push_back({buffer, std::as_bytes(std::span(samples.data(), samples.size()))});
  return buffer;
}

}  // namespace imago::oracle
