#include "pano/face_plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace imago::pano {
namespace {

// Keys' cubic convolution with a = -1/2 (Catmull-Rom), the one that reproduces quadratics.
double cubic(double x, double a) {
  x = std::abs(x);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

double lanczos4(double x) {
  if (std::abs(x) < 1e-12) return 1;
  if (std::abs(x) >= 4) return 0;
  const double p = std::numbers::pi * x;
  return 4 * std::sin(p) * std::sin(p / 4) / (p * p);
}

double kernel(Filter filter, double x) {
  switch (filter) {
    case Filter::bilinear: return std::max(0.0, 1 - std::abs(x));
    case Filter::lanczos: return lanczos4(x);
    case Filter::cubic: return cubic(x, -0.75);
    case Filter::aniso: return cubic(x, -0.6);
  }
  return 0;
}

// Rounds weights to integers whose sum is exactly weight_one; the rest goes to the largest.
void write_weights(const std::array<double, tap_count>& weights, std::int16_t* out) {
  double total = 0;
  for (double w : weights) total += w;
  int sum = 0;
  int largest = 0;
  for (int tap = 0; tap < tap_count; ++tap) {
    const auto i = static_cast<std::size_t>(tap);
    const int w = static_cast<int>(std::lround(weights[i] / total * weight_one));
    out[tap] = static_cast<std::int16_t>(w);
    sum += w;
    if (out[tap] > out[largest]) largest = tap;
  }
  out[largest] = static_cast<std::int16_t>(out[largest] + weight_one - sum);
}

struct Vector {
  double x, y, z;
};

Vector direction(const FacePlan& plan, double i, double j) {
  const double u = i - plan.size / 2.0;
  const double v = j - plan.size / 2.0;
  const auto axis = [&](std::size_t k) {
    return static_cast<double>(plan.column[k]) * u + static_cast<double>(plan.row[k]) * v +
           static_cast<double>(plan.centre[k]);
  };
  return {axis(0), axis(1), axis(2)};
}

struct Footprint {
  double x, y;  // extent of a face pixel in panorama pixels, per axis
  double row;   // panorama row of the sample
};

// Jacobian of the panorama position with respect to the face pixel, its rows reduced to their lengths.
Footprint footprint_at(const FacesPlan& faces, const FacePlan& plan, double i, double j) {
  const Vector d = direction(plan, i, j);
  const double flat = std::max(std::hypot(d.x, d.z), 1e-9);
  const double length_squared = flat * flat + d.y * d.y;
  const double x_per_rad = faces.panorama_width / (2 * std::numbers::pi);
  const double y_per_rad = faces.panorama_height / std::numbers::pi;
  double dx2 = 0;
  double dy2 = 0;
  for (const auto& axis : {plan.column, plan.row}) {
    const double ax = static_cast<double>(axis[0]);
    const double ay = static_cast<double>(axis[1]);
    const double az = static_cast<double>(axis[2]);
    const double theta = (d.z * ax - d.x * az) / (flat * flat);
    const double radial = (d.x * ax + d.z * az) / flat;
    const double phi = (-flat * ay + d.y * radial) / length_squared;
    dx2 += theta * theta;
    dy2 += phi * phi;
  }
  const double elevation = std::atan2(-d.y, flat);
  return {std::sqrt(dx2) * x_per_rad, std::sqrt(dy2) * y_per_rad,
          (0.5 - elevation / std::numbers::pi) * faces.panorama_height};
}

// Halvings and stretch that cover a footprint: 2^halvings * 2^(step/8) is about its extent, never below one.
struct Reduction {
  int halvings;
  int step;
};

Reduction reduction(double extent, int most_halvings) {
  const double octaves = std::max(0.0, std::log2(extent));
  const int steps = static_cast<int>(std::lround(octaves * scale_steps));
  const int halvings = std::clamp((steps - 1) / scale_steps, 0, most_halvings);
  return {halvings, std::clamp(steps - halvings * scale_steps, 0, scale_steps)};
}

int halvings_of(int size) {
  int count = 0;
  while (count < coarsest_level && size % 2 == 0 && size > 4 * level_padding) {
    size /= 2;
    ++count;
  }
  return count;
}

struct BlockReach {
  Footprint footprint;
  double first_row, last_row;
};

BlockReach reach_of_block(const FacesPlan& faces, const FacePlan& plan, int block_x, int block_y) {
  const double x0 = block_x * block_size;
  const double y0 = block_y * block_size;
  const double x1 = std::min(x0 + block_size, static_cast<double>(plan.size));
  const double y1 = std::min(y0 + block_size, static_cast<double>(plan.size));
  BlockReach reach{footprint_at(faces, plan, (x0 + x1) / 2, (y0 + y1) / 2), 1e30, -1e30};
  double smallest_x = reach.footprint.x;
  const double xs[] = {x0, (x0 + x1) / 2, x1};
  const double ys[] = {y0, (y0 + y1) / 2, y1};
  for (double y : ys) {
    for (double x : xs) {
      const Footprint at = footprint_at(faces, plan, x, y);
      reach.first_row = std::min(reach.first_row, at.row);
      reach.last_row = std::max(reach.last_row, at.row);
      smallest_x = std::min(smallest_x, at.x);
    }
  }
  // Beside a pole the extent along x varies without bound within a block: rather sharp than blurred, at most 2x apart.
  reach.footprint.x = std::min(reach.footprint.x, 2 * smallest_x);
  // The middle of a face can be the pole itself, where rows turn back: include it.
  const Vector middle = direction(plan, (x0 + x1) / 2, (y0 + y1) / 2);
  if (std::hypot(middle.x, middle.z) <
      2 * block_size * std::hypot(static_cast<double>(plan.column[0]), static_cast<double>(plan.column[2]))) {
    (middle.y < 0 ? reach.first_row : reach.last_row) = middle.y < 0 ? 0 : faces.panorama_height;
  }
  return reach;
}

std::uint8_t part_for(FacesPlan& faces, Reduction x, Reduction y, const BlockReach& reach) {
  if (x.halvings == 0 && y.halvings == 0) return 0;
  const bool lower = reach.footprint.row > faces.panorama_height / 2.0;
  const double scale = 1.0 / (1 << y.halvings);
  const int first = static_cast<int>(std::floor(reach.first_row * scale)) - level_padding;
  const int end = static_cast<int>(std::ceil(reach.last_row * scale)) + level_padding + 1;
  for (std::size_t i = 1; i < faces.parts.size(); ++i) {
    LevelPart& part = faces.parts[i];
    if (part.x_halvings != x.halvings || part.y_halvings != y.halvings || part.lower != lower) continue;
    const int new_end = std::max(part.first_row + part.row_count, end);
    part.first_row = std::min(part.first_row, first);
    part.row_count = new_end - part.first_row;
    return static_cast<std::uint8_t>(i);
  }
  faces.parts.push_back({x.halvings, y.halvings, faces.panorama_width >> x.halvings, first, end - first, lower});
  return static_cast<std::uint8_t>(faces.parts.size() - 1);
}

void choose_blocks(FacesPlan& plan, FacePlan& face) {
  const int x_halvings = halvings_of(plan.panorama_width);
  const int y_halvings = halvings_of(plan.panorama_height);
  for (int block_y = 0; block_y < face.blocks_per_row; ++block_y) {
    for (int block_x = 0; block_x < face.blocks_per_row; ++block_x) {
      const BlockReach reach = reach_of_block(plan, face, block_x, block_y);
      const Reduction x = reduction(reach.footprint.x, x_halvings);
      const Reduction y = reduction(reach.footprint.y, y_halvings);
      face.blocks[static_cast<std::size_t>(block_y * face.blocks_per_row + block_x)] = {
          static_cast<std::uint8_t>(x.step), static_cast<std::uint8_t>(y.step), part_for(plan, x, y, reach)};
    }
  }
}

int rounded_size(double size) { return std::max(16, static_cast<int>(std::lround(size / 16)) * 16); }

}  // namespace

KernelTable kernel_table(Filter filter) {
  KernelTable table;
  table.weights.resize(static_cast<std::size_t>((scale_steps + 1) * phase_count * tap_count));
  const bool stretches = filter == Filter::aniso;
  for (int step = 0; step <= scale_steps; ++step) {
    const double stretch = stretches ? std::exp2(static_cast<double>(step) / scale_steps) : 1.0;
    const bool eight = filter == Filter::lanczos || (stretches && step > 0);
    table.has_eight_taps[static_cast<std::size_t>(step)] = eight;
    for (int phase = 0; phase < phase_count; ++phase) {
      std::array<double, tap_count> weights{};
      for (int tap = 0; tap < tap_count; ++tap) {
        const double distance = tap - 3 - static_cast<double>(phase) / phase_count;
        if (eight || (tap >= 2 && tap <= 5)) {
          weights[static_cast<std::size_t>(tap)] = kernel(filter, distance / stretch);
        }
      }
      write_weights(weights, &table.weights[static_cast<std::size_t>((step * phase_count + phase) * tap_count)]);
    }
  }
  return table;
}

FacesPlan plan_faces(int panorama_width, int panorama_height, std::span<const std::array<double, 9>> pano_from_face,
                     double fov_rad, int size, Filter filter) {
  if (panorama_width < 16 || panorama_height < 8 || panorama_width > 65536) {
    throw Error(ErrorKind::usage, "panorama size is outside 16x8 … 65536 pixels wide");
  }
  if (size < 1 || size > 32768) throw Error(ErrorKind::usage, "face size is outside 1..32768 pixels");
  if (!(fov_rad > 0.01) || !(fov_rad < 3.0)) throw Error(ErrorKind::usage, "field of view is outside 1..170 degrees");

  FacesPlan plan;
  plan.panorama_width = panorama_width;
  plan.panorama_height = panorama_height;
  plan.filter = filter;
  plan.kernels = kernel_table(filter);
  plan.parts.push_back({0, 0, panorama_width, -level_padding, panorama_height + 2 * level_padding, false});
  for (const auto& rotation : pano_from_face) {
    FacePlan face;
    face.size = size;
    face.blocks_per_row = (size + block_size - 1) / block_size;
    const double per_pixel = 2 * std::tan(fov_rad / 2) / size;
    for (std::size_t k = 0; k < 3; ++k) {
      face.column[k] = static_cast<float>(rotation[k * 3] * per_pixel);
      face.row[k] = static_cast<float>(rotation[k * 3 + 1] * per_pixel);
      face.centre[k] = static_cast<float>(rotation[k * 3 + 2]);
    }
    face.blocks.resize(static_cast<std::size_t>(face.blocks_per_row * face.blocks_per_row));
    if (filter == Filter::aniso) choose_blocks(plan, face);
    plan.faces.push_back(std::move(face));
  }
  return plan;
}

int automatic_face_size(int panorama_width, double fov_rad) {
  return rounded_size(panorama_width / 4.0 * std::tan(fov_rad / 2));
}

int native_face_size(int panorama_width, double fov_rad) {
  return rounded_size(panorama_width / std::numbers::pi * std::tan(fov_rad / 2));
}

}  // namespace imago::pano
