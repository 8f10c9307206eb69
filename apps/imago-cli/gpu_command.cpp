#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "develop/selftest.h"
#include "gpu/gpu.h"

namespace imago {
namespace {

using nlohmann::json;

void print(const json& line) { std::cout << line.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl; }

json json_of(const gpu::AdapterInfo& adapter, const gpu::DeviceLimits& limits) {
  return {{"adapter",
           {{"name", adapter.name}, {"type", adapter.type}, {"backend", adapter.backend}, {"driver", adapter.driver}}},
          {"limits", {{"storageBindingBytes", limits.storage_binding_bytes}, {"bufferBytes", limits.buffer_bytes}}}};
}

void show_adapter(bool as_json) {
  const std::optional<gpu::AdapterInfo> adapter = gpu::adapter();
  const gpu::DeviceLimits limits = gpu::limits();
  if (as_json) {
    json line = adapter ? json_of(*adapter, limits) : json{{"reason", gpu::unavailable_reason()}};
    line["available"] = adapter.has_value();
    print(line);
  } else if (adapter) {
    std::cout << fmt::format("{} ({}) via {}, driver {}\nbindings up to {} MiB, buffers up to {} MiB\n", adapter->name,
                             adapter->type, adapter->backend, adapter->driver, limits.storage_binding_bytes >> 20,
                             limits.buffer_bytes >> 20);
  } else {
    std::cout << "no GPU: " << gpu::unavailable_reason() << "\nrendering on the CPU\n";
  }
}

json json_of(const develop::SelftestResult& result) {
  json line = {{"case", result.name},       {"gpuMs", result.gpu_ms}, {"cpuMs", result.cpu_ms},
               {"largest", result.largest}, {"mean", result.mean},    {"ok", result.problem.empty()}};
  if (!result.problem.empty()) line["problem"] = result.problem;
  return line;
}

}  // namespace

CLI::App* add_gpu_command(CLI::App& app, GpuCommand& command, cli::CommonOptions& common) {
  CLI::App* gpu = app.add_subcommand("gpu", "Show the GPU that renders, or why there is none");
  cli::add_common_options(*gpu, common);
  command.selftest = gpu->add_subcommand(
      "selftest", "Render small pictures on the GPU and the CPU and compare: a table to attach to reports");
  cli::add_common_options(*command.selftest, common);
  return gpu;
}

int run_gpu_command(const GpuCommand& command, const cli::CommonOptions& common) {
  show_adapter(common.json);
  if (!command.selftest->parsed()) return cli::exit_ok;
  if (!gpu::available()) return cli::exit_gpu;
  const std::vector<develop::SelftestResult> results = develop::selftest(cli::interruption());
  if (!common.json)
    std::cout << fmt::format("\n{:<32} {:>9} {:>9} {:>8} {:>9}\n", "480 x 320", "GPU ms", "CPU ms", "largest", "mean");
  for (const develop::SelftestResult& result : results) {
    if (common.json) {
      print(json_of(result));
    } else {
      std::cout << fmt::format("{:<32} {:>9.2f} {:>9.2f} {:>8.3f} {:>9.6f}  {}\n", result.name, result.gpu_ms,
                               result.cpu_ms, result.largest, result.mean,
                               result.problem.empty() ? "ok" : result.problem);
    }
  }
  const bool all_equal = std::all_of(results.begin(), results.end(),
                                     [](const develop::SelftestResult& result) { return result.problem.empty(); });
  if (!common.json)
    std::cout << fmt::format("differences in 8-bit steps; {}\n",
                             all_equal ? "all equal" : "NOT equal: use --backend cpu, and please report this table");
  return all_equal ? cli::exit_ok : cli::exit_some_failed;
}

}  // namespace imago
