// Tests only: raws of the analytic scene, opened through a DNG file as any photo is.
#pragma once

#include <fstream>

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

inline std::filesystem::path write_raw(const std::filesystem::path& path, const scene::SceneRaw& raw) {
  const std::vector<std::byte> bytes = io::write_dng(raw.dng);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return path;
}

inline std::filesystem::path write_scene(const std::filesystem::path& path, const SceneRequest& wanted) {
  return write_raw(path, scene_raw(wanted));
}

inline Photo photo_of(const scene::SceneRaw& raw) {
  const io::TemporaryFolder folder;
  return open_photo(write_raw(folder.path / "scene.dng", raw), {});
}

inline Photo scene_photo(const SceneRequest& wanted) { return photo_of(scene_raw(wanted)); }

}  // namespace imago::develop
