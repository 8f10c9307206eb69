// A panorama in memory, ready to be sampled: 8-bit encoded RGBX, one u32 a pixel, with `level_padding` pixels of its
// own surroundings on each side (columns wrap over +-180 degrees, rows continue over the poles half a turn away), and
// the coarser levels that a plan asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "image/image.h"
#include "pano/face_plan.h"

namespace imago::pano {

// (width + 2 padding) x (height + 2 padding). Decoders write rows into the middle, then surround() fills the rest.
struct PaddedPanorama {
  int width = 0;
  int height = 0;
  Rgba8 pixels;

  PaddedPanorama() = default;
  PaddedPanorama(int panorama_width, int panorama_height);
  std::uint8_t* row(int y) { return pixels.at(level_padding, y + level_padding); }
  const std::uint8_t* row(int y) const { return pixels.at(level_padding, y + level_padding); }
};

void surround(PaddedPanorama& panorama);

// Where a part lies: in the panorama itself (part 0) or in PanoramaLevels::coarse. Pixel (x, y) of the part, with
// -padding <= x < width + padding, has index `origin + y * stride + x`.
struct PartView {
  std::int32_t origin = 0;
  std::int32_t stride = 0;
};

struct PanoramaLevels {
  const PaddedPanorama* panorama = nullptr;
  std::vector<std::uint32_t> coarse;
  std::vector<PartView> views;  // one a part of the plan

  const std::uint32_t* pixels_of(std::size_t part) const;  // add PartView's index
};

// Halving weighs 1 3 3 1: centred, smooth enough for a stretched cubic to follow. The panorama must outlive the result.
PanoramaLevels build_levels(const FacesPlan& plan, const PaddedPanorama& panorama);

// Samples one face into `out` (size x size, alpha 255), rows in parallel. Same bits on every machine.
void sample_face(const FacesPlan& plan, const FacePlan& face, const PanoramaLevels& levels, Rgba8& out);

// The reference form of the same, without vector instructions.
void sample_face_plain(const FacesPlan& plan, const FacePlan& face, const PanoramaLevels& levels, Rgba8& out);

}  // namespace imago::pano
