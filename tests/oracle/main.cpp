// oracle: the GPU judged against the CPU. See CONTRIBUTING.md, or `oracle --help`.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <regex>
#include <string>

#include "gpu/gpu.h"
#include "oracle/case.h"
#include "oracle/coverage.h"
#include "oracle/perf.h"
#include "oracle/run_case.h"

namespace imago::oracle {
namespace {

constexpr int skipped = 77;

struct Filter {
  std::string part;     // a stage, tool or filter; "" all
  std::string pattern;  // of the name
  bool large = false;   // 24 megapixels, too
};

std::vector<Case> chosen(const Filter& filter) {
  const std::regex pattern(filter.pattern);
  std::vector<Case> cases = all_cases();
  if (filter.large) {
    for (Case& test : large_cases()) cases.push_back(std::move(test));
  }
  std::erase_if(cases, [&](const Case& test) {
    const bool covers = filter.part.empty() || std::count(test.covers.begin(), test.covers.end(), filter.part) > 0;
    return !covers || !std::regex_search(test.name, pattern);
  });
  return cases;
}

// Says so and gives the exit status when there is no GPU to judge.
int without_device() {
  const char* required = std::getenv("GPU_REQUIRED");
  const bool fails = required != nullptr && std::string_view(required) == "1";
  fmt::print("{}: {}\n", fails ? "FAILED, a GPU is required" : "SKIPPED", gpu::unavailable_reason());
  return fails ? 1 : skipped;
}

void print_adapter() {
  const auto adapter = gpu::adapter();
  if (adapter) fmt::print("{} ({}) via {}, {}\n", adapter->name, adapter->type, adapter->backend, adapter->driver);
}

int test(const Filter& filter) {
  if (!gpu::available()) return without_device();
  print_adapter();
  const auto start = std::chrono::steady_clock::now();
  int failed = 0, total = 0, dispatches = 0;
  fmt::print("{:58} {:>8} {:>10} {:>10} {:>9} {:>9}\n", "case", "samples", "mean", "signed", "max", "over step");
  for (const Case& test : chosen(filter)) {
    const Outcome outcome = run_case(test);
    const Difference& d = outcome.difference;
    fmt::print("{:58} {:8} {:10.2e} {:+10.2e} {:9.3g} {:9.2e}\n", test.name, d.samples, d.mean(), d.signed_mean(),
               d.largest, d.share());
    ++total;
    dispatches += outcome.dispatches;
    if (outcome.problem.empty()) continue;
    ++failed;
    fmt::print("  FAILED: {}\n  tolerance: {}\n  again: oracle test -p '^{}$'\n", outcome.problem,
               test.tolerance.reason, test.name);
    if (!gpu::available()) {
      fmt::print("the GPU is lost: {}\n", gpu::unavailable_reason());
      return 1;
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{} of {} cases equal, {} dispatches, {:.1f} s\n", total - failed, total, dispatches, seconds);
  if (total == 0) fmt::print("no case matches\n");
  return failed == 0 && total > 0 ? 0 : 1;
}

int list(const Filter& filter) {
  for (const Case& test : chosen(filter)) {
    std::string covers;
    for (const std::string& part : test.covers) covers += " " + part;
    fmt::print("{:58}{}\n", test.name, covers);
  }
  return 0;
}

int coverage() {
  const std::vector<std::string> missing = uncovered(all_cases());
  for (const std::string& line : missing) fmt::print("FAILED: {}\n", line);
  fmt::print("{}\n", missing.empty() ? "everything registered has a case or a reason" : "coverage is incomplete");
  return missing.empty() ? 0 : 1;
}

int run(int argc, char** argv) {
  CLI::App app("Judges the GPU against the CPU, case by case.");
  app.require_subcommand(1);
  Filter filter;
  std::string size = "6000x4000";
  CLI::App* test_command = app.add_subcommand("test", "run the cases; exit 1 when one differs, 77 without a GPU");
  CLI::App* list_command = app.add_subcommand("list", "name the cases and what they cover");
  CLI::App* coverage_command = app.add_subcommand("coverage", "fail when a stage, tool, filter or kernel has no case");
  CLI::App* perf_command = app.add_subcommand("perf", "time every kernel against a copy");
  for (CLI::App* command : {test_command, list_command}) {
    command->add_option("-o,--of", filter.part, "only cases of this stage, tool or filter");
    command->add_option("-p,--pattern", filter.pattern, "only cases whose name matches this regular expression");
    command->add_flag("--large", filter.large, "with pictures of 24 megapixels, for real devices");
  }
  perf_command->add_option("--size", size, "WIDTHxHEIGHT of the picture")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (*test_command) return test(filter);
  if (*list_command) return list(filter);
  if (*coverage_command) return coverage();
  if (!gpu::available()) return without_device();
  print_adapter();
  return perf(size);
}

}  // namespace
}  // namespace imago::oracle

int main(int argc, char** argv) {
  try {
    return imago::oracle::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "oracle: {}\n", error.what());
    return 1;
  }
}
