#include "pano/masks/mask_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/path_text.h"
#include "io/picture_reader.h"
#include "io/picture_writer.h"

namespace imago::pano {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) { return path.filename().u8string().starts_with(u8'.'); }

void add_pictures(const fs::path& folder, std::map<std::string, std::vector<fs::path>>& frames) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (is_hidden(it->path()) || !it->is_regular_file() || !io::format_of_extension(it->path())) continue;
    frames[utf8(it->path().filename())].push_back(it->path());
  }
  if (error) throw Error(ErrorKind::input, fmt::format("--input-dir {}: {}", utf8(folder), error.message()));
}

fs::path named(const fs::path& folder) {
  const fs::path normal = folder.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

fs::path parent_of(const fs::path& folder) { return folder.has_parent_path() ? folder.parent_path() : fs::path("."); }

}  // namespace

std::vector<StageItem> frames_of(const fs::path& input_dir) {
  std::map<std::string, std::vector<fs::path>> frames;
  add_pictures(input_dir, frames);
  std::error_code error;
  for (fs::directory_iterator it(input_dir, error), end; !error && it != end; it.increment(error)) {
    if (!is_hidden(it->path()) && it->is_directory()) add_pictures(it->path(), frames);
  }
  if (frames.empty()) {
    throw Error(ErrorKind::input, fmt::format("--input-dir {}: no pictures in it or its folders", utf8(input_dir)));
  }
  std::vector<StageItem> items;
  for (auto& [name, inputs] : frames) {
    std::sort(inputs.begin(), inputs.end());
    items.push_back({name, inputs});
  }
  return items;
}

std::string face_of(const fs::path& input_dir, const fs::path& picture) {
  const fs::path folder = picture.parent_path().lexically_relative(input_dir.lexically_normal());
  const std::string face = utf8(folder);
  return face == "." || face.empty() ? "" : face;
}

fs::path mask_path(const fs::path& output_dir, const std::string& face, const fs::path& picture) {
  fs::path name = picture.filename();
  name += ".png";
  return output_dir / path_from_utf8(face) / name;
}

fs::path overlay_path(const fs::path& output_dir, const std::string& face, const fs::path& picture) {
  fs::path folder = named(output_dir);
  folder += "_overlay";
  fs::path name = picture.stem();
  name += ".jpg";
  return folder / path_from_utf8(face) / name;
}

fs::path base_dir_of(const fs::path& output_dir) {
  fs::path folder = named(output_dir);
  folder += "_base";
  return folder;
}

fs::path mask_stage_folder(const fs::path& output_dir) { return parent_of(named(output_dir)); }

std::string mask_manifest_name(const fs::path& output_dir) { return utf8(named(output_dir).filename()); }

void make_mask_folders(const fs::path& output_dir, const std::set<std::string>& faces) {
  for (const std::string& face : faces) {
    const fs::path folder = output_dir / path_from_utf8(face);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw Error(ErrorKind::io, fmt::format("cannot make {}: {}", utf8(folder), error.message()));
  }
}

void write_mask(const fs::path& path, const Plane8& mask) {
  io::PictureOptions options;
  options.format = io::FileFormat::png;
  options.channels = 1;
  const auto writer = io::open_picture(path, mask.width, mask.height, options);
  io::write_samples<std::uint8_t>(*writer, {mask.pixels.data(), mask.pixels.size()});
  writer->finish();
}

void write_overlay(const fs::path& path, const Rgb8& picture) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) throw Error(ErrorKind::io, fmt::format("cannot make {}: {}", utf8(path.parent_path()), error.message()));
  io::PictureOptions options;
  options.quality = 80;
  const auto writer = io::open_picture(path, picture.width, picture.height, options);
  io::write_samples<std::uint8_t>(*writer, {picture.pixels.data(), picture.pixels.size()});
  writer->finish();
}

Plane8 read_ignored(const fs::path& path) {
  const Rgba8 picture = io::read_rgba8(path);
  Plane8 mask(picture.width, picture.height);
  for (std::size_t i = 0; i < mask.pixels.size(); ++i) mask.pixels[i] = picture.pixels[4 * i] < 128 ? 255 : 0;
  return mask;
}

Plane8 fitted(const Plane8& mask, int width, int height) {
  Plane8 out(width, height);
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* from =
        mask.row(static_cast<int>(static_cast<std::int64_t>(2 * y + 1) * mask.height / (2 * height)));
    std::uint8_t* to = out.row(y);
    for (int x = 0; x < width; ++x) to[x] = from[static_cast<std::int64_t>(2 * x + 1) * mask.width / (2 * width)];
  }
  return out;
}

}  // namespace imago::pano
