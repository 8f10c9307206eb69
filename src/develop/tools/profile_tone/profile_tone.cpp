#include "develop/tools/profile_tone/profile_tone.h"

#include "develop/tools/curve/curve.h"

namespace imago::develop {

ProfileToneParams derive_profile_tone(const std::vector<std::array<float, 2>>& points, std::vector<float>& table) {
  if (points.size() < 2) return {};
  ProfileToneParams p;
  p.enabled = 1;
  p.start = static_cast<std::uint32_t>(table.size());
  std::vector<CurvePoint> curve;
  for (const auto& [x, y] : points) curve.push_back({x, y});
  const MonotoneCubic tone(std::move(curve));
  for (int i = 0; i < profile_tone_samples; ++i) {
    const double root = i / (profile_tone_samples - 1.0);
    table.push_back(static_cast<float>(tone(root * root)));
  }
  return p;
}

}  // namespace imago::develop
