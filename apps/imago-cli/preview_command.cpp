#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/log.h"
#include "base/path_text.h"
#include "commands.h"
#include "io/picture_reader.h"
#include "io/raw/preview.h"
#include "render_jobs.h"

namespace imago {
namespace {

using nlohmann::json;

json extract(const RenderJob& job, int quality) {
  const std::string name = utf8(job.input.filename());
  const auto preview = io::read_preview(job.input);
  if (!preview) throw Error(ErrorKind::input, name + ": holds no preview that can be read: render it instead");
  const std::vector<std::byte> jpeg = io::upright_jpeg(*preview, name, quality);
  std::error_code ignored;
  if (std::filesystem::equivalent(job.input, job.output, ignored)) {
    throw Error(ErrorKind::usage, utf8(job.output) + ": would overwrite its own input");
  }
  write_file_atomically(job.output, jpeg);
  const bool swaps = preview->orientation >= 5;
  return {{"input", utf8(job.input)},
          {"output", utf8(job.output)},
          {"width", swaps ? preview->height : preview->width},
          {"height", swaps ? preview->width : preview->height},
          {"turned", preview->orientation != 1}};
}

}  // namespace

CLI::App* add_preview_command(CLI::App& app, PreviewCommand& command, cli::CommonOptions& common) {
  CLI::App* preview = app.add_subcommand("preview", "Take the largest embedded preview out of raws, turned upright");
  preview->add_option("IN", command.inputs, "Raw files")->required()->option_text("IN...");
  preview->add_option("-o,--output", command.output, "A .jpg file, or a folder")->required()->option_text("OUT|DIR");
  preview->add_option("--quality", command.quality, "JPEG quality of previews that have to be turned or compressed")
      ->option_text("1..100")
      ->check(CLI::Range(1, 100).description(""))
      ->capture_default_str();
  cli::add_common_options(*preview, common);
  return preview;
}

int run_preview_command(const PreviewCommand& command, const cli::CommonOptions& common) {
  RenderCommand names;
  names.inputs = command.inputs;
  names.output = command.output;
  names.format = "jpg";
  settle_format(names);
  const std::vector<RenderJob> jobs = render_jobs(names);
  std::size_t failed = 0;
  ErrorKind failure = ErrorKind::input;
  for (const RenderJob& job : jobs) {
    cli::interruption().throw_if_cancelled();
    try {
      const json line = extract(job, command.quality);
      if (common.json) {
        std::cout << line.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
      } else {
        log_info("{} -> {} ({} x {})", utf8(job.input), utf8(job.output), line["width"].get<int>(),
                 line["height"].get<int>());
      }
    } catch (const Error& error) {
      ++failed;
      failure = error.kind;
      if (common.json) {
        std::cout << json{{"input", utf8(job.input)}, {"error", error.what()}}.dump(-1, ' ', false,
                                                                                    json::error_handler_t::replace)
                  << std::endl;
      } else {
        std::cerr << "error: " << error.what() << std::endl;
      }
    }
  }
  if (failed == 0) return cli::exit_ok;
  return failed == jobs.size() ? cli::exit_code_of(failure) : cli::exit_some_failed;
}

}  // namespace imago
