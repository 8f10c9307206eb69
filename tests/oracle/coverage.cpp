#include "oracle/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "develop/settings/settings.h"
#include "develop/stages/finish/finish_tools.h"
#include "pano/face_plan.h"

namespace imago::oracle {
namespace {

// Parts without kernels, each with its reason.
struct Exemption {
  std::string_view name;
  std::string_view reason;
};
constexpr Exemption cpu_only[] = {
    {"source", "runs on the CPU only; the GPU starts from its output"},
    {"spots", "runs on the CPU only so far; a render that asks for it is the CPU's"},
    {"dehaze", "runs on the CPU only so far; a render that asks for it is the CPU's"},
    {"detail", "runs on the CPU only so far; a render that asks for it is the CPU's"},
    {"sharpen", "the same"},
    {"presence", "the same"},
    {"output_sharpen", "runs on the CPU, after either side; small beside the encoder that it feeds"},
    {"noise", "runs on the CPU only so far; a render that asks for it is the CPU's"},
};

std::string_view reason_of(std::string_view name) {
  for (const Exemption& exemption : cpu_only) {
    if (exemption.name == name) return exemption.reason;
  }
  return "";
}

std::vector<std::string> words_of(const char* text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

struct Part {
  std::string kind;
  std::string name;
};

// The registries, and the folders and kernel files that CMake found.
std::vector<Part> registered_parts() {
  std::vector<Part> parts;
  for (const std::string& stage : words_of(IMAGO_STAGE_FOLDERS)) parts.push_back({"stage", stage});
  for (const develop::Tool& tool : develop::tools) parts.push_back({"settings", std::string(tool.name)});
  std::apply(
      [&](const auto&... tool) {
        (parts.push_back({"finish tool", std::string(tool.name)}), ...);
      },
      develop::finish_tools);
  parts.push_back({"finish tool", "dither"});
  for (const std::string_view filter : pano::filter_names) parts.push_back({"pano filter", std::string(filter)});
  for (const std::string& kernel : words_of(IMAGO_KERNEL_FILES)) parts.push_back({"kernel", "kernel " + kernel});
  return parts;
}

}  // namespace

std::vector<std::string> uncovered(const std::vector<Case>& cases) {
  std::map<std::string, int> count;
  for (const Case& test : cases) {
    std::set<std::string> names(test.covers.begin(), test.covers.end());
    const Work work = test.make();
    for (const Pass& pass : work.list.passes) names.insert("kernel " + std::string(pass.kernel->name));
    for (const std::string& name : names) ++count[name];
  }
  std::vector<std::string> missing;
  for (const Part& part : registered_parts()) {
    const std::string_view reason = reason_of(part.name);
    // Random settings vary every tool: they do not make an exempt one covered.
    const int cases_of = reason.empty() ? count[part.name] : 0;
    fmt::print("  {:12} {:28} {}\n", part.kind, part.name,
               reason.empty() ? fmt::format("{} cases", cases_of) : std::string(reason));
    if (cases_of == 0 && reason.empty()) missing.push_back(part.kind + " " + part.name + " has no case");
  }
  return missing;
}

}  // namespace imago::oracle
