#include "pano/sfm.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <set>
#include <system_error>
#include <thread>

#include "base/atomic_file.h"
#include "base/log.h"
#include "base/path_text.h"
#include "io/byte_source.h"
#include "pano/colmap_model.h"
#include "pano/frame_files.h"

extern char** environ;

namespace imago::pano {
namespace {

namespace fs = std::filesystem;

// Runs a program, its output into a file; -1 when it cannot be started. Ended when `cancel` is set.
int run_program(const std::vector<std::string>& arguments, const fs::path& log, const CancelToken& cancel) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // a group of its own, to be ended as one
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return -1;
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return -1;
    if (cancel.cancelled()) {
      kill(-child, SIGTERM);
      waitpid(child, &status, 0);
      throw Cancelled();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string text_of(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return "";
  const std::vector<std::byte> bytes = io::read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// What a short command prints, and its exit code.
std::pair<int, std::string> answer_of(const std::vector<std::string>& arguments) {
  const fs::path log = fs::temp_directory_path() / fmt::format("pipeline_360-{}.txt", ::getpid());
  const int code = run_program(arguments, log, CancelToken());
  const std::string text = text_of(log);
  std::error_code ignored;
  fs::remove(log, ignored);
  return {code, text};
}

bool is_at_least(const std::string& version, int major, int minor) {
  int has_major = 0, has_minor = 0;
  if (std::sscanf(version.c_str(), "%d.%d", &has_major, &has_minor) < 1) return false;
  return has_major > major || (has_major == major && has_minor >= minor);
}

// "COLMAP 3.13.0 -- Structure-from-Motion …" of colmap help, or pycolmap's own version.
std::optional<SfmTool> tool_at(const std::string& program) {
  const bool python = utf8(path_from_utf8(program).filename()).starts_with("python");
  const auto [code, text] = python
                                ? answer_of({program, "-c", "import pycolmap; print('COLMAP', pycolmap.__version__)"})
                                : answer_of({program, "help"});
  const std::size_t at = text.find("COLMAP ");
  if (code < 0 || (python && code != 0) || at == std::string::npos) return std::nullopt;
  const std::size_t end = text.find_first_not_of("0123456789.", at + 7);
  return SfmTool{program, python, text.substr(at + 7, end == std::string::npos ? end : end - at - 7)};
}

void check_inputs(const SfmOptions& options, const CubemapDescription& description) {
  std::error_code error;
  if (description.frames.size() < 2) {
    throw Error(ErrorKind::input, fmt::format("{}: {} frames: at least two are needed for a reconstruction",
                                              utf8(options.cubemap_dir), description.frames.size()));
  }
  for (const geometry::RigCamera& camera : description.rig.layout.cameras) {
    const fs::path folder = options.cubemap_dir / "images" / path_from_utf8(camera.name);
    if (!fs::is_directory(folder, error) || fs::is_empty(folder, error)) {
      throw Error(ErrorKind::input, fmt::format("{}: no faces in it: run pipeline_360 cubemap again", utf8(folder)));
    }
  }
}

std::string last_line(const std::string& text) {
  std::size_t end = text.find_last_not_of(" \n\r\t");
  if (end == std::string::npos) return "it said nothing";
  const std::size_t start = text.rfind('\n', end);
  return text.substr(start == std::string::npos ? 0 : start + 1,
                     end - (start == std::string::npos ? 0 : start + 1) + 1);
}

void write_script(const fs::path& path, const std::string& text) {
  write_file_atomically(path, text);
  std::error_code ignored;
  fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec, fs::perm_options::add,
                  ignored);
}

void describe_result(SfmReport& report, const SfmOptions& options, const CubemapDescription& description) {
  std::error_code error;
  report.models = 0;
  for (fs::directory_iterator it(options.output_dir / "sparse", error), end; !error && it != end; it.increment(error)) {
    report.models += it->is_directory() ? 1 : 0;
  }
  report.best_model = best_model_of(options.output_dir / "sparse");
  const ColmapModel model = read_colmap(report.best_model);
  std::set<std::string> frames;
  for (const ColmapImage& image : model.images) frames.insert(image.name.substr(image.name.find('/') + 1));
  report.registered_images = static_cast<int>(model.images.size());
  report.images = static_cast<int>(description.frames.size() * description.rig.layout.cameras.size());
  report.registered_frames = static_cast<int>(frames.size());
  report.frames = static_cast<int>(description.frames.size());
  report.points = static_cast<int>(model.points.size());
  report.reprojection_error_px = mean_reprojection_error(model);
}

// What the result depends on: faces, masks, rig, tool, options.
nlohmann::json parameters_of(const SfmOptions& options, const SfmTool& tool) {
  return {{"colmap", tool.version}, {"matcher", options.matcher}, {"mapper", options.mapper}};
}

std::vector<fs::path> all_inputs(const SfmOptions& options, const CubemapDescription& description) {
  std::vector<fs::path> inputs = {options.cubemap_dir / "rig_config.json"};
  for (const char* kind : {"images", "sfm_masks"}) {
    for (const geometry::RigCamera& camera : description.rig.layout.cameras) {
      for (const std::string& frame : description.frames) {
        std::string name = camera.name + "/" + frame + description.rig.extension;
        if (kind == std::string_view("sfm_masks")) name += ".png";
        const fs::path path = options.cubemap_dir / kind / path_from_utf8(name);
        std::error_code error;
        if (fs::exists(path, error)) inputs.push_back(path);
      }
    }
  }
  return inputs;
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->is_regular_file()) files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::optional<SfmTool> find_colmap(const std::string& named) {
  std::optional<SfmTool> tool;
  if (!named.empty()) {
    tool = tool_at(named);
    if (!tool) {
      throw Error(ErrorKind::usage,
                  fmt::format("--colmap {}: neither a COLMAP program nor a Python that has pycolmap", named));
    }
  } else {
    tool = tool_at("colmap");
    if (!tool) tool = tool_at("python3");
  }
  if (tool && !is_at_least(tool->version, tool->is_python ? 4 : 3, tool->is_python ? 0 : 12)) {
    const std::string what =
        fmt::format("{} is {} {}", tool->program, tool->is_python ? "pycolmap" : "COLMAP", tool->version);
    if (!named.empty()) throw Error(ErrorKind::usage, what + ": rigs need COLMAP 3.12 (pycolmap 4) or later");
    log_warn("{}: too old for rigs (COLMAP 3.12, pycolmap 4), not used", what);
    return std::nullopt;
  }
  return tool;
}

fs::path best_model_of(const fs::path& sparse_dir) {
  fs::path best;
  std::size_t most = 0;
  std::error_code error;
  std::vector<fs::path> folders;
  for (fs::directory_iterator it(sparse_dir, error), end; !error && it != end; it.increment(error)) {
    if (it->is_directory()) folders.push_back(it->path());
  }
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) {
    const std::size_t images = read_colmap(folder).images.size();
    if (images <= most) continue;
    most = images;
    best = folder;
  }
  if (best.empty()) throw Error(ErrorKind::input, fmt::format("{}: no reconstruction in it", utf8(sparse_dir)));
  return best;
}

SfmReport sfm(const SfmOptions& asked, const StageListener& listener, const CancelToken& cancel) {
  SfmOptions options = asked;
  options.cubemap_dir = fs::absolute(asked.cubemap_dir).lexically_normal();
  options.output_dir = fs::absolute(asked.output_dir).lexically_normal();
  const CubemapDescription description = read_cubemap_description(options.cubemap_dir);
  check_inputs(options, description);
  const std::optional<SfmTool> tool = options.script_only ? std::nullopt : find_colmap(options.colmap);
  const StageSummary masks = write_sfm_masks(options.cubemap_dir, options.rerun, listener, cancel);
  if (masks.failed > 0) throw Error(ErrorKind::input, "masks for the features could not be made, see above");
  SfmReport report;
  report.shell_script = options.cubemap_dir / "run_colmap.sh";
  report.python_script = options.cubemap_dir / "run_sfm.py";
  write_script(report.shell_script, colmap_script(options, description.rig));
  write_script(report.python_script, pycolmap_script(options, description.rig));
  if (!tool) return report;
  report.tool = *tool;
  report.ran = true;
  StageRun run({options.output_dir, "sfm", "stage", options.rerun, {}}, parameters_of(options, *tool),
               {{"reconstruction", all_inputs(options, description)}}, listener);
  for (const StageItem& item : run.pending()) {
    log_info("[sfm] {} {}: extracting, matching, mapping; this takes a while", tool->program, tool->version);
    const fs::path log = options.output_dir / "colmap.log";
    if (!tool->is_python) setenv("COLMAP", tool->program.c_str(), 1);
    const int code = tool->is_python ? run_program({tool->program, report.python_script.string()}, log, cancel)
                                     : run_program({"sh", report.shell_script.string()}, log, cancel);
    if (code != 0) {
      const Error error(ErrorKind::input, fmt::format("{} ended with {}: {} (all of it: {})", tool->program, code,
                                                      last_line(text_of(log)), utf8(log)));
      run.failed(item, error);
      run.finish();
      throw error;
    }
    describe_result(report, options, description);
    run.done(item, {files_below(options.output_dir / "sparse"),
                    {{"registeredFrames", report.registered_frames}, {"points", report.points}},
                    {}});
  }
  run.finish();
  describe_result(report, options, description);
  return report;
}

}  // namespace imago::pano
