#include "pano/deep_faces.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/parallel.h"
#include "color/transfer.h"
#include "pano/equirect_coordinates.h"

namespace imago::pano {
namespace {

using Values = std::vector<float>;  // of all 16-bit codes

Values values_of(Light light) {
  Values values(65536);
  for (std::size_t code = 0; code < values.size(); ++code) {
    const float encoded = static_cast<float>(code) / 65535.0f;
    values[code] = light == Light::linear ? color::decode_srgb(encoded) : encoded;
  }
  return values;
}

// Rows of RGB in f32 with `level_padding` pixels on both sides. Row 0 is the part's first row.
struct FloatPart {
  int stride = 0;  // floats
  std::vector<float> samples;
};

// A panorama halved vertically some times, in f32; at level 0 it reads the picture.
struct Level {
  int width = 0, height = 0;
  const Rgb16* picture = nullptr;
  const Values* values = nullptr;
  std::vector<float> samples;

  // Any row: beyond a pole they continue half a turn away.
  void read(int y, float* out) const {
    const bool over = y < 0 || y >= height;
    const int inside = std::clamp(y < 0 ? -1 - y : y >= height ? 2 * height - 1 - y : y, 0, height - 1);
    const std::size_t count = 3 * static_cast<std::size_t>(width);
    if (picture != nullptr) {
      const std::uint16_t* row = picture->row(inside);
      for (std::size_t i = 0; i < count; ++i) out[i] = (*values)[row[i]];
    } else {
      std::copy_n(samples.data() + static_cast<std::size_t>(inside) * count, count, out);
    }
    if (over) std::rotate(out, out + 3 * static_cast<std::size_t>(width / 2), out + count);
  }
};

float mean_1331(float a, float b, float c, float d) { return (a + d + 3.0f * (b + c)) * 0.125f; }

Level halved_rows(const Level& level) {
  Level out{level.width, level.height / 2, nullptr, nullptr, {}};
  const std::size_t count = 3 * static_cast<std::size_t>(level.width);
  out.samples.resize(count * static_cast<std::size_t>(out.height));
  parallel_for(out.height, 16, [&](RowRange range) {
    std::vector<float> rows(4 * count);
    for (int y = range.begin; y < range.end; ++y) {
      for (int k = 0; k < 4; ++k) level.read(2 * y - 1 + k, rows.data() + static_cast<std::size_t>(k) * count);
      float* mean = out.samples.data() + static_cast<std::size_t>(y) * count;
      for (std::size_t i = 0; i < count; ++i) {
        mean[i] = mean_1331(rows[i], rows[count + i], rows[2 * count + i], rows[3 * count + i]);
      }
    }
  });
  return out;
}

void halve_row(std::vector<float>& row) {
  const std::size_t width = row.size() / 3, half = width / 2;
  std::vector<float> out(3 * half);
  for (std::size_t i = 0; i < half; ++i) {
    const std::size_t before = i == 0 ? width - 1 : 2 * i - 1;
    const std::size_t after = 2 * i + 2 == width ? 0 : 2 * i + 2;
    for (std::size_t c = 0; c < 3; ++c) {
      out[3 * i + c] = mean_1331(row[3 * before + c], row[6 * i + c], row[6 * i + 3 + c], row[3 * after + c]);
    }
  }
  row = std::move(out);
}

// Part 0 is all of the panorama: its rows are made when a face row needs them, see RowCache.
FloatPart float_part(const Level& level, const LevelPart& part) {
  FloatPart out;
  out.stride = 3 * (part.width + 2 * level_padding);
  out.samples.resize(static_cast<std::size_t>(out.stride) * static_cast<std::size_t>(part.row_count));
  parallel_for(part.row_count, 16, [&](RowRange range) {
    for (int i = range.begin; i < range.end; ++i) {
      std::vector<float> row(3 * static_cast<std::size_t>(level.width));
      level.read(std::clamp(part.first_row + i, -level.height, 2 * level.height - 1), row.data());
      for (int halving = 0; halving < part.x_halvings; ++halving) halve_row(row);
      const int width = static_cast<int>(row.size() / 3);
      float* to = out.samples.data() + static_cast<std::ptrdiff_t>(i) * out.stride;
      for (int x = -level_padding; x < width + level_padding; ++x) {
        const int from = ((x % width) + width) % width;
        std::copy_n(row.data() + 3 * static_cast<std::ptrdiff_t>(from), 3, to + 3 * (x + level_padding));
      }
    }
  });
  return out;
}

// One tap's three values from the panorama itself (part 0), wrapped.
struct PictureTaps {
  const Rgb16& picture;
  const Values& values;

  const std::uint16_t* at(int x, int y) const {
    const int inside = std::clamp(y < 0                 ? -1 - y
                                  : y >= picture.height ? 2 * picture.height - 1 - y
                                                        : y,
                                  0, picture.height - 1);
    const int turned = inside == y ? x : x + picture.width / 2;
    const int column = ((turned % picture.width) + picture.width) % picture.width;
    return picture.at(column, inside);
  }
  void add(int x, int y, float weight, float* sum) const {
    const std::uint16_t* p = at(x, y);
    for (int c = 0; c < 3; ++c) sum[c] += weight * values[p[c]];
  }
};

struct PartTaps {
  const FloatPart& part;
  int first_row;

  void add(int x, int y, float weight, float* sum) const {
    const float* p =
        part.samples.data() + static_cast<std::ptrdiff_t>(y - first_row) * part.stride + 3 * (x + level_padding);
    for (int c = 0; c < 3; ++c) sum[c] += weight * p[c];
  }
};

struct Kernels {
  const std::int16_t* x;
  const std::int16_t* y;
};

template <typename Taps>
void sample(const Taps& taps, int fixed_x, int fixed_y, const Kernels& kernels, float* sum) {
  const std::int16_t* wx = kernels.x + (fixed_x & 255) * tap_count;
  const std::int16_t* wy = kernels.y + (fixed_y & 255) * tap_count;
  constexpr float unit = 1.0f / (static_cast<float>(weight_one) * static_cast<float>(weight_one));
  for (int j = 0; j < tap_count; ++j) {
    if (wy[j] == 0) continue;
    for (int i = 0; i < tap_count; ++i) {
      if (wx[i] == 0) continue;
      taps.add((fixed_x >> 8) + i - 3, (fixed_y >> 8) + j - 3,
               static_cast<float>(wx[i]) * static_cast<float>(wy[j]) * unit, sum);
    }
  }
}

struct DeepSource {
  const FacesPlan& plan;
  const Rgb16& picture;
  Values values;
  std::vector<FloatPart> parts;  // of part i, empty for 0
  Light light;
};

std::uint16_t code_of(float value, Light light) {
  const float bounded = value > 0.0f ? std::min(value, 1.0f) : 0.0f;
  const float encoded = light == Light::linear ? color::encode_srgb(bounded) : bounded;
  return static_cast<std::uint16_t>(std::min(encoded, 1.0f) * 65535.0f + 0.5f);
}

void sample_row(const DeepSource& source, const FacePlan& face, int j, std::uint16_t* out) {
  const FacesPlan& plan = source.plan;
  const float half = static_cast<float>(face.size) * 0.5f;
  const float v = static_cast<float>(j) + 0.5f - half;
  const std::size_t table_row = static_cast<std::size_t>(phase_count) * tap_count;
  for (int i = 0; i < face.size; ++i, out += 3) {
    const float u = static_cast<float>(i) + 0.5f - half;
    const float dx = face.column[0] * u + (face.row[0] * v + face.centre[0]);
    const float dy = face.column[1] * u + (face.row[1] * v + face.centre[1]);
    const float dz = face.column[2] * u + (face.row[2] * v + face.centre[2]);
    const float x = (turns_atan2(dx, dz) + 0.5f) * static_cast<float>(plan.panorama_width);
    const float y =
        (turns_atan2(dy, std::sqrt(dx * dx + dz * dz)) * 2.0f + 0.5f) * static_cast<float>(plan.panorama_height);
    const Block block = face.blocks[static_cast<std::size_t>((j / block_size) * face.blocks_per_row + i / block_size)];
    const LevelPart& part = plan.parts[block.part];
    const int fixed_x = static_cast<int>(std::floor(x * (256.0f / static_cast<float>(1 << part.x_halvings)) - 127.5f));
    const int fixed_y = static_cast<int>(std::floor(y * (256.0f / static_cast<float>(1 << part.y_halvings)) - 127.5f));
    const Kernels kernels{plan.kernels.weights.data() + block.scale_x * table_row,
                          plan.kernels.weights.data() + block.scale_y * table_row};
    float sum[3] = {0, 0, 0};
    if (block.part == 0) {
      sample(PictureTaps{source.picture, source.values}, fixed_x, fixed_y, kernels, sum);
    } else {
      sample(PartTaps{source.parts[block.part], part.first_row}, fixed_x, fixed_y, kernels, sum);
    }
    for (int c = 0; c < 3; ++c) out[c] = code_of(sum[c], source.light);
  }
}

std::vector<FloatPart> float_parts(const FacesPlan& plan, const Rgb16& panorama, const Values& values) {
  std::vector<FloatPart> parts(plan.parts.size());
  int deepest = 0;
  for (const LevelPart& part : plan.parts) deepest = std::max(deepest, part.y_halvings);
  Level level{panorama.width, panorama.height, &panorama, &values, {}};
  for (int halvings = 0; halvings <= deepest; ++halvings) {
    if (halvings > 0) level = halved_rows(level);
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (plan.parts[i].y_halvings == halvings) parts[i] = float_part(level, plan.parts[i]);
    }
  }
  return parts;
}

}  // namespace

std::vector<Rgb16> render_deep_faces(const FacesPlan& plan, const Rgb16& panorama, Light light) {
  Values values = values_of(light);
  std::vector<FloatPart> parts = float_parts(plan, panorama, values);
  const DeepSource source{plan, panorama, std::move(values), std::move(parts), light};
  std::vector<Rgb16> faces;
  for (const FacePlan& face : plan.faces) {
    Rgb16 out(face.size, face.size);
    parallel_for(face.size, block_size, [&](RowRange rows) {
      for (int j = rows.begin; j < rows.end; ++j) sample_row(source, face, j, out.row(j));
    });
    faces.push_back(std::move(out));
  }
  return faces;
}

Rgb16 deepened(const Rgba8& picture) {
  Rgb16 out(picture.width, picture.height);
  for (std::size_t i = 0; i < out.pixels.size() / 3; ++i) {
    for (std::size_t c = 0; c < 3; ++c)
      out.pixels[3 * i + c] = static_cast<std::uint16_t>(picture.pixels[4 * i + c] * 257);
  }
  return out;
}

Rgba8 flattened(const Rgb16& picture) {
  Rgba8 out(picture.width, picture.height);
  for (std::size_t i = 0; i < out.pixels.size() / 4; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      out.pixels[4 * i + c] = static_cast<std::uint8_t>((picture.pixels[3 * i + c] * 255u + 32895u) >> 16);
    }
    out.pixels[4 * i + 3] = 255;
  }
  return out;
}

}  // namespace imago::pano
