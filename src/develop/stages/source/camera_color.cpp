#include "develop/stages/source/camera_color.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "io/raw/white_balance.h"

namespace imago::develop {

color::CameraProfile camera_profile(const io::RawImage& raw) { return io::camera_profile_of(raw); }

SceneColor scene_color(const io::RawImage& raw) {
  SceneColor scene;
  scene.profile.reset();
  if (raw.layout == io::RawLayout::monochrome) return scene;
  scene.profile = camera_profile(raw);
  const color::Vector3 neutral{raw.neutral[0], raw.neutral[1], raw.neutral[2]};
  scene.as_shot = color::camera_color_from_neutral(*scene.profile, neutral);
  return scene;
}

double exposure_gain(const io::RawImage& raw) { return std::exp2(raw.baseline_exposure_ev + raw.profile_exposure_ev); }

std::array<float, 9> prophoto_from_balanced_camera(const io::RawImage& raw) {
  return color::to_float(color::rgb_from_rgb(color::prophoto_primaries, color::rec2020_primaries) *
                         scene_color(raw).as_shot.working_from_balanced);
}

std::array<float, 9> working_from_balanced_camera(const io::RawImage& raw) {
  const double exposure = exposure_gain(raw);
  color::Matrix3 matrix;
  if (raw.layout != io::RawLayout::monochrome) {
    matrix = scene_color(raw).as_shot.working_from_balanced;
  }
  std::array<float, 9> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(matrix.m[i] * exposure);
  return out;
}

color::HueSatMap hue_sat_map(const io::RawImage& raw) {
  std::vector<const io::CameraLook::Map*> maps;
  for (const io::CameraLook::Map& map : raw.look.hue_sat) maps.push_back(&map);
  if (maps.empty() || raw.layout == io::RawLayout::monochrome) return {};
  std::ranges::stable_sort(maps, {}, [](const auto* map) { return map->cct_kelvin; });
  const double kelvin = scene_color(raw).as_shot.temperature.kelvin;
  std::size_t above = 0;
  while (above + 1 < maps.size() && maps[above]->cct_kelvin < kelvin) ++above;
  const io::CameraLook::Map& warm = *maps[above > 0 ? above - 1 : 0];
  const io::CameraLook::Map& cool = *maps[above];
  if (!(warm.cct_kelvin < cool.cct_kelvin)) return cool.map;
  const double weight = (1 / kelvin - 1 / warm.cct_kelvin) / (1 / cool.cct_kelvin - 1 / warm.cct_kelvin);
  return color::mixed(warm.map, cool.map, std::clamp(weight, 0.0, 1.0));
}

void apply_hue_sat(const SourcePlan& plan, Rgb32f& picture) {
  if (plan.hue_sat.enabled == 0) return;
  const float* const table = plan.hue_sat_table.data();
  const float gain = plan.exposure_gain;
  parallel_for(picture.height, 16, [&](RowRange rows) {
    float* at = picture.row(rows.begin);
    float* const end = at + static_cast<std::size_t>(rows.count()) * picture.row_samples();
    for (; at < end; at += 3) {
      const Rgb v = working_from_prophoto(hue_sat_adjusted(plan.hue_sat, table, {at[0], at[1], at[2]}));
      at[0] = v.r * gain;
      at[1] = v.g * gain;
      at[2] = v.b * gain;
    }
  });
}

}  // namespace imago::develop
