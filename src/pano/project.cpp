#include "pano/project.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "base/path_text.h"
#include "pano/rig_files.h"
#include "pano/stage.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;

struct Place {
  const char* stage;
  const char* folder;
  const char* manifest;
};
constexpr std::array<Place, 9> places = {{{"frames", "01_frames", "stage"},
                                          {"equirect", "02_equirect", "stage"},
                                          {"cubemap", "03_cubemap", "stage"},
                                          {"masks", "03_cubemap", "masks"},
                                          {"sfm-masks", "03_cubemap", "sfm_masks_stage"},
                                          {"sfm", "04_sfm", "stage"},
                                          {"dataset colmap", "05_dataset", "colmap_stage"},
                                          {"dataset nerfstudio", "05_dataset", "nerfstudio_stage"},
                                          {"dataset realityscan", "05_dataset", "realityscan_stage"}}};

void require_project(const fs::path& project) {
  std::error_code error;
  if (!fs::is_directory(project, error)) {
    throw Error(ErrorKind::input, fmt::format("{}: no such folder", utf8(project)));
  }
}

bool has_journal(const fs::path& folder, const std::string& manifest) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = utf8(it->path().filename());
    if (name.starts_with(manifest) && name.ends_with(".journal")) return true;
  }
  return false;
}

void add_manifest(const Manifest& manifest, StageStatus& status) {
  constexpr std::size_t most_errors = 5;
  for (const ManifestItem& item : manifest.items) {
    ++status.items;
    if (!item.error.empty()) {
      ++status.failed;
      if (status.errors.size() < most_errors) status.errors.push_back(item.error);
    }
    for (const fs::path& output : item.outputs) {
      std::error_code error;
      ++status.outputs;
      status.missing += fs::exists(status.folder / output, error) ? 0 : 1;
    }
  }
}

// One mask for every face or none at all; every frame on every face.
void check_faces(const fs::path& cubemap, std::vector<std::string>& problems) {
  std::error_code error;
  if (!fs::exists(cubemap / "cubemap.json", error)) return;
  const CubemapDescription description = read_cubemap_description(cubemap);
  std::size_t masks = 0;
  std::vector<std::string> without;
  for (const std::string& frame : description.frames) {
    for (const geometry::RigCamera& camera : description.rig.layout.cameras) {
      const std::string image = camera.name + "/" + frame + description.rig.extension;
      if (!fs::exists(cubemap / "images" / path_from_utf8(image), error)) {
        problems.push_back(fmt::format("{}/images/{}: missing", utf8(cubemap), image));
      } else if (fs::exists(cubemap / "masks" / path_from_utf8(image + ".png"), error)) {
        ++masks;
      } else {
        without.push_back(image);
      }
    }
  }
  if (masks == 0) return;
  for (const std::string& image : without) {
    problems.push_back(
        fmt::format("{}/masks/{}.png: missing: COLMAP would leave that image out", utf8(cubemap), image));
  }
}

}  // namespace

std::vector<StageStatus> project_status(const fs::path& project) {
  require_project(project);
  std::vector<StageStatus> all;
  for (const Place& place : places) {
    StageStatus status;
    status.stage = place.stage;
    status.folder = project / place.folder;
    const std::vector<Manifest> manifests = read_manifests(status.folder, place.manifest);
    status.started = !manifests.empty();
    status.running = has_journal(status.folder, place.manifest);
    status.complete = status.started && !status.running;
    for (const Manifest& manifest : manifests) {
      add_manifest(manifest, status);
      status.complete = status.complete && manifest.complete;
    }
    status.complete = status.complete && status.failed == 0 && status.missing == 0;
    all.push_back(std::move(status));
  }
  return all;
}

std::vector<std::string> project_problems(const fs::path& project, const CancelToken& cancel) {
  require_project(project);
  std::vector<std::string> problems;
  for (const Place& place : places) {
    const fs::path folder = project / place.folder;
    for (const Manifest& manifest : read_manifests(folder, place.manifest)) {
      cancel.throw_if_cancelled();
      if (!manifest.complete) problems.push_back(fmt::format("{}: not finished", utf8(manifest.path)));
      for (const ManifestItem& item : manifest.items) {
        if (!item.error.empty()) problems.push_back(item.error);
      }
      const std::vector<std::string> damaged = damaged_outputs(manifest, folder);
      problems.insert(problems.end(), damaged.begin(), damaged.end());
    }
  }
  check_faces(project / "03_cubemap", problems);
  return problems;
}

}  // namespace imago::pano
