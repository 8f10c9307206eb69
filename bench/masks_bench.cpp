// The network alone, without pictures: what pipeline_360 masks is compared with.
//   masks_bench MODEL.onnx SIZE RUNS THREADS DEVICE   prints the shortest and the mean run in milliseconds
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "nn/runtime.h"

namespace {

using namespace imago;

int run(char** arguments) {
  nn::SessionOptions options;
  const auto device = nn::device_from_name(arguments[5]);
  if (!device) throw Error(ErrorKind::usage, "unknown device");
  options.device = *device;
  options.strict = true;
  options.threads = std::atoi(arguments[4]);
  nn::Session session(arguments[1], options);
  const std::int64_t size = std::atoi(arguments[2]);
  std::vector<float> values(static_cast<std::size_t>(3 * size * size));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 251) / 251.0F;
  const nn::Tensor input = nn::tensor_of({1, 3, size, size}, values);
  std::vector<double> times;
  for (int i = 0; i <= std::atoi(arguments[3]); ++i) {
    const auto start = std::chrono::steady_clock::now();
    session.run(std::span(&input, 1));
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (i > 0) times.push_back(ms);  // the first one warms up
  }
  if (times.empty()) throw Error(ErrorKind::usage, "no runs");
  fmt::print("{:.1f} {:.1f}\n", *std::min_element(times.begin(), times.end()),
             std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fputs("masks_bench MODEL.onnx SIZE RUNS THREADS DEVICE\n", stderr);
    return 2;
  }
  try {
    return run(argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "masks_bench: %s\n", error.what());
    return 1;
  }
}
