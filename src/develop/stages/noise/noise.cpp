#include "develop/stages/noise/noise.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "base/parallel.h"
#include "base/simd.h"

namespace imago::develop {
namespace {

constexpr int rows_per_chunk = 32;

// For the pyramid only: what is no number, or too large to be squared, counts as 0.
inline float usable(float x) {
  const float below = x < 65504.0f ? x : 0.0f;
  return below > -65504.0f ? below : 0.0f;
}

// (1 3 3 1) / 8 of four rows.
IMAGO_SIMD_CLONES
void down_columns(const float* r0, const float* r1, const float* r2, const float* r3, int count, float* out) {
  for (int i = 0; i < count; ++i) {
    out[i] = (usable(r0[i]) + usable(r3[i])) * 0.125f + (usable(r1[i]) + usable(r2[i])) * 0.375f;
  }
}

void down_row(const float* in, int in_width, int out_width, float* out) {
  const auto blend = [&](int a, int b, int c, int d, int x) {
    for (int k = 0; k < 3; ++k) {
      out[3 * x + k] = (in[3 * a + k] + in[3 * d + k]) * 0.125f + (in[3 * b + k] + in[3 * c + k]) * 0.375f;
    }
  };
  const int last = in_width - 1;
  for (int x = 0; x < out_width; ++x) {
    const int at = 2 * x;
    blend(std::max(at - 1, 0), at, std::min(at + 1, last), std::min(at + 2, last), x);
  }
}

Rgb32f half_size(const Rgb32f& in) {
  Rgb32f out((in.width + 1) / 2, (in.height + 1) / 2);
  const int last = in.height - 1;
  parallel_for(out.height, rows_per_chunk, [&](RowRange rows) {
    std::vector<float> line(in.row_samples());
    for (int y = rows.begin; y < rows.end; ++y) {
      const int at = 2 * y;
      down_columns(in.row(std::max(at - 1, 0)), in.row(at), in.row(std::min(at + 1, last)),
                   in.row(std::min(at + 2, last)), static_cast<int>(in.row_samples()), line.data());
      down_row(line.data(), in.width, out.width, out.row(y));
    }
  });
  return out;
}

IMAGO_SIMD_CLONES
void up_columns(const float* near, const float* far, int count, float* out) {
  for (int i = 0; i < count; ++i) out[i] = 0.75f * near[i] + 0.25f * far[i];
}

IMAGO_SIMD_CLONES
void up_row(const float* in, int in_width, int out_width, float* out) {
  for (int x = 0; x < in_width; ++x) {
    const int before = x > 0 ? x - 1 : 0;
    const int after = x + 1 < in_width ? x + 1 : in_width - 1;
    const bool has_second = 2 * x + 1 < out_width;
    for (int k = 0; k < 3; ++k) {
      out[6 * x + k] = 0.75f * in[3 * x + k] + 0.25f * in[3 * before + k];
      if (has_second) out[6 * x + 3 + k] = 0.75f * in[3 * x + k] + 0.25f * in[3 * after + k];
    }
  }
}

// Row y of `in` at twice the size.
void up(const Rgb32f& in, int y, int out_width, float* line, float* out) {
  const int near = y / 2;
  const int far = std::clamp(y % 2 == 0 ? near - 1 : near + 1, 0, in.height - 1);
  up_columns(in.row(near), in.row(far), static_cast<int>(in.row_samples()), line);
  up_row(line, in.width, out_width, out);
}

// One row of D as planes, and of the light that its noise goes with.
struct DetailRow {
  std::vector<float> y, u, v, light;
  explicit DetailRow(int width) : y(static_cast<std::size_t>(width)), u(y.size()), v(y.size()), light(y.size()) {}
};

IMAGO_SIMD_CLONES
void split(const float* picture, const float* coarse, int width, float* y, float* u, float* v, float* light) {
  for (int x = 0; x < width; ++x) {
    const float r = usable(picture[3 * x]) - coarse[3 * x];
    const float g = usable(picture[3 * x + 1]) - coarse[3 * x + 1];
    const float b = usable(picture[3 * x + 2]) - coarse[3 * x + 2];
    y[x] = (r + b) * 0.25f + g * 0.5f;
    u[x] = r - g;
    v[x] = b - g;
    light[x] = (coarse[3 * x] + coarse[3 * x + 2]) * 0.25f + coarse[3 * x + 1] * 0.5f;
  }
}

// Sums of squares down three rows; U and V in units of their variance at signal 1 are joined later.
IMAGO_SIMD_CLONES
void square_columns(const float* above, const float* here, const float* below, int width, float* out) {
  for (int x = 0; x < width; ++x) out[x] = (above[x] * above[x] + below[x] * below[x]) + here[x] * here[x];
}

IMAGO_SIMD_CLONES
void mean_of_three(const float* in, int width, float* out) {
  constexpr float ninth = 1.0f / 9.0f;
  for (int x = 1; x + 1 < width; ++x) out[x] = ((in[x - 1] + in[x + 1]) + in[x]) * ninth;
  const int last = width - 1;
  out[0] = ((in[0] + in[std::min(1, last)]) + in[0]) * ninth;
  if (last > 0) out[last] = ((in[last - 1] + in[last]) + in[last]) * ninth;
}

struct LevelParams {
  float luminance, color, gain_u, gain_v;
  NoiseModel model;
};

// What the row's D loses, added to `loss` (RGB).
IMAGO_SIMD_CLONES
void lose(const LevelParams& p, const float* y, const float* u, const float* v, const float* light, const float* ey,
          const float* eu, const float* ev, int width, float* loss) {
  const float scale_y = p.model.scale[0], scale_u = p.model.scale[1] * p.gain_u, scale_v = p.model.scale[2] * p.gain_v;
  const float offset_y = p.model.offset[0], offset_u = p.model.offset[1] * p.gain_u,
              offset_v = p.model.offset[2] * p.gain_v;
  constexpr float tiny = 1e-30f;
  for (int x = 0; x < width; ++x) {
    const float signal = light[x] > 0.0f ? light[x] : 0.0f;
    const float share_y = p.luminance * (scale_y * signal + offset_y) / (ey[x] + tiny);
    const float energy = (eu[x] / (scale_u * signal + offset_u) + ev[x] / (scale_v * signal + offset_v)) * 0.5f;
    const float share_c = p.color / (energy + tiny);
    const float ly = y[x] * (share_y < 1.0f ? share_y : 1.0f);
    const float c = share_c < 1.0f ? share_c : 1.0f;
    const float lu = u[x] * c, lv = v[x] * c;
    const float green = ly - (lu + lv) * 0.25f;
    loss[3 * x] += lu + green;
    loss[3 * x + 1] += green;
    loss[3 * x + 2] += lv + green;
  }
}

// Rows of the loss of one level and all below it.
class LevelRows {
 public:
  LevelRows(const LevelParams& params, const Rgb32f& picture, const Rgb32f& coarse, const Rgb32f* coarse_loss)
      : params_(params),
        picture_(picture),
        coarse_(coarse),
        coarse_loss_(coarse_loss),
        ring_{DetailRow(picture.width), DetailRow(picture.width), DetailRow(picture.width)},
        line_(coarse.row_samples()),
        up_(picture.row_samples()),
        column_(static_cast<std::size_t>(picture.width)),
        energy_{column_, column_, column_} {}

  void run(int y, float* loss) {
    const int last = picture_.height - 1;
    const DetailRow& above = detail(std::max(y - 1, 0));
    const DetailRow& here = detail(y);
    const DetailRow& below = detail(std::min(y + 1, last));
    const int width = picture_.width;
    const auto measure = [&](std::vector<float> DetailRow::*plane, std::vector<float>& energy) {
      square_columns((above.*plane).data(), (here.*plane).data(), (below.*plane).data(), width, column_.data());
      mean_of_three(column_.data(), width, energy.data());
    };
    measure(&DetailRow::y, energy_[0]);
    measure(&DetailRow::u, energy_[1]);
    measure(&DetailRow::v, energy_[2]);
    if (coarse_loss_ != nullptr) {
      up(*coarse_loss_, y, width, line_.data(), loss);
    } else {
      std::fill(loss, loss + picture_.row_samples(), 0.0f);
    }
    lose(params_, here.y.data(), here.u.data(), here.v.data(), here.light.data(), energy_[0].data(), energy_[1].data(),
         energy_[2].data(), width, loss);
  }

 private:
  // Three consecutive rows are at hand at a time.
  const DetailRow& detail(int y) {
    DetailRow& row = ring_[static_cast<std::size_t>(y % 3)];
    if (held_[y % 3] != y) {
      up(coarse_, y, picture_.width, line_.data(), up_.data());
      split(picture_.row(y), up_.data(), picture_.width, row.y.data(), row.u.data(), row.v.data(), row.light.data());
      held_[y % 3] = y;
    }
    return row;
  }

  const LevelParams& params_;
  const Rgb32f& picture_;
  const Rgb32f& coarse_;
  const Rgb32f* coarse_loss_;
  std::array<DetailRow, 3> ring_;
  int held_[3] = {-1, -1, -1};
  std::vector<float> line_, up_, column_;
  std::array<std::vector<float>, 3> energy_;
};

LevelParams level_params(const NrParams& params, int level) {
  const auto k = static_cast<std::size_t>(level);
  return {params.luminance[k], params.color[k], params.color_gain_u[k], params.color_gain_v[k], params.model};
}

IMAGO_SIMD_CLONES
void take_away(const float* picture, const float* loss, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = picture[i] - loss[i];
}

}  // namespace

Rgb32f reduce_noise(const NoisePlan& plan, const Rgb32f& scene) {
  assert(scene.width == plan.width && scene.height == plan.height);
  std::vector<Rgb32f> pyramid;  // G(1) …
  for (int k = 0; k < noise_levels; ++k) pyramid.push_back(half_size(k == 0 ? scene : pyramid.back()));

  Rgb32f loss;
  for (int k = noise_levels - 1; k >= 0; --k) {
    const LevelParams params = level_params(plan.params, k);
    const Rgb32f& picture = k == 0 ? scene : pyramid[static_cast<std::size_t>(k - 1)];
    const Rgb32f& coarse = pyramid[static_cast<std::size_t>(k)];
    Rgb32f out(picture.width, picture.height);
    parallel_for(picture.height, rows_per_chunk, [&](RowRange rows) {
      LevelRows level(params, picture, coarse, loss.empty() ? nullptr : &loss);
      for (int y = rows.begin; y < rows.end; ++y) {
        float* row = out.row(y);
        level.run(y, row);
        if (k == 0) take_away(picture.row(y), row, picture.row_samples(), row);
      }
    });
    loss = std::move(out);
    pyramid.resize(static_cast<std::size_t>(k));
  }
  return loss;
}

}  // namespace imago::develop
