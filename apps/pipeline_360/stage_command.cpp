#include "stage_command.h"

#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/log.h"
#include "base/memory.h"
#include "base/path_text.h"

namespace imago {
namespace {

using nlohmann::json;
using pano::StageEvent;

constexpr double mebibyte = 1024.0 * 1024.0;

std::string time_left(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

json event_json(const StageEvent& event) {
  json line = {{"stage", event.stage}, {"total", event.total}, {"pending", event.pending}};
  switch (event.kind) {
    case StageEvent::Kind::start: line["event"] = "start"; break;
    case StageEvent::Kind::item: line["event"] = "item"; break;
    case StageEvent::Kind::end: line["event"] = "end"; break;
  }
  if (event.kind == StageEvent::Kind::start) return line;
  line["done"] = event.done;
  line["failed"] = event.failed;
  if (event.kind == StageEvent::Kind::end) {
    line["removed"] = event.removed;
    line["peakMemoryMb"] = static_cast<double>(memory::peak_bytes()) / mebibyte;
    return line;
  }
  line["item"] = event.item;
  line["perSecond"] = event.per_second;
  line["secondsLeft"] = event.seconds_left;
  if (event.result == nullptr) {
    line["error"] = event.error;
    return line;
  }
  if (event.result->details.is_object()) line.update(event.result->details);
  if (!event.result->timing_ms.empty()) line["ms"] = event.result->timing_ms;
  for (const auto& output : event.result->outputs) line["outputs"].push_back(utf8(output));
  return line;
}

class Printer {
 public:
  void print(const StageEvent& event) {
    switch (event.kind) {
      case StageEvent::Kind::start: start(event); break;
      case StageEvent::Kind::item: item(event); break;
      case StageEvent::Kind::end: end(event); break;
    }
  }

 private:
  static void start(const StageEvent& event) {
    if (event.pending < event.total) {
      log_info("[{}] {} of {} are there already", event.stage, event.total - event.pending, event.total);
    }
  }

  void item(const StageEvent& event) {
    if (event.result == nullptr) {
      std::cerr << "error: " << event.error << '\n';
      return;
    }
    if (event.result->details.contains("gpuFallback")) {
      log_warn("{}: redone on the CPU: {}", event.item, event.result->details["gpuFallback"].get<std::string>());
    }
    std::string times;
    for (const auto& [what, ms] : event.result->timing_ms) times += fmt::format(", {} {:.0f} ms", what, ms);
    log_debug("[{}] {}{}", event.stage, event.item, times);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::seconds(1) && event.done < event.pending) return;
    last_ = now;
    log_info("[{}] {} of {}, {:.2f}/s, {} left", event.stage, event.done, event.pending, event.per_second,
             time_left(event.seconds_left));
  }

  static void end(const StageEvent& event) {
    log_info("[{}] {} done, {} failed, {} were there, {} removed; at most {:.0f} MiB of memory", event.stage,
             event.done - event.failed, event.failed, event.total - event.pending, event.removed,
             static_cast<double>(memory::peak_bytes()) / mebibyte);
  }

  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

namespace {

std::filesystem::path chosen(const std::string& named, const std::string& project, const char* in_project,
                             const char* flag) {
  if (!named.empty()) return path_from_utf8(named);
  if (!project.empty()) return path_from_utf8(project) / in_project;
  throw Error(ErrorKind::usage, fmt::format("give --project DIR, or {} DIR", flag));
}

}  // namespace

std::filesystem::path StageFolders::input(const char* in_project) const {
  return chosen(input_dir, project, in_project, "--input-dir");
}

std::filesystem::path StageFolders::output(const char* in_project) const {
  return chosen(output_dir, project, in_project, "--output-dir");
}

void add_project_options(CLI::App& app, StageFolders& folders, const std::string& input_help,
                         const std::string& output_help) {
  app.add_option("--project", folders.project, "Folder that holds 01_frames, 02_equirect, 03_cubemap, …")
      ->option_text("DIR");
  app.add_option("--input-dir", folders.input_dir, input_help)->option_text("DIR");
  app.add_option("--output-dir", folders.output_dir, output_help)->option_text("DIR");
}

pano::Rerun RerunOptions::rerun() const {
  return force ? pano::Rerun::force : update ? pano::Rerun::update : pano::Rerun::resume;
}

pano::Shard RerunOptions::parsed_shard() const { return shard.empty() ? pano::Shard{} : pano::shard_from_text(shard); }

void add_rerun_options(CLI::App& app, RerunOptions& options) {
  app.add_flag("--force", options.force, "Make everything anew; without it, what is there and unchanged is kept");
  app.add_flag("--update", options.update, "Make anew what was made with other options, not only what is missing");
  app.add_option("--shard", options.shard, "Do part I of N of the frames, so that N machines share the work")
      ->option_text("I/N");
}

void print_json(const json& line) {
  std::cout << line.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
}

pano::StageListener stage_printer(bool as_json) {
  if (as_json) return [](const StageEvent& event) { print_json(event_json(event)); };
  return [printer = std::make_shared<Printer>()](const StageEvent& event) { printer->print(event); };
}

int stage_exit_code(const pano::StageSummary& summary) {
  if (summary.failed == 0) return cli::exit_ok;
  return summary.failed == summary.total ? cli::exit_code_of(summary.last_failure) : cli::exit_some_failed;
}

}  // namespace imago
