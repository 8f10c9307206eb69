#include "develop/plan.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/error.h"
#include "geometry/affine.h"

namespace imago::develop {
namespace {

struct Size {
  int width, height;
};

// The framed picture's size, brought within the bounds that were asked for.
Size output_size(const GeomPlan& geom, int long_edge_px, const SizeBounds& bounds) {
  const double width = geom.output_width, height = geom.output_height;
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  double scale = unbounded;
  const auto bound = [&](double wanted, double ratio) {
    if (wanted > 0) scale = std::min(scale, ratio);
  };
  bound(long_edge_px, long_edge_px / std::max(width, height));
  bound(bounds.width_px, bounds.width_px / width);
  bound(bounds.height_px, bounds.height_px / height);
  bound(bounds.megapixels, std::sqrt(bounds.megapixels * 1e6 / (width * height)));
  bound(bounds.percent, bounds.percent / 100);
  if (scale == unbounded || (scale >= 1 && !bounds.enlarge)) return {geom.output_width, geom.output_height};
  constexpr double most_pixels = 1e9;
  if (scale > 1 && width * height * scale * scale > most_pixels) {
    throw Error(ErrorKind::usage, fmt::format("enlarged to {:.0f} x {:.0f} pixels: 1000 megapixels are the most",
                                              width * scale, height * scale));
  }
  const auto scaled = [&](double size) { return std::max(1, static_cast<int>(std::lround(size * scale))); };
  return {scaled(width), scaled(height)};
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
  const Size output = output_size(plan.geom, request.long_edge_px, request.bounds);
  plan.width = output.width;
  plan.height = output.height;
  plan.resize = plan_resize(plan.geom.output_width, plan.geom.output_height, plan.width, plan.height, request.is_draft);

  const double level = static_cast<double>(plan.width) / plan.geom.output_width;
  plan.finish = plan_finish(settings, request.format, photo.is_raw, view_of(plan.width, plan.height), photo.color,
                            photo.look, static_cast<float>(1 / level), request.lut.get());
  plan.noise = plan_noise(settings.noise, photo.noise, plan.width, plan.height, level);
  const double diagonal = std::hypot(photo.source.width, photo.source.height) * level;
  plan.planes = plan_planes(plan.width, plan.height, diagonal);
  plan.spots =
      plan_spots(settings.spots, geometry::inverse(sensor_from_final(plan.geom, output)), photo.source.width, level);
  plan.dehaze = plan_dehaze(settings.presence, plan.width, plan.height, diagonal);
  plan.detail = plan_detail(settings.sharpen, settings.presence, plan.width, plan.height, level, diagonal);
  plan.masks = plan_masks(settings.masks, sensor_from_final(plan.geom, output), photo.source.width, photo.source.height,
                          plan.width, plan.height);

  plan.source_key = photo.key;
  plan.geom_key = key(plan.geom, plan.source_key);
  plan.scene_key = key(plan.resize, plan.geom_key);
  plan.clean_key = key(plan.dehaze, key(plan.noise, key(plan.spots, plan.scene_key)));
  plan.base_key = key(plan.planes, plan.clean_key);
  plan.detail_key = key(plan.detail, plan.clean_key);
  plan.masks_key = key(plan.masks, plan.masks.looks_at_scene() ? plan.clean_key : 0);
  return plan;
}

}  // namespace imago::develop
