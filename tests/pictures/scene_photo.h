// Tests only: raws of the analytic scene, opened through a DNG file as any photo is.
#pragma once

#include "base/atomic_file.h"
#include "develop/photo.h"
#include "io/test_files.h"
#include "scene/raw.h"

namespace imago::develop {

struct SceneRequest {
  int width = 144;
  int height = 96;
  double exposure = 0.8;
  double iso = 0;  // 0: no noise
  int orientation = 1;
  bool linear = false;
  double softness = 1;  // pixels over which edges ramp
};

inline scene::SceneRaw scene_raw(const SceneRequest& wanted) {
  scene::RawRequest request;
  request.camera = scene::front_camera(wanted.width, wanted.height);
  request.camera.sampling.softness = wanted.softness;
  request.exposure = wanted.exposure;
  request.iso = wanted.iso;
  request.orientation = wanted.orientation;
  request.linear = wanted.linear;
  return scene::photograph_raw(request);
}

inline std::filesystem::path write_scene(const std::filesystem::path& path, const SceneRequest& wanted) {
  write_file_atomically(path, std::span<const std::byte>(io::write_dng(scene_raw(wanted).dng)));
  return path;
}

inline Photo photo_of(const scene::SceneRaw& raw) {
  const io::TemporaryFolder folder;
  const std::filesystem::path path = folder.path / "scene.dng";
  write_file_atomically(path, std::span<const std::byte>(io::write_dng(raw.dng)));
  return open_photo(path, {});
}

inline Photo scene_photo(const SceneRequest& wanted) { return photo_of(scene_raw(wanted)); }

}  // namespace imago::develop
