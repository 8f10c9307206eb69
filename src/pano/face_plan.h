// How one face of a panorama is sampled, decided once for the CPU and the GPU.
//
// Panorama: equirect, width x height pixels, direction of pixel (x, y) as in geometry/sphere.h (x right, y down,
// z forward, pixel centres at +0.5). Face: a square pinhole of `size` pixels.
//
// Sampling is separable in the panorama's own axes. A face pixel's footprint there is nearly axis-aligned (a sphere
// seen by a pinhole is stretched by at most 1 / cos(fov / 2), an equirect by 1 / cos(latitude) along x alone), so each
// axis gets its own kernel: `aniso` stretches a cubic by the footprint's extent on that axis (the Jacobian of the map)
// up to 2x and reads a coarser level of that axis beyond. The choice is made per block of pixels, here and not per
// pixel, so that both backends choose alike.
//
// Arithmetic on pixels is integer (8-bit source, 14-bit weights, 1/256 pixel phases): both backends differ only where
// the f32 coordinate rounds to another phase.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace imago::pano {

enum class Filter : std::int32_t { aniso, bilinear, cubic, lanczos };
inline constexpr std::array<std::string_view, 4> filter_names = {"aniso", "bilinear", "cubic", "lanczos"};

inline constexpr int phase_count = 256;
inline constexpr int tap_count = 8;         // of a table row; kernels of 4 taps use the middle ones
inline constexpr int weight_one = 1 << 14;  // sum of a kernel's weights
inline constexpr int scale_steps = 8;       // stretch 2^(k/8), k = 0 … 8
inline constexpr int block_size = 16;       // face pixels that share one choice of kernels and level
inline constexpr int level_padding = 8;     // pixels of wrap around each level
inline constexpr int coarsest_level = 6;

// Kernels of a filter: weights[(scale * phase_count + phase) * tap_count + tap]. Tap 3 lies at the pixel at or before
// the sample position, tap 4 after it.
struct KernelTable {
  std::vector<std::int16_t> weights;
  std::array<bool, scale_steps + 1> has_eight_taps{};
};
KernelTable kernel_table(Filter filter);

// A part of a level: rows [first_row, first_row + row_count) (may reach over the poles) of the panorama halved
// `x_halvings` and `y_halvings` times. Part 0 is the panorama itself.
struct LevelPart {
  int x_halvings = 0;
  int y_halvings = 0;
  int width = 0;  // without padding
  int first_row = 0;
  int row_count = 0;
  bool lower = false;  // serves the lower half of the sphere: the two poles share no rows
};

struct Block {
  std::uint8_t scale_x = 0;  // index into the kernel table
  std::uint8_t scale_y = 0;
  std::uint8_t part = 0;  // index into FacesPlan::parts
};

struct FacePlan {
  int size = 0;
  // direction = column * (x - size/2) + row * (y - size/2) + centre, in panorama axes
  std::array<float, 3> column{}, row{}, centre{};
  int blocks_per_row = 0;
  std::vector<Block> blocks;
};

// All faces that are cut from panoramas of one size.
struct FacesPlan {
  int panorama_width = 0;
  int panorama_height = 0;
  Filter filter = Filter::aniso;
  KernelTable kernels;
  std::vector<LevelPart> parts;
  std::vector<FacePlan> faces;
};

// pano_from_face: one rotation a face, row-major. Throws Error{usage} when a size or the field of view is out of range.
FacesPlan plan_faces(int panorama_width, int panorama_height, std::span<const std::array<double, 9>> pano_from_face,
                     double fov_rad, int size, Filter filter);

// Face size in pixels, a multiple of 16. `automatic` keeps the pixel density that a face of width/4 has at 90 degrees;
// `native` keeps the panorama's own density in the middle of the face.
int automatic_face_size(int panorama_width, double fov_rad);
int native_face_size(int panorama_width, double fov_rad);

}  // namespace imago::pano
