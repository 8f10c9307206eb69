#include "render_jobs.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/log.h"
#include "base/path_text.h"

namespace imago {
namespace {

namespace fs = std::filesystem;

io::FileFormat format_from_name(const std::string& name) {
  static const std::map<std::string, io::FileFormat> names = {{"jpg", io::FileFormat::jpeg},
                                                              {"jpeg", io::FileFormat::jpeg},
                                                              {"png", io::FileFormat::png},
                                                              {"tif", io::FileFormat::tiff},
                                                              {"tiff", io::FileFormat::tiff}};
  const auto at = names.find(name);
  if (at == names.end()) throw Error(ErrorKind::usage, "--format " + name + ": there are jpg, png and tif");
  return at->second;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// a.jpg, a_1.jpg, a_2.jpg …: the first that neither exists nor is taken by another input.
fs::path unique_name(const fs::path& path, const std::set<fs::path>& taken) {
  fs::path name = path;
  for (int i = 1; is_there(name) || taken.contains(name); ++i) {
    name = path.parent_path() / path.stem();
    name += fmt::format("_{}", i);
    name += path.extension();
  }
  return name;
}

// One job for the wanted output, or none.
void add_job(std::vector<RenderJob>& jobs, std::set<fs::path>& taken, RenderJob job, Conflict conflict) {
  switch (conflict) {
    case Conflict::unique: job.output = unique_name(job.output, taken); break;
    case Conflict::overwrite: break;
    case Conflict::skip:
      if (!is_there(job.output)) break;
      log_info("{}: skipped, {} exists", utf8(job.input), utf8(job.output));
      return;
    case Conflict::error:
      if (!is_there(job.output)) break;
      throw Error(ErrorKind::io, utf8(job.output) + " exists: choose another -o or --conflict");
  }
  if (!taken.insert(job.output).second) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: another input is written to {} too", utf8(job.input), utf8(job.output)));
  }
  jobs.push_back(std::move(job));
}

}  // namespace

std::vector<RenderJob> render_jobs(RenderCommand& command) {
  const fs::path output = path_from_utf8(command.output);
  const auto named = io::format_of_extension(output);
  if (!command.format.empty()) {
    command.options.format = format_from_name(command.format);
  } else if (named) {
    command.options.format = *named;
  }
  std::vector<RenderJob> jobs;
  std::set<fs::path> taken;
  std::error_code error;
  if (named && !fs::is_directory(output, error)) {
    if (command.inputs.size() > 1) {
      throw Error(ErrorKind::usage,
                  fmt::format("-o {}: {} inputs need a folder", command.output, command.inputs.size()));
    }
    if (*named != command.options.format) {
      throw Error(ErrorKind::usage,
                  fmt::format("-o {}: its name does not go with --format {}", command.output, command.format));
    }
    add_job(jobs, taken, {path_from_utf8(command.inputs[0]), output}, command.conflict.value_or(Conflict::overwrite));
    return jobs;
  }
  fs::create_directories(output, error);
  if (error) throw Error(ErrorKind::io, fmt::format("cannot make the folder {}: {}", command.output, error.message()));
  std::map<fs::path, int> stems;
  for (const std::string& input : command.inputs) ++stems[path_from_utf8(input).stem()];
  for (const std::string& input : command.inputs) {
    const fs::path path = path_from_utf8(input);
    // a.cr2 beside a.cr3 in one batch: a.cr2.jpg and a.cr3.jpg.
    fs::path name = stems[path.stem()] == 1 ? path.stem() : path.filename();
    name += io::extension_of(command.options.format);
    add_job(jobs, taken, {path, output / name}, command.conflict.value_or(Conflict::unique));
  }
  return jobs;
}

}  // namespace imago
