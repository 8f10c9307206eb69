// What is masked besides what a network finds, and what is done to masks. Inside this step 255 marks what is to be
// ignored; the files' convention (255 keep, 0 ignore) is made at the very end, by to_file_convention.
#pragma once

#include <cstdint>

#include "geometry/vector.h"
#include "image/image.h"

namespace imago::pano {

// A square pinhole face: where a pixel looks.
struct FaceView {
  geometry::Mat3<double> cam_from_pano;
  double focal_px = 0;
  int size = 0;
};

// Grows what is masked by a square of 2 * radius + 1 pixels.
void dilate(Plane8& mask, int radius_px);

// a |= b. Same size.
void add_to(Plane8& mask, const Plane8& other);

// Directions within half_angle_deg of straight down: the tripod, the operator's head.
void add_nadir_cone(Plane8& mask, const FaceView& view, double half_angle_deg);

// Directions within half_width_deg of the planes between two lenses that look ahead and back: yaw ±90 degrees.
void add_stitch_seam(Plane8& mask, const FaceView& view, double half_width_deg);

// Pixels whose three colours reach `level`.
void add_overexposed(Plane8& mask, const Rgba8& picture, int level);

// A quarter turn clockwise, `turns` times.
Rgba8 turned(const Rgba8& picture, int turns);
Plane8 turned(const Plane8& mask, int turns);

// Share of what is masked.
double coverage_of(const Plane8& mask);

void to_file_convention(Plane8& mask);

// The picture with what is masked in red, for people to look at.
Rgb8 overlay(const Rgba8& picture, const Plane8& mask);

}  // namespace imago::pano
