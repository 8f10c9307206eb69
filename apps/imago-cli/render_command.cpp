#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/log.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/path_text.h"
#include "commands.h"
#include "develop/edits.h"
#include "develop/presets.h"
#include "develop/settings/settings_json.h"
#include "render_jobs.h"

namespace imago {
namespace {

namespace fs = std::filesystem;

// What became of one file.
struct Outcome {
  std::string error;  // empty: written
  ErrorKind kind = ErrorKind::internal;
  bool cancelled = false;
  develop::Exported exported;
};

void set_sample_type(RenderCommand& command) {
  develop::ExportOptions& options = command.options;
  switch (command.bits) {
    case 8: options.samples = io::SampleType::u8; break;
    case 16: options.samples = io::SampleType::u16; break;
    case 32: options.samples = io::SampleType::f32; break;
    default: throw Error(ErrorKind::usage, fmt::format("--bits {}: there are 8, 16 and 32", command.bits));
  }
  const bool fits = command.bits == 8 || (command.bits == 16 && options.format != io::FileFormat::jpeg) ||
                    options.format == io::FileFormat::tiff;
  if (!fits)
    throw Error(ErrorKind::usage,
                fmt::format("--bits {}: use --format {}", command.bits, command.bits == 16 ? "png or tif" : "tif"));
}

// What the command line lays over the sidecar's settings, in this order: --xmp, --preset, --lut, --set.
void lay_over(const RenderCommand& command, develop::Settings& settings, std::vector<std::string>& warnings) {
  std::vector<fs::path> files;
  if (!command.xmp.empty()) files.push_back(path_from_utf8(command.xmp));
  for (const std::string& preset : command.presets) files.push_back(develop::find_preset(preset));
  for (const fs::path& file : files) {
    for (std::string& note : develop::apply_preset(file, settings)) warnings.push_back(std::move(note));
  }
  if (!command.lut.empty()) settings.lut.file = command.lut;
  for (const std::string& assignment : command.assignments) develop::set_setting(settings, assignment);
}

Outcome render_one(const RenderCommand& command, const RenderJob& job, const CancelToken& cancel) {
  Outcome outcome;
  try {
    cancel.throw_if_cancelled();
    develop::ExportOptions options = command.options;
    std::vector<std::string> warnings;
    if (!command.no_sidecar) {
      const develop::Edits edits = develop::read_edits(job.input);
      options.render.settings = edits.settings;
      warnings = edits.warnings;
    }
    lay_over(command, options.render.settings, warnings);
    std::error_code ignored;
    if (fs::equivalent(job.input, job.output, ignored)) {
      throw Error(ErrorKind::usage, utf8(job.output) + ": would overwrite its own input");
    }
    outcome.exported = develop::export_file(job.input, job.output, options, cancel);
    outcome.exported.warnings.insert(outcome.exported.warnings.begin(), warnings.begin(), warnings.end());
  } catch (const Cancelled&) {
    outcome.cancelled = true;
    outcome.error = utf8(job.input) + ": interrupted";
  } catch (const Error& error) {
    outcome.error = error.what();
    outcome.kind = error.kind;
  } catch (const std::bad_alloc&) {
    outcome.error = utf8(job.input) + ": out of memory: lower --jobs";
    outcome.kind = ErrorKind::memory;
  } catch (const std::exception& error) {
    outcome.error = fmt::format("{}: {}", utf8(job.input), error.what());
  }
  return outcome;
}

const char* name_of(Backend backend) { return backend == Backend::gpu ? "gpu" : "cpu"; }

void print_json(const RenderJob& job, const Outcome& outcome) {
  nlohmann::json line = {{"input", utf8(job.input)}};
  if (!outcome.error.empty()) {
    line["error"] = outcome.error;
  } else {
    const develop::Exported& exported = outcome.exported;
    const develop::Developed& developed = exported.developed;
    line["output"] = utf8(job.output);
    line["width"] = developed.width;
    line["height"] = developed.height;
    line["backend"] = name_of(developed.backend);
    if (!developed.gpu_fallback.empty()) line["gpuFallback"] = developed.gpu_fallback;
    line["ms"] = {{"total", exported.total_ms},      {"decode", exported.decode_ms},
                  {"source", exported.source_ms},    {"scene", developed.times.scene_ms},
                  {"base", developed.times.base_ms}, {"finish", developed.times.finish_ms}};
    if (!exported.warnings.empty()) line["warnings"] = exported.warnings;
  }
  std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
}

void print_text(const RenderJob& job, const Outcome& outcome) {
  if (!outcome.error.empty()) {
    std::cerr << "error: " << outcome.error << std::endl;
    return;
  }
  const develop::Exported& exported = outcome.exported;
  for (const std::string& warning : exported.warnings) log_warn("{}: {}", utf8(job.input), warning);
  if (!exported.developed.gpu_fallback.empty()) {
    log_warn("{}: rendered on the CPU: {}", utf8(job.input), exported.developed.gpu_fallback);
  }
  log_info("{} -> {} ({} x {}, {:.0f} ms, {})", utf8(job.input), utf8(job.output), exported.developed.width,
           exported.developed.height, exported.total_ms, exported.developed.backend == Backend::gpu ? "GPU" : "CPU");
}

// A 24 MP raw takes about 0.6 GB at its peak: that many bytes for each file in flight.
int job_count(const RenderCommand& command, std::size_t files) {
  constexpr std::size_t bytes_per_job = std::size_t{600} << 20;
  const int wanted = command.jobs > 0
                         ? command.jobs
                         : std::min(thread_count(), std::max(1, static_cast<int>(memory::budget() / bytes_per_job)));
  return std::clamp(wanted, 1, static_cast<int>(files));
}

}  // namespace

CLI::App* add_render_command(CLI::App& app, RenderCommand& command, cli::CommonOptions& common) {
  CLI::App* render = app.add_subcommand("render", "Develop photos into picture files");
  develop::ExportOptions& options = command.options;
  render->add_option("IN", command.inputs, "Raw files, JPEG, PNG, TIFF, WebP, AVIF, HEIF or JPEG XL")
      ->required()
      ->option_text("IN...");
  render->add_option("-o,--output", command.output, "A file (its name gives the format), or a folder")
      ->required()
      ->option_text("OUT|DIR");
  render->add_option("--size", options.render.long_edge_px, "Long edge in pixels; never enlarges (default: full size)")
      ->option_text("N")
      ->check(CLI::Range(1, 65500).description(""));
  render->add_option("--quality", options.quality, "JPEG quality")
      ->option_text("1..100")
      ->check(CLI::Range(1, 100).description(""))
      ->capture_default_str();
  render->add_option("--format", command.format, "File format (default: by the output's name, else jpg)")
      ->option_text("jpg|png|tif");
  render->add_option("--bits", command.bits, "Bits of a sample: 8, 16 (png, tif) or 32 (tif, float)")
      ->option_text("8|16|32")
      ->capture_default_str();
  static const std::map<std::string, develop::OutputSpace> spaces = [] {
    std::map<std::string, develop::OutputSpace> names;
    for (std::size_t i = 0; i < std::size(develop::output_spaces); ++i) {
      names.emplace(develop::output_spaces[i], static_cast<develop::OutputSpace>(i));
    }
    return names;
  }();
  render->add_option("--space", options.render.format.space, "Colour space of the output")
      ->transform(CLI::CheckedTransformer(spaces, CLI::ignore_case).description(""))
      ->option_text("srgb|p3|adobe_rgb|prophoto|rec2020")
      ->default_str("srgb");
  render
      ->add_option("--set", command.assignments,
                   "A setting on top of the sidecar's, e.g. exposure.ev=0.7; repeatable (see: imago-cli settings)")
      ->allow_extra_args(false)  // what follows may be an input
      ->option_text("TOOL.FIELD=VALUE");
  render
      ->add_option("--preset", command.presets,
                   "A preset on top of the sidecar's settings: a file or a name; repeatable")
      ->allow_extra_args(false)
      ->option_text("FILE|NAME");
  render->add_option("--xmp", command.xmp, "Settings of Lightroom or Camera Raw on top of the sidecar's")
      ->option_text("FILE");
  render->add_option("--lut", command.lut, "A look: a .cube file or a HaldCLUT picture (see lut.space, lut.amount)")
      ->option_text("FILE");
  render
      ->add_option("--show-range", options.render.format.show_point_color,
                   "Show which colours sample N of point_color takes; all else is grey")
      ->option_text("N")
      ->check(CLI::Range(0, 7).description(""));
  render
      ->add_option_function<std::string>(
          "--camera-profile",
          [&options](const std::string& file) { options.open.camera_profile = path_from_utf8(file); },
          "A DCP or ICC file for raws in place of their own profile; ICC: for pictures without one, too")
      ->option_text("FILE.dcp|FILE.icc");
  render
      ->add_option("--frame", options.open.raw.frame,
                   "Which exposure of a raw that holds several (see: imago-cli info)")
      ->option_text("N")
      ->check(CLI::Range(0, 255).description(""))
      ->capture_default_str();
  render->add_flag("--allow-damaged", options.open.raw.allow_damaged,
                   "Render what a truncated raw still holds, and say what is missing");
  render->add_flag("--no-sidecar", command.no_sidecar, "Leave the edits in sidecars aside");
  static const std::map<std::string, Conflict> conflicts = {{"unique", Conflict::unique},
                                                            {"overwrite", Conflict::overwrite},
                                                            {"skip", Conflict::skip},
                                                            {"error", Conflict::error}};
  render
      ->add_option("--conflict", command.conflict,
                   "When the output exists: unique (a_1.jpg), overwrite, skip or error (default: overwrite a file that "
                   "-o names, unique in a folder)")
      ->transform(CLI::CheckedTransformer(conflicts, CLI::ignore_case).description(""))
      ->option_text("unique|overwrite|skip|error");
  render->add_option("--jobs", command.jobs, "Files at a time (default: what cores and IMAGO_MEMORY_MB allow)")
      ->option_text("N")
      ->check(CLI::Range(1, 256).description(""));
  cli::add_backend_option(*render, common);
  cli::add_common_options(*render, common);
  return render;
}

int run_render_command(RenderCommand& command, const cli::CommonOptions& common) {
  command.options.backend = common.backend;
  const std::vector<RenderJob> jobs = render_jobs(command);
  set_sample_type(command);
  develop::Settings probe;  // a wrong --set, --preset or --lut is the caller's mistake, not the first file's
  std::vector<std::string> ignored;
  lay_over(command, probe, ignored);
  if (!command.lut.empty()) command.options.render.lut = develop::load_lut(probe.lut);  // once for all files
  cli::require_gpu(common.backend);

  if (jobs.empty()) return cli::exit_ok;  // all skipped

  std::mutex printing;
  std::atomic<std::size_t> next{0};
  std::size_t written = 0, failed = 0;
  bool interrupted = false;
  ErrorKind failure = ErrorKind::input;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      const Outcome outcome = render_one(command, jobs[i], cli::interruption());
      const std::lock_guard lock(printing);
      interrupted = interrupted || outcome.cancelled;
      if (outcome.cancelled) continue;
      common.json ? print_json(jobs[i], outcome) : print_text(jobs[i], outcome);
      if (outcome.error.empty()) {
        ++written;
      } else {
        ++failed;
        failure = outcome.kind;
      }
    }
  };
  std::vector<std::jthread> workers;
  for (int i = 1; i < job_count(command, jobs.size()); ++i) workers.emplace_back(work);
  work();
  workers.clear();
  if (interrupted) {
    std::cerr << fmt::format("interrupted: {} of {} pictures written\n", written, jobs.size());
    return cli::exit_interrupted;
  }
  if (failed == 0) return cli::exit_ok;
  return failed == jobs.size() ? cli::exit_code_of(failure) : cli::exit_some_failed;
}

}  // namespace imago
