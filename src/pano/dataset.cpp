#include "pano/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <unordered_map>

#include "base/atomic_file.h"
#include "base/path_text.h"
#include "io/picture_reader.h"
#include "pano/frame_files.h"
#include "pano/manifest.h"
#include "pano/sfm.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;
using geometry::Vec3;
using nlohmann::json;

struct Source {
  ColmapModel model;
  FaceRig rig;
  fs::path images, masks;  // masks empty: there are none
  fs::path model_dir;
};

std::string face_of(const ColmapImage& image) { return image.name.substr(0, image.name.find('/')); }

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// Without the dropped faces; points that only those saw go too.
void drop_faces(ColmapModel& model, const std::vector<std::string>& dropped) {
  if (dropped.empty()) return;
  std::set<std::uint32_t> gone;
  for (const ColmapImage& image : model.images) {
    if (std::ranges::find(dropped, face_of(image)) != dropped.end()) gone.insert(image.id);
  }
  std::erase_if(model.images, [&](const ColmapImage& image) { return gone.contains(image.id); });
  std::set<std::uint64_t> lonely;
  for (ColmapPoint& point : model.points) {
    std::erase_if(point.track, [&](const auto& seen) { return gone.contains(seen.first); });
    if (point.track.size() < 2) lonely.insert(point.id);
  }
  std::erase_if(model.points, [&](const ColmapPoint& point) { return lonely.contains(point.id); });
  for (ColmapImage& image : model.images) {
    for (ColmapPoint2d& seen : image.points) {
      if (seen.point >= 0 && lonely.contains(static_cast<std::uint64_t>(seen.point))) seen.point = -1;
    }
  }
  for (ColmapFrame& frame : model.frames) {
    std::erase_if(frame.images,
                  [&](const auto& seen) { return gone.contains(static_cast<std::uint32_t>(seen.image)); });
  }
}

void check_cameras(const Source& source) {
  for (const ColmapCamera& camera : source.model.cameras) {
    const bool pinhole = camera.model == 0 || camera.model == 1;
    if (pinhole && camera.width == static_cast<std::uint64_t>(source.rig.size) && camera.height == camera.width)
      continue;
    throw Error(ErrorKind::input,
                fmt::format("{}: camera {} is no pinhole of {} px: this reconstruction is not of these faces",
                            utf8(source.model_dir), camera.id, source.rig.size));
  }
}

// Masks for all images or for none.
bool has_masks(const Source& source, const fs::path& masks) {
  std::size_t there = 0;
  const ColmapImage* missing = nullptr;
  for (const ColmapImage& image : source.model.images) {
    if (is_there(masks / path_from_utf8(image.name + ".png"))) {
      ++there;
    } else if (missing == nullptr) {
      missing = &image;
    }
  }
  if (there == 0 || missing == nullptr) return there > 0;
  throw Error(ErrorKind::input, fmt::format("{}: no mask for {}, but for {} other images: run pipeline_360 masks again",
                                            utf8(masks), missing->name, there));
}

Source read_source(const DatasetOptions& options) {
  Source source;
  source.rig = read_cubemap_description(options.cubemap_dir).rig;
  const bool is_model = is_there(options.model_dir / "images.bin") || is_there(options.model_dir / "images.txt");
  source.model_dir = is_model ? options.model_dir : best_model_of(options.model_dir);
  source.model = read_colmap(source.model_dir);
  drop_faces(source.model, options.dropped_faces);
  if (source.model.images.empty()) throw Error(ErrorKind::input, utf8(source.model_dir) + ": no images in it");
  std::sort(source.model.images.begin(), source.model.images.end(),
            [](const ColmapImage& a, const ColmapImage& b) { return a.name < b.name; });
  source.images = options.cubemap_dir / "images";
  for (const ColmapImage& image : source.model.images) {
    if (!is_there(source.images / path_from_utf8(image.name))) {
      throw Error(ErrorKind::input,
                  fmt::format("{}: {} of the reconstruction is not there", utf8(source.images), image.name));
    }
  }
  check_cameras(source);
  if (has_masks(source, options.cubemap_dir / "masks")) source.masks = options.cubemap_dir / "masks";
  return source;
}

fs::path link_into(const fs::path& from, const fs::path& to) {
  make_folder(to.parent_path());
  link_or_copy(from, to);
  return to;
}

// images/ and masks/ as the model names them.
void link_pictures(const Source& source, const fs::path& folder, ItemResult& result) {
  for (const ColmapImage& image : source.model.images) {
    const fs::path name = path_from_utf8(image.name), mask = path_from_utf8(image.name + ".png");
    result.outputs.push_back(link_into(source.images / name, folder / "images" / name));
    if (!source.masks.empty()) result.outputs.push_back(link_into(source.masks / mask, folder / "masks" / mask));
  }
}

ItemResult write_colmap(const Source& source, const fs::path& folder, bool text) {
  ItemResult result;
  link_pictures(source, folder, result);
  const fs::path model = folder / "sparse/0";
  make_folder(model);
  std::error_code ignored;
  for (const char* part : {"cameras", "images", "points3D", "rigs", "frames"}) {
    const fs::path other = model / fmt::format("{}.{}", part, text ? "bin" : "txt");
    fs::remove(other, ignored);  // binary files win where both are
  }
  text ? write_colmap_text(source.model, model) : write_colmap_binary(source.model, model);
  for (fs::directory_iterator it(model), end; it != end; ++it) {
    if (it->is_regular_file()) result.outputs.push_back(it->path());
  }
  std::sort(result.outputs.begin(), result.outputs.end());
  return result;
}

ItemResult write_nerfstudio(const Source& source, const fs::path& folder) {
  ItemResult result;
  link_pictures(source, folder, result);
  const json transforms = transforms_json(source.model, source.rig, !source.masks.empty());
  write_file_atomically(folder / "transforms.json", transforms.dump(1) + "\n");
  write_file_atomically(folder / "sparse_pc.ply", points_ply(source.model));
  result.outputs.push_back(folder / "transforms.json");
  result.outputs.push_back(folder / "sparse_pc.ply");
  return result;
}

// Side by side: RealityScan takes layers and priors by their names.
ItemResult write_realityscan(const Source& source, const fs::path& folder) {
  ItemResult result;
  make_folder(folder);
  for (const ColmapImage& image : source.model.images) {
    std::string flat = image.name;
    std::replace(flat.begin(), flat.end(), '/', '_');
    const fs::path target = folder / path_from_utf8(flat);
    result.outputs.push_back(link_into(source.images / path_from_utf8(image.name), target));
    if (!source.masks.empty()) {
      result.outputs.push_back(
          link_into(source.masks / path_from_utf8(image.name + ".png"), folder / path_from_utf8(flat + ".mask.png")));
    }
    fs::path prior = target;
    prior.replace_extension(".xmp");
    write_file_atomically(prior, realityscan_xmp(image, *source.model.camera(image.camera)));
    result.outputs.push_back(prior);
  }
  return result;
}

// --- read again -----------------------------------------------------------------------------------------------------

using Project = std::function<std::optional<geometry::Position<double>>(const ColmapImage&, const Vec3<double>&)>;

// Every observation of the model through the poses that were read back.
DatasetCheck check_poses(const ColmapModel& model, const std::string& format, int size, const Project& project) {
  DatasetCheck check;
  check.format = format;
  check.images = static_cast<int>(model.images.size());
  check.points = static_cast<int>(model.points.size());
  std::unordered_map<std::uint64_t, const ColmapPoint*> points;
  for (const ColmapPoint& point : model.points) points[point.id] = &point;
  double sum = 0;
  for (const ColmapImage& image : model.images) {
    for (const ColmapPoint2d& seen : image.points) {
      const auto found = seen.point >= 0 ? points.find(static_cast<std::uint64_t>(seen.point)) : points.end();
      if (found == points.end()) continue;
      ++check.observations;
      const auto at = project(image, found->second->at);
      const bool inside = at && at->x >= -8 && at->y >= -8 && at->x <= size + 8 && at->y <= size + 8;
      if (!inside) {
        ++check.outside;
      } else {
        sum += std::hypot(at->x - seen.x, at->y - seen.y);
      }
    }
  }
  const int good = check.observations - check.outside;
  check.error_px = good > 0 ? sum / good : 0;
  return check;
}

DatasetCheck check_colmap(const Source& source, const fs::path& folder) {
  const ColmapModel model = read_colmap(folder / "sparse/0");
  DatasetCheck check =
      check_poses(model, "colmap", source.rig.size, [&](const ColmapImage& image, const Vec3<double>& at) {
        return projected(*model.camera(image.camera), image.cam_from_world, at);
      });
  for (const ColmapImage& image : model.images) {
    check.masks += is_there(folder / "masks" / path_from_utf8(image.name + ".png")) ? 1 : 0;
  }
  return check;
}

DatasetCheck check_nerfstudio(const Source& source, const fs::path& folder) {
  const json read = read_json_object(folder / "transforms.json");
  std::unordered_map<std::string, json> frames;
  for (const json& frame : read.at("frames")) frames[frame.at("file_path").get<std::string>()] = frame;
  const double focal = read.at("fl_x").get<double>(), centre = read.at("cx").get<double>();
  DatasetCheck check = check_poses(
      source.model, "nerfstudio", read.at("w").get<int>(),
      [&](const ColmapImage& image, const Vec3<double>& point) -> std::optional<geometry::Position<double>> {
        const auto m =
            frames.at("images/" + image.name).at("transform_matrix").get<std::array<std::array<double, 4>, 4>>();
        const Vec3<double> world{point.x, point.z, -point.y};
        const Vec3<double> from{world.x - m[0][3], world.y - m[1][3], world.z - m[2][3]};
        const auto along = [&](std::size_t k) { return m[0][k] * from.x + m[1][k] * from.y + m[2][k] * from.z; };
        const double x = along(0), y = -along(1), z = -along(2);
        if (!(z > 0)) return std::nullopt;
        return geometry::Position<double>{focal * x / z + centre, focal * y / z + centre};
      });
  for (const auto& [name, frame] : frames) {
    if (!is_there(folder / path_from_utf8(name))) throw Error(ErrorKind::internal, name + " is not in the dataset");
    const std::string mask = frame.value("mask_path", "");
    check.masks += !mask.empty() && is_there(folder / path_from_utf8(mask)) ? 1 : 0;
  }
  return check;
}

DatasetCheck check_realityscan(const Source& source, const fs::path& folder) {
  DatasetCheck check;
  check.format = "realityscan";
  for (fs::directory_iterator it(folder), end; it != end; ++it) {
    const std::string name = utf8(it->path().filename());
    check.masks += name.ends_with(".mask.png") ? 1 : 0;
    check.images += name.ends_with(".xmp") ? 1 : 0;
  }
  check.points = static_cast<int>(source.model.points.size());
  return check;
}

void require_good(const DatasetCheck& check, const Source& source) {
  const bool images = check.images == static_cast<int>(source.model.images.size());
  const bool masks = check.masks == (source.masks.empty() ? 0 : check.images);
  // A handful of points may lie behind a camera in any reconstruction.
  const bool poses = check.outside * 100 <= check.observations && check.error_px < 8;
  if (images && masks && poses) return;
  throw Error(
      ErrorKind::internal,
      fmt::format(
          "{}: what was written reads back wrong: {} of {} images, {} masks, {} of {} points outside, {:.2f} px",
          check.format, check.images, source.model.images.size(), check.masks, check.outside, check.observations,
          check.error_px));
}

std::vector<fs::path> inputs_of(const Source& source) {
  std::vector<fs::path> inputs;
  for (fs::directory_iterator it(source.model_dir), end; it != end; ++it) {
    if (it->is_regular_file()) inputs.push_back(it->path());
  }
  std::sort(inputs.begin(), inputs.end());
  for (const ColmapImage& image : source.model.images) {
    inputs.push_back(source.images / path_from_utf8(image.name));
    if (!source.masks.empty()) inputs.push_back(source.masks / path_from_utf8(image.name + ".png"));
  }
  return inputs;
}

}  // namespace

DatasetReport dataset(const DatasetOptions& options, const StageListener& listener, const CancelToken& cancel) {
  const Source source = read_source(options);
  const fs::path& out = options.output_dir;
  const std::vector<fs::path> inputs = inputs_of(source);
  const std::array<std::pair<const char*, bool>, 3> formats = {
      {{"colmap", options.colmap}, {"nerfstudio", options.nerfstudio}, {"realityscan", options.realityscan}}};
  for (const auto& [format, wanted] : formats) {
    if (!wanted) continue;
    cancel.throw_if_cancelled();
    // A manifest each, so that asking for one format does not take the others away.
    StageRun run({out, "dataset", std::string(format) + "_stage", options.rerun, {}},
                 {{"text", options.text}, {"droppedFaces", options.dropped_faces}}, {{format, inputs}}, listener);
    for (const StageItem& item : run.pending()) {
      const fs::path folder = out / item.name;
      run.done(item, item.name == "colmap"       ? write_colmap(source, folder, options.text)
                     : item.name == "nerfstudio" ? write_nerfstudio(source, folder)
                                                 : write_realityscan(source, folder));
    }
    run.finish();
  }
  DatasetReport report;
  if (options.colmap) report.checks.push_back(check_colmap(source, out / "colmap"));
  if (options.nerfstudio) report.checks.push_back(check_nerfstudio(source, out / "nerfstudio"));
  if (options.realityscan) report.checks.push_back(check_realityscan(source, out / "realityscan"));
  for (const DatasetCheck& check : report.checks) require_good(check, source);
  return report;
}

}  // namespace imago::pano
