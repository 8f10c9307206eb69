#include <fmt/format.h>

#include "base/path_text.h"
#include "pano/sfm.h"

namespace imago::pano {
namespace {

std::string camera_params(const FaceRig& rig) { return fmt::format("{0},{0},{1},{1}", rig.focal_px(), rig.size / 2.0); }

// In single quotes for a shell.
std::string quoted(const std::filesystem::path& path) {
  std::string out = "'";
  for (const char c : utf8(path)) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// A Python string literal.
std::string literal(const std::filesystem::path& path) { return nlohmann::json(utf8(path)).dump(); }

}  // namespace

std::string colmap_script(const SfmOptions& options, const FaceRig& rig) {
  const std::string matcher = options.matcher == "exhaustive"
                                  ? "exhaustive_matcher --database_path \"$database\""
                                  : "sequential_matcher --database_path \"$database\" --SequentialMatching.overlap 10";
  const std::string mapper = options.mapper == "global"
                                 ? "global_mapper --database_path \"$database\" --image_path \"$images\" --output_path "
                                   "\"$out/sparse\" --GlobalMapper.refine_sensor_from_rig 0 "
                                   "--GlobalMapper.ba_refine_focal_length 0"
                                 : "mapper --database_path \"$database\" --image_path \"$images\" --output_path "
                                   "\"$out/sparse\" --Mapper.ba_refine_sensor_from_rig 0 "
                                   "--Mapper.ba_refine_focal_length 0 --Mapper.ba_refine_principal_point 0 "
                                   "--Mapper.ba_refine_extra_params 0";
  return fmt::format(R"(#!/bin/sh
# COLMAP 3.12 or later: poses of the faces that pipeline_360 cut, as one rig of known cameras.
# COLMAP=/path/to/colmap sh run_colmap.sh
set -e
colmap=${{COLMAP:-colmap}}
cubemap={}
out={}
images=$cubemap/images
database=$out/database.db
mkdir -p "$out"
rm -rf "$database" "$out/sparse"
mkdir "$out/sparse"
# Options were renamed in 3.13.
matching=FeatureMatching
"$colmap" sequential_matcher --help 2>&1 | grep -q FeatureMatching || matching=SiftMatching
"$colmap" feature_extractor --database_path "$database" --image_path "$images" \
  --ImageReader.mask_path "$cubemap/sfm_masks" --ImageReader.single_camera_per_folder 1 \
  --ImageReader.camera_model PINHOLE --ImageReader.camera_params {}
"$colmap" rig_configurator --database_path "$database" --rig_config_path "$cubemap/rig_config.json"
"$colmap" {} --$matching.rig_verification 1 --$matching.skip_image_pairs_in_same_frame 1
"$colmap" {}
)",
                     quoted(options.cubemap_dir), quoted(options.output_dir), camera_params(rig), matcher, mapper);
}

std::string pycolmap_script(const SfmOptions& options, const FaceRig& rig) {
  return fmt::format(R"(#!/usr/bin/env python3
"""pycolmap 4 or later: poses of the faces that pipeline_360 cut, as one rig of known cameras."""
import pathlib
import shutil

import pycolmap

cubemap = pathlib.Path({})
out = pathlib.Path({})
images, database = cubemap / "images", out / "database.db"
out.mkdir(parents=True, exist_ok=True)
database.unlink(missing_ok=True)
shutil.rmtree(out / "sparse", ignore_errors=True)
(out / "sparse").mkdir()
pycolmap.set_random_seed(0)

reader = pycolmap.ImageReaderOptions()
reader.mask_path = str(cubemap / "sfm_masks")
reader.camera_model = "PINHOLE"
reader.camera_params = "{}"
pycolmap.extract_features(database, images, reader_options=reader, camera_mode=pycolmap.CameraMode.PER_FOLDER)
with pycolmap.Database.open(database) as opened:
    pycolmap.apply_rig_config(pycolmap.read_rig_config(cubemap / "rig_config.json"), opened)
matching = pycolmap.FeatureMatchingOptions()
matching.rig_verification = True
matching.skip_image_pairs_in_same_frame = True
if "{}" == "exhaustive":
    pycolmap.match_exhaustive(database, matching_options=matching)
else:
    pairing = pycolmap.SequentialPairingOptions()
    pairing.overlap = 10
    pycolmap.match_sequential(database, matching_options=matching, pairing_options=pairing)
if "{}" == "global":
    mapper = pycolmap.GlobalPipelineOptions()
    models = pycolmap.global_mapping(database, images, out / "sparse", options=mapper)
else:
    mapper = pycolmap.IncrementalPipelineOptions()
    mapper.ba_refine_sensor_from_rig = False
    mapper.ba_refine_focal_length = False
    mapper.ba_refine_principal_point = False
    mapper.ba_refine_extra_params = False
    mapper.random_seed = 0
    models = pycolmap.incremental_mapping(database, images, out / "sparse", options=mapper)
for index, model in models.items():
    print(index, model.summary())
if not models:
    raise SystemExit("no model: too few matches between the frames")
)",
                     literal(options.cubemap_dir), literal(options.output_dir), camera_params(rig), options.matcher,
                     options.mapper);
}

}  // namespace imago::pano
