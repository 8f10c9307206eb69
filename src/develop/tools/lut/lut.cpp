#include "develop/tools/lut/lut.h"

#include "color/matrix.h"

namespace imago::develop {
namespace {

struct Space {
  color::Primaries primaries;
  Transfer transfer;
};

Space space_of(LutSpace space) {
  switch (space) {
    case LutSpace::srgb: break;
    case LutSpace::rec709: return {color::srgb_primaries, rec2020_transfer};  // one curve, two documents
    case LutSpace::adobe_rgb: return {color::adobe_rgb_primaries, adobe_rgb_transfer};
    case LutSpace::p3: return {color::p3_primaries, srgb_transfer};
    case LutSpace::rec2020: return {color::rec2020_primaries, rec2020_transfer};
    case LutSpace::linear: return {color::srgb_primaries, linear_transfer};
  }
  return {color::srgb_primaries, srgb_transfer};
}

void set_matrix(float (&out)[8], const color::Primaries& to, const color::Primaries& from) {
  const color::Matrix3 m = color::rgb_from_rgb(to, from);
  constexpr int places[6][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};
  for (int i = 0; i < 6; ++i) out[i] = static_cast<float>(m(places[i][0], places[i][1]));
}

void set_domain(float (&low)[4], float (&scale)[4], const std::array<float, 3>& from, const std::array<float, 3>& to) {
  for (std::size_t c = 0; c < 3; ++c) {
    low[c] = from[c];
    scale[c] = 1 / (to[c] - from[c]);
  }
}

}  // namespace

LutParams derive_lut(const LutSettings& settings, const color::Lut* table) {
  if (table == nullptr || settings.amount == 0 || (table->curve_size == 0 && table->cube_size == 0)) return {};
  const auto [primaries, transfer] = space_of(static_cast<LutSpace>(settings.space));
  LutParams p;
  p.enabled = 1;
  p.curve_size = table->curve_size;
  p.cube_size = table->cube_size;
  p.cube_start = 3 * table->curve_size;
  p.amount = 0.01f * settings.amount;
  p.slope = transfer.slope;
  p.threshold = transfer.threshold;
  p.scale = transfer.scale;
  p.exponent = transfer.exponent;
  p.offset = transfer.offset;
  p.encoded_threshold = transfer.slope * transfer.threshold;
  p.inverse_slope = transfer.slope > 0 ? 1 / transfer.slope : 0.0f;
  p.inverse_scale = 1 / transfer.scale;
  p.inverse_exponent = 1 / transfer.exponent;
  set_domain(p.curve_min, p.curve_scale, table->curve_min, table->curve_max);
  set_domain(p.cube_min, p.cube_scale, table->cube_min, table->cube_max);
  set_matrix(p.to_space, primaries, color::rec2020_primaries);
  set_matrix(p.from_space, color::rec2020_primaries, primaries);
  return p;
}

std::vector<float> lut_table(const LutParams& params, const color::Lut* table) {
  if (params.enabled == 0) return {};
  std::vector<float> values;
  values.reserve(table->curves.size() + table->cube.size());
  values.insert(values.end(), table->curves.begin(), table->curves.end());
  values.insert(values.end(), table->cube.begin(), table->cube.end());
  return values;
}

}  // namespace imago::develop
