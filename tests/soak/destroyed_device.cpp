// destroyed_device N: really destroys the device before the N-th submission of a run and looks whether the process and
// its reasons survive, at the run, after it and at exit. destroyed_device late: the same for a result that does not
// come in time. Exit codes: 0 all is well, 3 the run has fewer submissions, 1 something is wrong, 2 usage or no GPU.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "gpu/gpu.h"

namespace {

using namespace imago;

const Kernel& blur_down() {
  static const Kernel kernel{.name = "blur_down",
                             .sources = {R"(
@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let y = min(at.y + 1u, band.input0.height - 1u);
  result[output_index(at.x, at.y)] = 0.5 * (source[input0_index(at.x, at.y)] + source[input0_index(at.x, y)]);
}
)"},
                             .inputs = {"source"},
                             .tables = {},
                             .output = "result",
                             .params_wgsl = ""};
  return kernel;
}

constexpr int width = 256, height = 256;

gpu::RunResult run_blurs(const std::vector<float>& source, int blurs = 3,
                         const gpu::RunOptions& options = {.submission_invocations = 20'000}) {
  PassList list;
  for (int i = 0; i <= blurs; ++i) list.add_buffer({.width = width, .height = height, .name = "plane"});
  list.uploads.push_back({.buffer = 0, .bytes = std::as_bytes(std::span(source))});
  for (int i = 0; i < blurs; ++i) {
    list.passes.push_back({.kernel = &blur_down(), .inputs = {{.buffer = i, .reach = {.reach = 1}}}, .output = i + 1});
  }
  std::vector<float> out(source.size());
  const gpu::Readback wanted{.buffer = blurs, .destination = std::as_writable_bytes(std::span(out))};
  return gpu::run(list, {&wanted, 1}, options);
}

bool expect(bool held, const char* what) {
  if (!held) std::fprintf(stderr, "wrong: %s\n", what);
  return held;
}

bool survives(const std::vector<float>& source, const gpu::RunResult& lost) {
  const std::string stopped = "stopped after a GPU failure: ";
  bool good = expect(!lost.ok(), "a picture came from a destroyed device");
  good = good && expect(lost.fallback->kind == gpu::Fallback::Kind::failed, "the run says that it was not tried");
  good = good && expect(!lost.fallback->reason.empty(), "no reason");
  gpu::reset_failures();
  good = expect(!gpu::available(), "the GPU is still offered") && good;
  good = expect(gpu::unavailable_reason().starts_with(stopped), "the reason does not say stopped") && good;
  std::thread([&] {
    const gpu::RunResult next = run_blurs(source);
    good = expect(!next.ok() && next.fallback->kind == gpu::Fallback::Kind::not_tried, "another thread was let in") &&
           good;
  }).join();
  good = expect(gpu::wait_idle(std::chrono::seconds(1)), "work is left in flight") && good;
  std::printf("%s\n", gpu::unavailable_reason().c_str());
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  const int submission = std::atoi(what.c_str());
  if ((submission < 1 && what != "late") || !gpu::available()) {
    std::fprintf(stderr, "usage: destroyed_device N|late (with a GPU: %s)\n", gpu::unavailable_reason().c_str());
    return 2;
  }
  const std::vector<float> source(std::size_t{width} * height, 0.5F);
  if (!expect(run_blurs(source).ok(), "the run without a fault fails")) return 1;
  if (what == "late") {
    const gpu::RunResult late = run_blurs(source, 1000, {.readback_limit = std::chrono::milliseconds(0)});
    const bool told = late.fallback && late.fallback->reason == "no result within 0 s";
    return expect(told, "a late result is not told") && survives(source, late) ? 0 : 1;
  }
  gpu::inject_fault(gpu::Fault::destroyed, submission);
  const gpu::RunResult lost = run_blurs(source);
  if (gpu::fault_pending()) return 3;
  return survives(source, lost) ? 0 : 1;
}
