// The equirect stage: every frame becomes an upright, whole 2:1 panorama.
//
// Crops (GPano's CroppedArea…) are put where they belong on a black sphere; a camera that was not level, or a wish for
// another direction in the middle, turns the sphere. Where nothing changes the file is linked. Orientation:
//   direction in the picture = Rz(-roll) Rx(-pitch) Ry(yaw) * direction in the upright panorama
// in the axes of geometry/sphere.h: the camera was pitched up by `pitch` and rolled clockwise by `roll`; afterwards
// what lay `yaw` to the right is in the middle.
#pragma once

#include <filesystem>
#include <optional>

#include "base/cancel.h"
#include "geometry/vector.h"
#include "image/image.h"
#include "io/metadata/metadata.h"
#include "pano/panorama.h"
#include "pano/stage.h"

namespace imago::pano {

enum class LevelSource : std::uint8_t {
  none,
  xmp,     // GPano PosePitchDegrees, PoseRollDegrees
  exif,    // EXIF CameraElevationAngle
  angles,  // EquirectOptions' own
  gravity  // EquirectOptions' direction of gravity in the picture
};
enum class HeadingSource : std::uint8_t {
  none,
  xmp,  // GPano PoseHeadingDegrees: north comes into the middle
  exif  // GPSImgDirection
};

struct Attitude {
  double yaw_deg = 0, pitch_deg = 0, roll_deg = 0;
  bool operator==(const Attitude&) const = default;
};

struct EquirectOptions {
  std::filesystem::path input_dir;   // 01_frames/images
  std::filesystem::path output_dir;  // 02_equirect/images
  LevelSource level = LevelSource::none;
  HeadingSource heading = HeadingSource::none;
  Attitude angles;
  geometry::Vec3<double> gravity{0, 1, 0};
  int quality = 95;
  Rerun rerun = Rerun::resume;
  Shard shard;
};

StageSummary equirect(const EquirectOptions& options, const StageListener& listener, const CancelToken& cancel);

geometry::Mat3<double> picture_from_upright(const Attitude& attitude);

// The attitude whose picture has gravity in that direction; without a turn about it.
Attitude attitude_of_gravity(const geometry::Vec3<double>& gravity);

// The sphere turned, bicubic, same size. The source must be surrounded.
Rgba8 turned_sphere(const PaddedPanorama& source, const geometry::Mat3<double>& picture_from_upright);

// The whole panorama that a crop belongs to, black around it; of even width. Throws Error{input} when the numbers do
// not fit together.
Rgba8 uncropped(const Rgba8& crop, const io::GPano& gpano);

}  // namespace imago::pano
