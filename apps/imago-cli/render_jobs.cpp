#include "render_jobs.h"

#include <fmt/format.h>

#include <iostream>
#include <map>
#include <set>

#include "base/log.h"
#include "base/path_text.h"
#include "render_inputs.h"
#include "render_names.h"

namespace imago {
namespace {

namespace fs = std::filesystem;

io::FileFormat format_from_name(const std::string& name) {
  const auto format = io::format_of_extension("name." + name);
  if (!format) throw Error(ErrorKind::usage, "--format " + name + ": there are jpg, png, tif, webp, avif, jxl and dng");
  return *format;
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

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(ErrorKind::io, fmt::format("cannot make the folder {}: {}", utf8(folder), error.message()));
}

}  // namespace

void settle_format(RenderCommand& command) {
  if (!command.format.empty()) {
    command.options.format = format_from_name(command.format);
  } else if (const auto named = io::format_of_extension(path_from_utf8(command.output))) {
    command.options.format = *named;
  }
}

std::vector<RenderJob> render_jobs(RenderCommand& command) {
  const fs::path output = path_from_utf8(command.output);
  const auto named = io::format_of_extension(output);
  const std::vector<RenderInput> inputs = render_inputs(command.inputs, command.recursive, output, std::cin);
  std::vector<RenderJob> jobs;
  std::set<fs::path> taken;
  std::error_code error;
  if (named && !fs::is_directory(output, error)) {
    if (inputs.size() > 1) {
      throw Error(ErrorKind::usage, fmt::format("-o {}: {} inputs need a folder", command.output, inputs.size()));
    }
    if (*named != command.options.format) {
      throw Error(ErrorKind::usage,
                  fmt::format("-o {}: its name does not go with --format {}", command.output, command.format));
    }
    add_job(jobs, taken, {inputs[0].path, output}, command.conflict.value_or(Conflict::overwrite));
    return jobs;
  }
  if (!command.name_template.empty()) check_name_template(command.name_template);
  make_folder(output);
  std::map<fs::path, int> stems;
  for (const RenderInput& input : inputs) ++stems[input.folder / input.path.stem()];
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& [path, folder] = inputs[i];
    // a.cr2 beside a.cr3 in one batch: a.cr2.jpg and a.cr3.jpg.
    fs::path name = stems[folder / path.stem()] == 1 ? path.stem() : path.filename();
    if (!command.name_template.empty()) name = path_from_utf8(output_name(command.name_template, path, i + 1));
    name += io::extension_of(command.options.format);
    const fs::path file = output / (folder.empty() || folder == "." ? name : folder / name);
    if (file.parent_path() != output) make_folder(file.parent_path());
    add_job(jobs, taken, {path, file}, command.conflict.value_or(Conflict::unique));
  }
  return jobs;
}

}  // namespace imago
