#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "develop/stages/detail/detail.h"

namespace imago::develop {
namespace {

// Half of a Gaussian, cut at three deviations; all taps together sum to 1.
std::vector<float> half_gaussian(double sigma) {
  const int reach = std::clamp(static_cast<int>(std::ceil(3 * sigma)), 1, 9);
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i <= reach; ++i) {
    weights.push_back(sigma > 0 ? std::exp(-0.5 * i * i / (sigma * sigma)) : i == 0);
    sum += i == 0 ? weights.back() : 2 * weights.back();
  }
  std::vector<float> taps;
  for (const double weight : weights) taps.push_back(static_cast<float>(weight / sum));
  return taps;
}

}  // namespace

DetailPlan plan_detail(const Sharpen& sharpen, const Presence& presence, int width, int height, double level,
                       double full_diagonal_px) {
  DetailPlan plan;
  plan.width = width;
  plan.height = height;
  plan.clarity = presence.clarity * 0.007f;
  plan.texture = presence.texture * 0.009f;
  if (presence.texture != 0) {
    plan.fine = plan_planes(width, height, full_diagonal_px, fine_radius_of_diagonal, fine_epsilon);
  }
  plan.sharpen = sharpen.amount * 0.015f;
  plan.slack = sharpen.detail * sharpen.detail * 1e-4f + 0.02f;
  if (sharpen.masking > 0)
    plan.mask_from_gradient = static_cast<float>(level / (0.003 * static_cast<double>(sharpen.masking)));
  if (plan.sharpen != 0) {
    plan.taps = half_gaussian(static_cast<double>(sharpen.radius_px) * level);
    plan.tap_reach = static_cast<int>(plan.taps.size()) - 1;
  }
  return plan;
}

StageKey key(const DetailPlan& plan, StageKey upstream) {
  if (plan.is_identity()) return upstream;
  Hash64 hash;
  hash.add("detail").add(upstream).add(plan.clarity).add(plan.texture).add(plan.sharpen);
  if (plan.texture != 0) hash.add(key(plan.fine, 0));
  if (plan.sharpen != 0) {
    hash.add(plan.slack).add(plan.mask_from_gradient);
    for (const float tap : plan.taps) hash.add(tap);
  }
  return hash.value();
}

}  // namespace imago::develop
