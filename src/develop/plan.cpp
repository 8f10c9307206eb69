#include "develop/plan.h"

#include <algorithm>
#include <cmath>

#include "geometry/affine.h"

namespace imago::develop {
namespace {

struct Size {
  int width, height;
};

// The framed picture's size, reduced to the long edge that was asked for.
Size output_size(const GeomPlan& geom, int long_edge_px) {
  const int long_edge = std::max(geom.output_width, geom.output_height);
  if (long_edge_px <= 0 || long_edge_px >= long_edge) return {geom.output_width, geom.output_height};
  const double scale = static_cast<double>(long_edge_px) / long_edge;
  const auto scaled = [&](int size) { return std::max(1, static_cast<int>(std::lround(size * scale))); };
  return {scaled(geom.output_width), scaled(geom.output_height)};
}

// Fractions of the sensor frame from pixel positions of the output.
geometry::Affine sensor_from_final(const GeomPlan& geom, Size output) {
  const geometry::Affine framed_from_output{static_cast<double>(geom.output_width) / output.width,   0, 0, 0,
                                            static_cast<double>(geom.output_height) / output.height, 0};
  return geometry::compose(sensor_from_output(geom), framed_from_output);
}

}  // namespace

Plan plan(const Photo& photo, const RenderRequest& request) {
  const Settings& settings = request.settings;
  Plan plan;
  plan.geom = plan_geom(settings.geometry, photo.orientation, photo.source.width, photo.source.height,
                        request.is_draft ? GeomFilter::bilinear : GeomFilter::bicubic);
  const Size output = output_size(plan.geom, request.long_edge_px);
  plan.width = output.width;
  plan.height = output.height;
  plan.resize = plan_resize(plan.geom.output_width, plan.geom.output_height, plan.width, plan.height, request.is_draft);
  plan.finish = plan_finish(settings, request.format, photo.is_raw, {}, photo.color, photo.look);

  const double level = static_cast<double>(plan.width) / plan.geom.output_width;
  plan.planes = plan_planes(plan.width, plan.height, std::hypot(photo.source.width, photo.source.height) * level);
  plan.masks = plan_masks(settings.masks, sensor_from_final(plan.geom, output), photo.source.width, photo.source.height,
                          plan.width, plan.height);

  plan.source_key = photo.key;
  plan.geom_key = key(plan.geom, plan.source_key);
  plan.scene_key = key(plan.resize, plan.geom_key);
  plan.base_key = key(plan.planes, plan.scene_key);
  plan.masks_key = key(plan.masks, 0);
  return plan;
}

}  // namespace imago::develop
