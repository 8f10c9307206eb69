#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/atomic_file.h"
#include "base/parallel.h"
#include "base/path_text.h"
#include "io/picture_reader.h"
#include "io/picture_writer.h"
#include "pano/frame_files.h"
#include "pano/sfm.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> as_png(const Plane8& mask) {
  std::vector<std::byte> bytes;
  io::PictureOptions options;
  options.format = io::FileFormat::png;
  options.channels = 1;
  options.compression = 6;
  const auto writer = io::open_picture(bytes, mask.width, mask.height, options);
  io::write_samples<std::uint8_t>(*writer, {mask.pixels.data(), mask.pixels.size()});
  writer->finish();
  return bytes;
}

// COLMAP leaves out features where a mask is exactly 0.
Plane8 both(const Plane8& ownership, const fs::path& content) {
  const Rgba8 picture = io::read_rgba8(content);
  if (picture.width != ownership.width || picture.height != ownership.height) {
    throw Error(ErrorKind::input,
                fmt::format("{}: {}x{}, but its face is {}x{}: run pipeline_360 masks again", utf8(content),
                            picture.width, picture.height, ownership.width, ownership.height));
  }
  Plane8 out(ownership.width, ownership.height);
  for (std::size_t i = 0; i < out.pixels.size(); ++i) {
    out.pixels[i] = picture.pixels[4 * i] >= 128 ? ownership.pixels[i] : std::uint8_t{0};
  }
  return out;
}

}  // namespace

std::vector<Plane8> ownership_masks(const FaceRig& rig) {
  std::vector<Plane8> masks;
  const double focal = rig.focal_px();
  for (std::size_t camera = 0; camera < rig.layout.cameras.size(); ++camera) {
    const auto pano_from_cam = geometry::transposed(rig.layout.cameras[camera].cam_from_pano);
    Plane8 mask(rig.size, rig.size);
    parallel_for(rig.size, 16, [&](RowRange rows) {
      for (int y = rows.begin; y < rows.end; ++y) {
        for (int x = 0; x < rig.size; ++x) {
          const auto ray = geometry::face_ray_from_position<double>({x + 0.5, y + 0.5}, focal, rig.size);
          mask.row(y)[x] = geometry::owner_of(rig.layout, pano_from_cam * ray) == camera ? 255 : 0;
        }
      }
    });
    masks.push_back(std::move(mask));
  }
  return masks;
}

StageSummary write_sfm_masks(const fs::path& cubemap_dir, Rerun rerun, const StageListener& listener,
                             const CancelToken& cancel) {
  const CubemapDescription description = read_cubemap_description(cubemap_dir);
  const FaceRig& rig = description.rig;
  const fs::path folder = cubemap_dir / "sfm_masks";
  std::vector<StageItem> items;
  std::map<std::string, std::pair<std::size_t, fs::path>> faces;  // item name: camera, content mask ("" for none)
  for (const std::string& frame : description.frames) {
    for (std::size_t camera = 0; camera < rig.layout.cameras.size(); ++camera) {
      const std::string image = rig.layout.cameras[camera].name + "/" + frame + rig.extension;
      std::error_code error;
      if (!fs::exists(cubemap_dir / "images" / path_from_utf8(image), error)) continue;
      const fs::path content = cubemap_dir / "masks" / path_from_utf8(image + ".png");
      const bool masked = fs::exists(content, error);
      items.push_back({image, masked ? std::vector{content} : std::vector<fs::path>{}});
      faces[image] = {camera, masked ? content : fs::path()};
    }
  }
  if (items.empty()) throw Error(ErrorKind::input, fmt::format("{}: no faces in images/", utf8(cubemap_dir)));
  for (const geometry::RigCamera& camera : rig.layout.cameras) make_folder(folder / path_from_utf8(camera.name));
  StageRun run({cubemap_dir, "sfm-masks", "sfm_masks_stage", rerun, {}},
               {{"layout", rig.layout.name}, {"yaw", rig.yaw_deg}, {"fov", rig.fov_deg}, {"faceSize", rig.size}},
               std::move(items), listener);
  const std::vector<Plane8> masks = run.pending().empty() ? std::vector<Plane8>{} : ownership_masks(rig);
  std::vector<std::vector<std::byte>> encoded;
  for (const Plane8& mask : masks) encoded.push_back(as_png(mask));
  for (const StageItem& item : run.pending()) {
    cancel.throw_if_cancelled();
    const auto& [camera, content] = faces.at(item.name);
    const fs::path path = folder / path_from_utf8(item.name + ".png");
    try {
      write_file_atomically(
          path, std::span<const std::byte>(content.empty() ? encoded[camera] : as_png(both(masks[camera], content))));
      run.done(item, {{path}, {}, {}});
    } catch (const Error& error) {
      if (error.kind == ErrorKind::io) throw;
      run.failed(item, error);
    }
  }
  return run.finish();
}

}  // namespace imago::pano
