#include <fmt/format.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "base/field_access.h"
#include "develop/settings/settings.h"
#include "develop/stages/geom/geom.h"
#include "develop/stages/masks/masks.h"
#include "develop/stages/planes/planes.h"
#include "develop/stages/resize/resize.h"
#include "oracle/case.h"
#include "oracle/fields.h"
#include "oracle/pictures.h"

namespace imago::oracle {
namespace {

using namespace develop;

// 16 products and their sums, each rounded or fused.
constexpr Tolerance products_of_light = within(1e-6, 1e-7, "sums of products of values below one; a driver may fuse");
constexpr Tolerance products_up_to_65504 =
    within(1e-6 * 65504, 1e-7 * 65504, "the same, relative to the largest sample");

template <typename Picture>
std::vector<float> samples_of(const Picture& picture) {
  return {picture.pixels.begin(), picture.pixels.end()};
}

Work geom_work(const Geometry& geometry, int orientation, GeomFilter filter, Rgb32f picture, std::uint64_t binding) {
  Work work;
  const Rgb32f& source = keep(work, std::move(picture));
  const GeomPlan plan = plan_geom(geometry, orientation, source.width, source.height, filter);
  const int input = upload(work.list, source.width, source.height, 3, Element::f32, source.pixels);
  work.outputs = {add_geom(plan, work.list, input)};
  work.cpu = [plan, &source] { return samples_of(run_geom(plan, copy_of(source))); };
  work.binding_bytes = plan.is_identity ? 0 : binding;
  return work;
}

void add_geom_copies(std::vector<Case>& cases) {
  for (const auto& [width, height] : small_sizes) {
    for (int orientation = 1; orientation <= 8; ++orientation) {
      const auto make = [w = width, h = height, orientation] {
        const Geometry geometry{.crop_left = 0.2f, .crop_bottom = 0.7f, .quarter_turns = 1};
        return geom_work(geometry, orientation, GeomFilter::bicubic, sprinkled(noise_picture(w, h, 1), any_values),
                         h > 200 ? 64 * 1024 : 0);
      };
      cases.push_back({fmt::format("geom/copy/{}x{}/orientation={}", width, height, orientation),
                       {"geom", "geometry"},
                       same_bits,
                       make});
    }
  }
}

void add_geom_resamples(std::vector<Case>& cases) {
  // A small angle is cut into bands of output rows; with a quarter turn or a large angle the pass gathers.
  constexpr std::tuple<float, int, GeomFilter> turns[] = {{-11.5f, 6, GeomFilter::bicubic},
                                                          {44.0f, 3, GeomFilter::bicubic},
                                                          {2.5f, 1, GeomFilter::bicubic},
                                                          {-2.5f, 4, GeomFilter::bilinear}};
  for (const auto& size : small_sizes) {
    for (const auto& turn : turns) {
      // Names of their own: clang 14 hands no structured bindings to lambdas.
      const int width = size.width, height = size.height, orientation = std::get<1>(turn);
      const float angle = std::get<0>(turn);
      const GeomFilter filter = std::get<2>(turn);
      const Geometry geometry{.crop_left = 0.05f, .straighten_deg = angle, .flip_vertical = 1};
      const auto add = [&](std::string_view what, Tolerance tolerance, Rgb32f (*picture)(int, int)) {
        cases.push_back({fmt::format("geom/straighten={}/{}x{}/{}", angle, width, height, what),
                         {"geom", "geometry"},
                         tolerance,
                         [=] {
                           return geom_work(geometry, orientation, filter, picture(width, height),
                                            height > 200 ? 192 * 1024 : 0);
                         }});
      };
      add("noise", products_of_light, [](int w, int h) { return noise_picture(w, h, 2); });
      if (width != 17 && width != 257) continue;
      add("edge-values", products_up_to_65504,
          [](int w, int h) { return sprinkled(noise_picture(w, h, 2), finite_values); });
      if (filter == GeomFilter::bilinear) continue;  // a driver may leave out products with a constant zero weight
      add("nan", products_of_light, [](int w, int h) {
        return sprinkled(noise_picture(w, h, 2), std::array{not_a_number, 0.5f, 1.0f, 0.0f});
      });
    }
  }
}

}  // namespace

std::vector<Case> geom_cases() {
  std::vector<Case> cases;
  add_geom_copies(cases);
  add_geom_resamples(cases);
  for (auto& [name, geometry] : field_variants<Geometry>(geometry_fields, 12)) {
    cases.push_back({"geom/field/" + name, {"geom", "geometry"}, products_of_light, [geometry = geometry] {
                       return geom_work(geometry, 5, GeomFilter::bicubic, noise_picture(93, 61, 3), 0);
                     }});
  }
  return cases;
}

std::vector<Case> resize_cases() {
  std::vector<Case> cases;
  const auto add = [&](Size from, Size to, bool draft, std::string_view what, Tolerance tolerance,
                       Rgb32f (*picture)(int, int)) {
    if (from.width == to.width && from.height == to.height) return;
    const auto make = [=] {
      Work work;
      const Rgb32f& source = keep(work, picture(from.width, from.height));
      const ResizePlan& plan = keep(work, plan_resize(from.width, from.height, to.width, to.height, draft));
      const int input = upload(work.list, from.width, from.height, 3, Element::f32, source.pixels);
      work.outputs = {add_resize(plan, work.list, input)};
      work.cpu = [&plan, &source] { return samples_of(run_resize(plan, copy_of(source))); };
      work.binding_bytes = from.height > 200 && to.height > 50 ? 512 * 1024 : 0;
      return work;
    };
    cases.push_back({fmt::format("resize/{}x{}-{}x{}{}/{}", from.width, from.height, to.width, to.height,
                                 draft ? "/draft" : "", what),
                     {"resize"},
                     tolerance,
                     make});
  };
  for (const Size from : small_sizes) {
    for (const Size to : {Size{1, 1}, {150, 97}, {31, 301}, {400, 20}, {from.width, 50}, {257, from.height}}) {
      for (const bool draft : {false, true}) {
        add(from, to, draft, "noise", products_of_light, [](int w, int h) { return noise_picture(w, h, 3); });
      }
    }
    add(from, {67, 41}, false, "edge-values", products_up_to_65504,
        [](int w, int h) { return sprinkled(noise_picture(w, h, 3), finite_values); });
  }
  return cases;
}

std::vector<Case> planes_cases() {
  std::vector<Case> cases;
  constexpr Tolerance tolerance = within(2e-5, 2e-6, "stops (log2), planes.h: drivers fuse products");
  const auto add = [&](Size size, double diagonal, std::string_view what, Rgb32f (*picture)(int, int)) {
    const auto make = [=] {
      Work work;
      const Rgb32f& scene = keep(work, picture(size.width, size.height));
      const PlanesPlan plan = plan_planes(size.width, size.height, diagonal);
      const int input = upload(work.list, size.width, size.height, 3, Element::f32, scene.pixels);
      work.outputs = {add_planes(plan, work.list, input)};
      work.cpu = [plan, &scene] { return samples_of(base_layer(plan, scene)); };
      work.binding_bytes = size.height > 200 ? 256 * 1024 : 0;
      return work;
    };
    cases.push_back({fmt::format("planes/{}x{}/diagonal={}/{}", size.width, size.height, diagonal, what),
                     {"planes"},
                     tolerance,
                     make});
  };
  for (const Size size : small_sizes) {
    for (const double diagonal : {50.0, 900.0, 4000.0}) {
      add(size, diagonal, "scene", [](int w, int h) { return scene_picture(w, h, 4); });
      add(size, diagonal, "edge-values", [](int w, int h) { return sprinkled(scene_picture(w, h, 4), finite_values); });
      add(size, diagonal, "any-values", [](int w, int h) { return sprinkled(scene_picture(w, h, 4), any_values); });
    }
  }
  // A level just above half a unit of the frame mean, where its rounding shows, and one whose sum exceeds 2^32.
  add({40, 30}, 900, "half-unit", [](int w, int h) {
    Rgb32f picture(w, h);
    std::fill(picture.pixels.begin(), picture.pixels.end(), std::exp2(-14.0f + 5000.55f / 1024));
    return picture;
  });
  add({600, 400}, 50, "bright", [](int w, int h) {
    Rgb32f picture(w, h);
    std::fill(picture.pixels.begin(), picture.pixels.end(), 60000.0f);
    return picture;
  });
  return cases;
}

std::vector<Case> masks_cases() {
  std::vector<Case> cases;
  constexpr Tolerance tolerance{
      1, 0, 4e-4, 4e-4, 4e-4, "a byte within rounding of its edge; four in a million at full size, masks.h"};
  const auto add = [&](const std::string& name, Size size, const Masks& masks) {
    const auto make = [=] {
      Work work;
      const GeomPlan geom = plan_geom({.straighten_deg = 4}, 6, size.width, size.height);
      const MasksPlan& plan = keep(work, plan_masks(masks, sensor_from_output(geom), size.width, size.height,
                                                    geom.output_width, geom.output_height));
      work.outputs = {add_masks(plan, work.list)};
      work.form = Form::bytes;
      work.cpu = [&plan] {
        Image<std::uint32_t, 1> packed(plan.width * plan.words_per_pixel(), plan.height);
        mask_rows(plan, {0, plan.height}, packed.pixels.data());
        std::vector<float> samples;
        for (const std::uint32_t word : packed.pixels) {
          for (unsigned i = 0; i < 32; i += 8) samples.push_back(static_cast<float>((word >> i) & 255u));
        }
        return samples;
      };
      work.binding_bytes = size.height > 200 ? 64 * 1024 : 0;
      return work;
    };
    cases.push_back({"masks/" + name, {"masks"}, tolerance, make});
  };
  for (const Size size : small_sizes) {
    Masks masks;
    for (int i = 0; i < 7; ++i) {
      masks.list.push_back({.start_x = 0.1f * static_cast<float>(i),
                            .start_y = 0.3f,
                            .end_x = 0.6f,
                            .end_y = 0.9f,
                            .invert = i % 2 == 0 ? 0u : 1u});
      if (i == 0 || i == 3 || i == 4 || i == 6) {
        add(fmt::format("{}x{}/count={}", size.width, size.height, i + 1), size, masks);
      }
    }
  }
  for (auto& [name, mask] : field_variants<Mask>(mask_fields, 12)) {
    mask.kind = mask.combine = 0;  // the other kinds are the CPU's alone
    add("field/" + name, {93, 61}, {{mask}});
  }
  Mask point;
  point.end_x = point.start_x;
  point.end_y = point.start_y;
  add("no-direction", {93, 61}, {{point}});
  return cases;
}

}  // namespace imago::oracle
