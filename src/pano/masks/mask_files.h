// Where pictures, masks and overlays of the masks stage lie.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "image/image.h"
#include "pano/stage.h"

namespace imago::pano {

// A frame is every picture of one name over all face folders; in a folder without faces each picture is one. Sorted by
// name. Throws Error{input} where there is none.
std::vector<StageItem> frames_of(const std::filesystem::path& input_dir);

// "front", "" for a picture that lies in the folder itself.
std::string face_of(const std::filesystem::path& input_dir, const std::filesystem::path& picture);

std::filesystem::path mask_path(const std::filesystem::path& output_dir, const std::string& face,
                                const std::filesystem::path& picture);  // <face>/<frame>.jpg.png
std::filesystem::path overlay_path(const std::filesystem::path& output_dir, const std::string& face,
                                   const std::filesystem::path& picture);

// Masks before the pass over time: <output>_base.
std::filesystem::path base_dir_of(const std::filesystem::path& output_dir);

// 03_cubemap/masks keeps its manifest beside itself, as masks.json: among the masks are masks only.
std::filesystem::path mask_stage_folder(const std::filesystem::path& output_dir);
std::string mask_manifest_name(const std::filesystem::path& output_dir);

void make_mask_folders(const std::filesystem::path& output_dir, const std::set<std::string>& faces);

// 8-bit grey PNG. Throws Error{io}.
void write_mask(const std::filesystem::path& path, const Plane8& mask);
void write_overlay(const std::filesystem::path& path, const Rgb8& picture);

// 255 where a grey picture is darker than the middle: what a mask file says is to be ignored.
Plane8 read_ignored(const std::filesystem::path& path);

// At another size, nearest pixel.
Plane8 fitted(const Plane8& mask, int width, int height);

}  // namespace imago::pano
