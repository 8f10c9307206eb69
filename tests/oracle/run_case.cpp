#include "oracle/run_case.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "develop/stages/finish/finish.h"
#include "gpu/bands.h"

namespace imago::oracle {
namespace {

// As many invocations as one submission takes on the device; stated here so that dispatches can be counted beforehand.
constexpr std::uint64_t submission_invocations = 16'000'000;

struct Rendered {
  std::vector<float> samples;
  gpu::RunResult run;
  std::string problem;
};

void append_samples(std::span<const std::uint32_t> words, Form form, Rendered& out) {
  std::vector<float>& samples = out.samples;
  const auto byte_of = [](std::uint32_t word, unsigned i) { return static_cast<float>((word >> (8 * i)) & 255u); };
  switch (form) {
    case Form::f32:
      for (const std::uint32_t word : words) samples.push_back(std::bit_cast<float>(word));
      return;
    case Form::bytes:
      for (const std::uint32_t word : words) {
        for (unsigned i = 0; i < 4; ++i) samples.push_back(byte_of(word, i));
      }
      return;
    case Form::rgba8:
      for (const std::uint32_t word : words) {
        for (unsigned i = 0; i < 3; ++i) samples.push_back(byte_of(word, i));
        if (word >> 24 != 255) out.problem = "a pixel's alpha is not 255: it was not written";
      }
      return;
    case Form::f32x4:
    case Form::u16:
      for (std::size_t i = 0; i < words.size(); ++i) {
        const float value = std::bit_cast<float>(words[i]);
        if (i % 4 == 3) {
          if (value != 1.0f) out.problem = "a pixel's alpha is not 1: it was not written";
        } else {
          samples.push_back(form == Form::u16 ? static_cast<float>(develop::u16_from_encoded(value)) : value);
        }
      }
      return;
  }
}

gpu::Written written_as(Form form) {
  switch (form) {
    case Form::rgba8: return gpu::Written::alpha_255;
    case Form::f32x4:
    case Form::u16: return gpu::Written::alpha_one;
    case Form::f32:
    case Form::bytes: return gpu::Written::unchecked;
  }
  return gpu::Written::unchecked;
}

// Dispatches that the passes need within these limits; every pass of a case's list is wanted.
std::size_t expected_dispatches(const PassList& list, std::uint64_t binding_bytes, std::uint64_t buffer_bytes) {
  const gpu::DeviceLimits limits = gpu::limits();
  gpu::BandLimits band{limits.storage_binding_bytes, limits.storage_offset_alignment, submission_invocations};
  if (binding_bytes != 0) band.binding_bytes = std::min(band.binding_bytes, binding_bytes);
  std::size_t count = 0;
  const std::uint64_t largest = buffer_bytes != 0 ? buffer_bytes : limits.buffer_bytes;
  const std::vector<gpu::Slices> slices = gpu::plan_slices(list, largest).of_buffer;
  for (const Pass& pass : list.passes) count += gpu::plan_bands(pass, list.buffers, band, slices).bands.size();
  return count;
}

Rendered render(const Work& work, std::uint64_t binding_bytes, std::uint64_t buffer_bytes) {
  std::vector<std::vector<std::uint32_t>> words;
  std::vector<gpu::Readback> wanted;
  for (const int output : work.outputs) {
    const std::uint64_t bytes = gpu::buffer_bytes(work.list.buffers[static_cast<std::size_t>(output)]);
    words.emplace_back(bytes / 4, 0x7f7f7f7fu);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    wanted.push_back({work.outputs[i], std::as_writable_bytes(std::span(words[i])), written_as(work.form)});
  }
  gpu::RunOptions options;
  options.use_cache = false;
  options.binding_bytes_limit = binding_bytes;
  options.buffer_bytes_limit = buffer_bytes;
  options.submission_invocations = submission_invocations;
  options.guard_words = true;
  Rendered out;
  out.run = gpu::run(work.list, wanted, options);
  if (out.run.fallback) {
    out.problem = out.run.fallback->reason;
    return out;
  }
  const std::size_t expected = expected_dispatches(work.list, binding_bytes, buffer_bytes);
  if (static_cast<std::size_t>(out.run.dispatches) != expected) {
    out.problem = fmt::format("{} dispatches ran where {} were expected", out.run.dispatches, expected);
  }
  for (const auto& output : words) append_samples(output, work.form, out);
  return out;
}

bool equal_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

std::string check_variants(const Work& work, const Rendered& whole) {
  if (work.binding_bytes != 0) {
    const Rendered banded = render(work, work.binding_bytes, 0);
    if (!banded.problem.empty()) return "banded: " + banded.problem;
    if (banded.run.dispatches <= whole.run.dispatches) return "banded: the limit cut nothing";
    if (!equal_bits(banded.samples, whole.samples)) return "banded: differs from the whole";
    const Rendered sliced = render(work, work.binding_bytes, work.binding_bytes);
    if (!sliced.problem.empty()) return "sliced: " + sliced.problem;
    if (!equal_bits(sliced.samples, whole.samples)) return "sliced: differs from the whole";
  }
  if (work.product) {
    gpu::RunResult run;
    const std::vector<float> samples = work.product(run);
    if (run.fallback) return "product: " + run.fallback->reason;
    if (run.dispatches == 0) return "product: nothing was dispatched";
    if (!equal_bits(samples, whole.samples)) return "product: differs from its passes";
  }
  return "";
}

}  // namespace

Outcome run_case(const Case& test) {
  const Work work = test.make();
  const std::vector<float> cpu = work.cpu();
  const Rendered whole = render(work, 0, 0);
  Outcome out;
  out.dispatches = whole.run.dispatches;
  out.problem = whole.problem;
  if (whole.run.fallback) return out;
  out.difference = measure(whole.samples, cpu, test.tolerance);
  if (out.problem.empty()) out.problem = verdict(out.difference, test.tolerance);
  const std::size_t worst = out.difference.worst;
  if (!out.problem.empty() && worst < cpu.size() && worst < whole.samples.size()) {
    out.problem += fmt::format(" (worst: {:.9g} on the GPU, {:.9g} on the CPU)", whole.samples[worst], cpu[worst]);
  }
  if (out.problem.empty()) out.problem = check_variants(work, whole);
  return out;
}

}  // namespace imago::oracle
